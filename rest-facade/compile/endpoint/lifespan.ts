import type { DirectiveArguments, DirectiveUse } from '../documents/directives.ts';
import type { ProblemReport } from '../mapping-problems.ts';

/** In which versions an endpoint is there, and what becomes of it. */
export interface Lifespan {
  /** The first version that has it. */
  readonly since: number;
  /** The last version that has it; absent where the newest does. */
  readonly until?: number;
  /** From then on it should not be used. @unit seconds since the epoch */
  readonly deprecatedAt?: number;
  /** From then on it is gone. @unit milliseconds since the epoch */
  readonly sunsetAt?: number;
}

/** Whether a version has the endpoint. */
export function isAliveIn({ since, until = Infinity }: Lifespan, version: number): boolean {
  return since <= version && version <= until;
}

/** Whether some version has both. */
export function overlap(one: Lifespan, other: Lifespan): boolean {
  return one.since <= (other.until ?? Infinity) && other.since <= (one.until ?? Infinity);
}

/** Every version has a table of its own: a slip of the keyboard must not make millions of them. */
const MAX_VERSION = 99;

const DATE = /^\d{4}-\d\d-\d\d$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** What an `@endpoint` says of versions and dates; what cannot be is reported. */
export function compileLifespan({ node, values }: DirectiveUse<DirectiveArguments['endpoint']>, report: ProblemReport): Lifespan {
  const { since } = values;
  const until = values.until ?? undefined;
  const isVersion = (version: number): boolean => version >= 1 && version <= MAX_VERSION;
  if (!isVersion(since) || (until !== undefined && !isVersion(until))) {
    report.at(node, 'There is no such version.', `Versions are counted from 1 to ${MAX_VERSION}.`);
  } else if (until !== undefined && until < since) {
    report.at(
      node,
      `It ends with version ${until} and begins with version ${since}.`,
      '`since` is the first version that has it, `until` the last.',
    );
  }
  const deprecated = readDate(values.deprecated, 'T00:00:00Z');
  const sunset = readDate(values.sunset, 'T23:59:59Z');
  if (Number.isNaN(deprecated) || Number.isNaN(sunset)) {
    report.at(node, 'A date is none.', 'Write it like "2099-12-31" or "2099-12-31T23:59:59Z".');
  } else if (sunset !== undefined && deprecated === undefined) {
    report.at(
      node,
      'It ends without a warning.',
      'Say since when it should not be used: `deprecated: "2026-01-31"` (RFC 8594, section 1).',
    );
  } else if (sunset !== undefined && deprecated !== undefined && sunset < deprecated) {
    report.at(node, 'It is gone before it is deprecated.', '`sunset` is not earlier than `deprecated` (RFC 9745, section 4).');
  }
  return {
    since,
    ...(until === undefined ? {} : { until }),
    ...(deprecated === undefined ? {} : { deprecatedAt: Math.floor(deprecated / 1_000) }),
    ...(sunset === undefined ? {} : { sunsetAt: sunset }),
  };
}

/** Milliseconds since the epoch; NaN where the text is no date of the calendar, undefined where there is none. */
function readDate(text: string | null | undefined, timeOfDay: string): number | undefined {
  if (text === null || text === undefined) return undefined;
  if (!DATE.test(text) && !INSTANT.test(text)) return Number.NaN;
  const instant = Date.parse(DATE.test(text) ? text + timeOfDay : text);
  // 30 February is read as 2 March.
  return Number.isNaN(instant) || new Date(instant).getUTCDate() !== Number(text.slice(8, 10)) ? Number.NaN : instant;
}
