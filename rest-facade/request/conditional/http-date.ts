const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const TIME = '[0-2]\\d:[0-5]\\d:[0-6]\\d';

/** Patterns of the preferred format and of the two obsolete formats that every recipient must accept (RFC 9110, section 5.6.7). */
const IMF_FIXDATE = new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), ([0-3]\\d) ${MONTH} \\d{4} ${TIME} GMT$`);
const RFC_850 = new RegExp(`^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, ([0-3]\\d)-(${MONTH})-(\\d\\d) (${TIME}) GMT$`);
const ASCTIME = new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH} ([ 1-3]\\d) ${TIME} \\d{4}$`);

/** A two-digit year that is further in the future belongs to the previous century. @unit years */
const YEARS_AHEAD = 50;

/**
 * Reads a date from a header. A malformed date is ignored, and so are two dates (RFC 9110, sections 13.1.3 and 13.1.4).
 *
 * @returns milliseconds since 1970
 */
export function readHttpDate(header: string | readonly string[] | undefined): number | undefined {
  if (typeof header !== 'string') return undefined;
  const text = header.trim();
  const [, day = ''] = IMF_FIXDATE.exec(text) ?? ASCTIME.exec(text) ?? RFC_850.exec(text) ?? [];
  if (day === '') return undefined;
  const time = RFC_850.test(text) ? readRfc850(text) : Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  // `Date.parse` reads 31 February as 3 March. For NaN, the comparison fails too.
  return new Date(time).getUTCDate() === Number(day) ? time : undefined;
}

function readRfc850(text: string): number {
  const [, day, month, year, time] = RFC_850.exec(text) ?? [];
  if (day === undefined) return Number.NaN;
  const thisYear = new Date().getUTCFullYear();
  const inThisCentury = thisYear - (thisYear % 100) + Number(year);
  return Date.parse(`${day} ${month} ${inThisCentury > thisYear + YEARS_AHEAD ? inThisCentury - 100 : inThisCentury} ${time} GMT`);
}

/** Resolution of HTTP dates (RFC 9110, section 5.6.7). @unit milliseconds */
const MS_PER_SECOND = 1_000;

/**
 * Returns the `Last-Modified` date of a resource: the first whole second after the change. A date that is rounded down would apply to every
 * state within that second, and two changes in it would look like one (RFC 9110, section 8.8.2.2).
 *
 * @param changedAt milliseconds since 1970
 * @returns milliseconds since 1970, whole seconds
 */
export function toLastModified(changedAt: number): number {
  return (Math.floor(changedAt / MS_PER_SECOND) + 1) * MS_PER_SECOND;
}
