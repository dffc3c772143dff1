import type { JsonReader } from './json-reader.ts';

/** Limits on a body field that are stricter than its GraphQL type. For a list, they apply to each item. */
export interface BodyLimit {
  /** Name of the field in the graph. */
  readonly field: string;
  /** Whether null is rejected. The field may still be absent. */
  readonly notNull: boolean;
  /** Whether text must contain a character other than white space, and no NUL. */
  readonly notBlank: boolean;
  /** @unit characters of Unicode */
  readonly minLength?: number | null;
  /** @unit characters of Unicode */
  readonly maxLength?: number | null;
  /** Shown in the API description. Only the graph validates it. */
  readonly format?: string | null;
  readonly values?: readonly string[] | null;
  readonly minimum?: number | null;
  readonly maximum?: number | null;
  /** Maximum number of digits after the decimal point. */
  readonly decimals?: number | null;
  readonly minItems?: number | null;
  readonly maxItems?: number | null;
  readonly uniqueItems: boolean;
}

/**
 * Pattern for text with at least one character other than white space, and without NUL. It matches in linear time because NUL is not white
 * space.
 */
export const NOT_BLANK = '^\\s*[^\\s\\u0000][^\\u0000]*$';
const notBlankPattern = new RegExp(NOT_BLANK, 'u');

/** Maximum number of allowed values that an error message lists. @unit values */
const MAX_LISTED_VALUES = 10;

/** Returns the error of a value as the end of a sentence that starts with the field name, or undefined for a valid value. */
type Check = (value: unknown) => string | undefined;

/**
 * Wraps a body reader so that it also checks the limits. The wrapped reader reports values of the wrong type.
 *
 * @param names client-facing names of fields that differ from their names in the graph
 */
export function withLimits(read: JsonReader, limits: readonly BodyLimit[], names: ReadonlyMap<string, string>): JsonReader {
  if (limits.length === 0) return read;
  const checks = limits.map((limit) => ({ name: names.get(limit.field) ?? limit.field, limit, check: compileCheck(limit) }));
  return (body, field, report) => {
    const value = read(body, field, report);
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return value;
    for (const { name, limit, check } of checks) {
      const sent = Object.hasOwn(body, name) ? (body as Readonly<Record<string, unknown>>)[name] : undefined;
      if (sent === null && limit.notNull) report(name, 'must not be null');
      const issue = Array.isArray(sent) ? checkCount(sent, limit) : check(sent);
      if (issue !== undefined) report(name, issue);
      else if (Array.isArray(sent)) reportFirst(sent.map(check), (index, wrong) => report(`${name}.${index}`, wrong));
    }
    return value;
  };
}

/** Reports only the first error of a list, because the other items often have the same error. */
function reportFirst(issues: readonly (string | undefined)[], report: (index: number, issue: string) => void): void {
  const index = issues.findIndex((issue) => issue !== undefined);
  const issue = issues[index];
  if (issue !== undefined) report(index, issue);
}

function compileCheck(limit: BodyLimit): Check {
  const checkText = compileTextCheck(limit);
  const checkNumber = compileNumberCheck(limit);
  return (value) => (typeof value === 'string' ? checkText(value) : typeof value === 'number' ? checkNumber(value) : undefined);
}

function compileTextCheck({ notBlank, minLength, maxLength, values }: BodyLimit): (text: string) => string | undefined {
  const known = values == null ? undefined : new Set(values);
  const lengths = range(minLength, maxLength, 'characters');
  return (text) => {
    if (known !== undefined && !known.has(text))
      return known.size > MAX_LISTED_VALUES ? 'is not one of the allowed values' : `must be one of ${[...known].join(', ')}`;
    // A text never has more characters than UTF-16 code units, so most texts need no character count.
    if (text.length < (minLength ?? 0) || text.length > (maxLength ?? Infinity) || minLength != null) {
      const length = Array.from(text).length;
      if (length < (minLength ?? 0) || length > (maxLength ?? Infinity)) return `must have ${lengths}`;
    }
    return notBlank && !notBlankPattern.test(text) ? 'must contain a character other than white space and must not contain NUL' : undefined;
  };
}

function compileNumberCheck({ minimum, maximum, decimals }: BodyLimit): (value: number) => string | undefined {
  return (value) => {
    if (value < (minimum ?? -Infinity) || value > (maximum ?? Infinity)) return `must be ${range(minimum, maximum, '')}`.trim();
    return decimals == null || hasDecimals(value, decimals) ? undefined : `must have at most ${decimals} decimal places`;
  };
}

/** Tolerates the rounding of binary fractions: 35 times 0.01 is 0.35000000000000003. */
function hasDecimals(value: number, decimals: number): boolean {
  const scaled = value * 10 ** decimals;
  return Math.abs(scaled - Math.round(scaled)) <= Math.abs(scaled) * 4 * Number.EPSILON;
}

function checkCount(list: readonly unknown[], { minItems, maxItems, uniqueItems }: BodyLimit): string | undefined {
  if (list.length < (minItems ?? 0) || list.length > (maxItems ?? Infinity)) return `must have ${range(minItems, maxItems, 'values')}`;
  return uniqueItems && new Set(list).size < list.length ? 'must not contain a value twice' : undefined;
}

function range(minimum: number | null | undefined, maximum: number | null | undefined, unit: string): string {
  if (maximum == null) return `at least ${minimum ?? 0} ${unit}`;
  return minimum == null ? `at most ${maximum} ${unit}` : `${minimum} to ${maximum} ${unit}`;
}
