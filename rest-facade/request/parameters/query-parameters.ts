import type { ValidationIssues } from './validation-issues.ts';

/** The query string, each name with all its values. */
export type QueryParameters = ReadonlyMap<string, readonly string[]>;

const NONE: QueryParameters = new Map();

/** Parses the raw query string; names are case-sensitive. */
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

/** A parameter that nobody knows is most often a misspelt one: it is refused, not passed over. */
export function refuseUnknown(query: QueryParameters, known: ReadonlySet<string>, issues: ValidationIssues): void {
  if (query.size === 0) return;
  const hint = known.size === 0 ? 'this resource takes no parameters' : `the parameters are ${[...known].join(', ')}`;
  for (const name of query.keys()) {
    if (known.has(name)) continue;
    issues.add('UNKNOWN_PARAMETER', name === '' ? '=' : name, `is not known here; ${hint}`);
  }
}

/** The one value of a parameter; undefined where it is absent or given several times, which is a fault. */
export function single(query: QueryParameters, name: string, issues: ValidationIssues): string | undefined {
  const values = query.get(name);
  if (values === undefined) return undefined;
  if (values.length === 1) return values[0];
  issues.add('INVALID_PARAMETER', name, 'is given more than once');
  return undefined;
}
