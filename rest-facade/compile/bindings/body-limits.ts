import type { JsonReader } from './json-reader.ts';

/** What a field of a body takes of all that its type takes; of a list, each of its values. */
export interface BodyLimit {
  /** As the graph calls it. */
  readonly field: string;
  /** It may be left out, and not be null. */
  readonly notNull: boolean;
  /** Text with more in it than white space, and without NUL. */
  readonly notBlank: boolean;
  /** @unit characters of Unicode */
  readonly minLength?: number | null;
  /** @unit characters of Unicode */
  readonly maxLength?: number | null;
  /** Told to readers, and checked by the graph alone. */
  readonly format?: string | null;
  readonly values?: readonly string[] | null;
  readonly minimum?: number | null;
  readonly maximum?: number | null;
  /** Digits after the point. */
  readonly decimals?: number | null;
  readonly minItems?: number | null;
  readonly maxItems?: number | null;
  readonly uniqueItems: boolean;
}

/** Text with more in it than white space. NUL is no white space, and stands nowhere in it. Each character is looked at once. */
export const NOT_BLANK = '^\\s*[^\\s\\u0000][^\\u0000]*$';
const notBlankPattern = new RegExp(NOT_BLANK, 'u');

/** More values than that are not listed in a refusal. @unit values */
const MAX_LISTED_VALUES = 10;

/** Says what is wrong with a value, as the end of a sentence that starts with its name; undefined where nothing is. */
type Check = (value: unknown) => string | undefined;

/**
 * The reader of a body that refuses what is beyond the limits as well. Values of another type than their field has are the reader's to tell.
 *
 * @param names fields to what clients call them, where that is not the same
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
      const fault = Array.isArray(sent) ? checkCount(sent, limit) : check(sent);
      if (fault !== undefined) report(name, fault);
      else if (Array.isArray(sent)) reportFirst(sent.map(check), (index, wrong) => report(`${name}.${index}`, wrong));
    }
    return value;
  };
}

/** One fault of a list is enough: the next is as likely as not the same. */
function reportFirst(faults: readonly (string | undefined)[], report: (index: number, fault: string) => void): void {
  const index = faults.findIndex((fault) => fault !== undefined);
  const fault = faults[index];
  if (fault !== undefined) report(index, fault);
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
      return known.size > MAX_LISTED_VALUES ? 'is none of the values that are taken here' : `must be one of ${[...known].join(', ')}`;
    // Units of UTF-16 are never fewer than characters, so most texts need no count.
    if (text.length < (minLength ?? 0) || text.length > (maxLength ?? Infinity) || minLength != null) {
      const length = Array.from(text).length;
      if (length < (minLength ?? 0) || length > (maxLength ?? Infinity)) return `must have ${lengths}`;
    }
    return notBlank && !notBlankPattern.test(text) ? 'must have more in it than white space, and no NUL' : undefined;
  };
}

function compileNumberCheck({ minimum, maximum, decimals }: BodyLimit): (value: number) => string | undefined {
  return (value) => {
    if (value < (minimum ?? -Infinity) || value > (maximum ?? Infinity)) return `must be ${range(minimum, maximum, '')}`.trim();
    return decimals == null || hasDecimals(value, decimals) ? undefined : `must have at most ${decimals} decimals`;
  };
}

/** As near as the binary fractions of JSON's readers and writers come: 35 times 0.01 is 0.35000000000000003. */
function hasDecimals(value: number, decimals: number): boolean {
  const scaled = value * 10 ** decimals;
  return Math.abs(scaled - Math.round(scaled)) <= Math.abs(scaled) * 4 * Number.EPSILON;
}

function checkCount(list: readonly unknown[], { minItems, maxItems, uniqueItems }: BodyLimit): string | undefined {
  if (list.length < (minItems ?? 0) || list.length > (maxItems ?? Infinity)) return `must have ${range(minItems, maxItems, 'values')}`;
  return uniqueItems && new Set(list).size < list.length ? 'must have each value once' : undefined;
}

function range(minimum: number | null | undefined, maximum: number | null | undefined, unit: string): string {
  if (maximum == null) return `at least ${minimum ?? 0} ${unit}`;
  return minimum == null ? `at most ${maximum} ${unit}` : `${minimum} to ${maximum} ${unit}`;
}
