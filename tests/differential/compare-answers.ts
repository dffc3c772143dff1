import type { Answer } from './federation/run-federation.ts';

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
 * Compares our answer with another's. What we add about nulls and values that no subgraph explained is compared only
 * where the other has it: the stock gateway tells it only in answers without other errors.
 */
export function compareAnswers(ours: Answer, other: Answer): Comparison {
  const places = errorPlaces(other);
  const explained = errorPlaces({ ...ours, errors: ours.errors.filter(({ code }) => code !== 'SUBGRAPH_INVALID_RESPONSE') });
  return {
    isSameData: sorted(ours.data) === sorted(other.data),
    isSameText: JSON.stringify(ours.data) === JSON.stringify(other.data),
    hasSameErrors: errorPlaces(ours) === places || explained === places,
  };
}

/** The set of paths of an answer's errors, as text. */
function errorPlaces({ errors }: Answer): string {
  return [...new Set(errors.map(({ path }) => JSON.stringify(path ?? null)))].sort().join('\n');
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/**
 * Whether the stock gateway reported the same errors and only put some at wrong items of a list: the fields are the
 * same, and what one schema reports stands where we have it.
 */
export function isExplainedDifference(ours: Answer, stock: Answer, monolith: Answer): boolean {
  const told = ours.errors.filter(({ code }) => code !== 'SUBGRAPH_INVALID_RESPONSE');
  const places = new Set(ours.errors.map(({ path }) => JSON.stringify(path)));
  // A federation can report more than one schema: a failure that nulls a parent does not stop other fetches.
  return fieldsOf(told) === fieldsOf(stock.errors) && monolith.errors.every(({ path }) => places.has(JSON.stringify(path)));
}

/**
 * Whether each value in our data is the stock gateway's or the one schema's: for operations in which the planner is
 * wrong at one place, so that we answer as the stock gateway there, and the stock gateway is wrong at another.
 */
export function agreesEverywhere(ours: unknown, stock: unknown, monolith: unknown): boolean {
  if (sorted(ours ?? null) === sorted(stock ?? null) || sorted(ours ?? null) === sorted(monolith ?? null)) return true;
  // What the planner finds empty is not asked for.
  if (ours === null) return typeof monolith === 'object' && isEmpty(monolith);
  if (typeof ours !== 'object') return false;
  if (![stock, monolith].some((other) => keysOf(other) === keysOf(ours))) return false;
  return Object.entries(ours).every(([key, value]) => agreesEverywhere(value, inside(stock, key), inside(monolith, key)));
}

function inside(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

function keysOf(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? JSON.stringify(Object.keys(value).sort()) : undefined;
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && (value === null || Object.values(value).every(isEmpty));
}

/** The set of fields with errors, without list indices and aliases of the planner. */
function fieldsOf(errors: Answer['errors']): string {
  const fields = errors.map(({ path = [] }) =>
    path.filter((element) => typeof element === 'string').map((key) => key.replace(/__alias_\d+$/, '')),
  );
  return [...new Set(fields.map((path) => path.join('.')))].sort().join('\n');
}
