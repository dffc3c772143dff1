import type { ValidationIssues } from './validation-issues.ts';

/** The query string, as names with all their values. */
export type QueryParameters = ReadonlyMap<string, readonly string[]>;

const NONE: QueryParameters = new Map();

/** Parses the raw query string. Names are case-sensitive. */
export function parseQuery(text: string): QueryParameters {
  if (text === '') return NONE;
  const parameters = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const values = parameters.get(name);
    if (values === undefined) parameters.set(name, [value]);
    else values.push(value);
  }
  return parameters;
}

/** Rejects unknown parameters, because most of them are misspelled. */
export function refuseUnknown(query: QueryParameters, known: ReadonlySet<string>, issues: ValidationIssues): void {
  if (query.size === 0) return;
  const hint = known.size === 0 ? 'this resource has no parameters' : `the available parameters are ${[...known].join(', ')}`;
  for (const name of query.keys()) {
    if (known.has(name)) continue;
    issues.add('UNKNOWN_PARAMETER', name === '' ? '=' : name, `is not a known parameter; ${hint}`);
  }
}

/** Returns the only value of a parameter. Returns undefined if it is absent, or if it is repeated, which is reported as an error. */
export function single(query: QueryParameters, name: string, issues: ValidationIssues): string | undefined {
  const values = query.get(name);
  if (values === undefined) return undefined;
  if (values.length === 1) return values[0];
  issues.add('INVALID_PARAMETER', name, 'must not be repeated');
  return undefined;
}
