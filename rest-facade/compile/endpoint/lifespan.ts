import type { DirectiveArguments, DirectiveUse } from '../documents/directives.ts';
import type { ProblemReport } from '../mapping-problems.ts';

/** The versions in which an endpoint is available, and its deprecation. */
export interface Lifespan {
  /** First version with the endpoint. */
  readonly since: number;
  /** Last version with the endpoint. Absent if the newest version has it. */
  readonly until?: number;
  /** Time since which the endpoint is deprecated. @unit seconds since the epoch */
  readonly deprecatedAt?: number;
  /** Time since which the endpoint responds with 410. @unit milliseconds since the epoch */
  readonly sunsetAt?: number;
}

/** Whether a version has the endpoint. */
export function isAliveIn({ since, until = Infinity }: Lifespan, version: number): boolean {
  return since <= version && version <= until;
}

/** Whether some version has both endpoints. */
export function overlap(one: Lifespan, other: Lifespan): boolean {
  return one.since <= (other.until ?? Infinity) && other.since <= (one.until ?? Infinity);
}

/** Highest version number. Each version has its own routing table, so a typing error must not create millions of them. */
const MAX_VERSION = 99;

const DATE = /^\d{4}-\d\d-\d\d$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Compiles the versions and dates of an `@endpoint` and reports invalid values. */
export function compileLifespan({ node, values }: DirectiveUse<DirectiveArguments['endpoint']>, report: ProblemReport): Lifespan {
  const { since } = values;
  const until = values.until ?? undefined;
  const isVersion = (version: number): boolean => version >= 1 && version <= MAX_VERSION;
  if (!isVersion(since) || (until !== undefined && !isVersion(until))) {
    report.at(node, '`since` or `until` is not a valid version.', `Versions are integers from 1 to ${MAX_VERSION}.`);
  } else if (until !== undefined && until < since) {
    report.at(
      node,
      `The last version, ${until}, is lower than the first version, ${since}.`,
      '`since` is the first version with the endpoint, `until` is the last version with it.',
    );
  }
  const deprecated = readDate(values.deprecated, 'T00:00:00Z');
  const sunset = readDate(values.sunset, 'T23:59:59Z');
  if (Number.isNaN(deprecated) || Number.isNaN(sunset)) {
    report.at(node, '`deprecated` or `sunset` is not a valid date.', 'Use a format such as "2099-12-31" or "2099-12-31T23:59:59Z".');
  } else if (sunset !== undefined && deprecated === undefined) {
    report.at(
      node,
      '`sunset` requires `deprecated`.',
      'Add the date of the deprecation, for example `deprecated: "2026-01-31"` (RFC 8594, section 1).',
    );
  } else if (sunset !== undefined && deprecated !== undefined && sunset < deprecated) {
    report.at(
      node,
      '`sunset` is earlier than `deprecated`.',
      'Choose a `sunset` that is not earlier than `deprecated` (RFC 9745, section 4).',
    );
  }
  return {
    since,
    ...(until === undefined ? {} : { until }),
    ...(deprecated === undefined ? {} : { deprecatedAt: Math.floor(deprecated / 1_000) }),
    ...(sunset === undefined ? {} : { sunsetAt: sunset }),
  };
}

/** Returns milliseconds since the epoch, NaN for an invalid date, or undefined for an absent one. */
function readDate(text: string | null | undefined, timeOfDay: string): number | undefined {
  if (text === null || text === undefined) return undefined;
  if (!DATE.test(text) && !INSTANT.test(text)) return Number.NaN;
  const instant = Date.parse(DATE.test(text) ? text + timeOfDay : text);
  // `Date.parse` reads 30 February as 2 March.
  return Number.isNaN(instant) || new Date(instant).getUTCDate() !== Number(text.slice(8, 10)) ? Number.NaN : instant;
}
