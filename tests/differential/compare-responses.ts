import type { FederatedResponse } from './federation/run-federation.ts';

/** Relation of two results. */
export interface Comparison {
  /** Whether the values are equal, regardless of the order of keys. */
  readonly isSameData: boolean;
  /** Whether the texts are equal. */
  readonly isSameText: boolean;
  /** Whether the errors have the same paths. */
  readonly hasSameErrors: boolean;
}

/**
 * Compares the gateway's result with that of the stock gateway. Errors that Gatefold adds for unexplained nulls and invalid values are
 * compared only in results without other errors, because the stock gateway reports them only there.
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

/** Returns the set of error paths of a result, as text. */
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
 * Lists paths of errors that only one side reports and that cannot be explained. Either side may report further errors inside of a null in
 * the data of the other: execution stops at the first null it finds, and a federation and a single schema execute in different orders.
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
