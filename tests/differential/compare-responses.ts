import type { FederatedResponse } from './federation/run-federation.ts';

/** How two answers relate. */
export interface Comparison {
  /** Equal as values, whatever the order of keys. */
  readonly isSameData: boolean;
  /** Equal as text. */
  readonly isSameText: boolean;
  /** Errors at the same places. */
  readonly hasSameErrors: boolean;
}

/**
 * Compares our answer with the stock gateway's. What we add about nulls and values that no subgraph explained is compared
 * only where it has it: it tells that only in answers without other errors.
 */
export function compareResponses(ours: FederatedResponse, other: FederatedResponse): Comparison {
  const positions = errorPositions(other);
  const reported = { ...ours, errors: ours.errors.filter(({ code }) => code !== 'SUBGRAPH_INVALID_RESPONSE') };
  return {
    isSameData: sorted(ours.data) === sorted(other.data),
    isSameText: JSON.stringify(ours.data) === JSON.stringify(other.data),
    hasSameErrors: errorPositions(ours) === positions || (other.errors.length > 0 && errorPositions(reported) === positions),
  };
}

/** The set of paths of an answer's errors, as text. */
function errorPositions({ errors }: FederatedResponse): string {
  return [...new Set(errors.map(({ path }) => JSON.stringify(path ?? null)))].sort().join('\n');
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/**
 * What of our errors one schema would not tell, and what it tells and we do not, as paths. Both may tell more of what
 * is inside of a null in the other's data: whoever finds the null first stops looking there, and a federation and one
 * schema look in different orders.
 */
export function unexplainedErrors(ours: FederatedResponse, monolith: FederatedResponse): readonly string[] {
  const reported = beyond(ours, monolith).map(({ path }) => JSON.stringify(path));
  return [...reported, ...beyond(monolith, ours).map(({ path }) => `missing: ${JSON.stringify(path)}`)];
}

function beyond(one: FederatedResponse, other: FederatedResponse): FederatedResponse['errors'] {
  const known = new Set(other.errors.map(({ path }) => JSON.stringify(path)));
  return one.errors.filter(({ path = [] }) => !known.has(JSON.stringify(path)) && !isInsideNull(other.data, path));
}

function isInsideNull(data: unknown, path: readonly (string | number)[]): boolean {
  let value = data;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return true;
    value = Object.hasOwn(value, key) ? (value as Record<string | number, unknown>)[key] : undefined;
  }
  return false;
}
