/** A value that differs from the expected one. */
export interface Difference {
  /** Path in the request or the result: `request.url`, `result.items[0].name`. */
  readonly path: string;
  /** Undefined if no value is expected. */
  readonly expected?: unknown;
  /** Undefined if there is no value. */
  readonly actual?: unknown;
}

/** Maximum number of differences in one report. */
const MAX_DIFFERENCES = 20;

/** Compares JSON values. A missing value is equal to null, as in a response to a client. */
export function findDifferences(expected: unknown, actual: unknown, path: string): readonly Difference[] {
  const found: Difference[] = [];
  compare(expected, actual, path, found);
  return found.slice(0, MAX_DIFFERENCES);
}

function compare(expected: unknown, actual: unknown, path: string, found: Difference[]): void {
  if (found.length >= MAX_DIFFERENCES) return;
  if ((expected ?? null) === (actual ?? null)) return;
  if (Array.isArray(expected) && Array.isArray(actual)) {
    for (let index = 0; index < Math.max(expected.length, actual.length); index += 1) {
      compare(expected[index], actual[index], `${path}[${index}]`, found);
    }
    return;
  }
  if (isObject(expected) && isObject(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      compare(
        ownValue(expected, key),
        ownValue(actual, key),
        `${path}${/^\w+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`}`,
        found,
      );
    }
    return;
  }
  found.push({ path, expected, actual });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function ownValue(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Writes a difference as three lines, indented. */
export function describeDifference({ path, expected, actual }: Difference): readonly string[] {
  return [`    ${path}`, `      expected ${describeValue(expected)}`, `      actual   ${describeValue(actual)}`];
}

/** Maximum length of a value in a report. @unit characters */
const MAX_VALUE = 500;

function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}
