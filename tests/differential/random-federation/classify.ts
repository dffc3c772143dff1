import type { RandomResponse } from './build-random-federation.ts';

/** Relation of a result to that of a single schema. */
export type Classification =
  | { readonly kind: 'right'; readonly leniencies: readonly Leniency[] }
  | { readonly kind: 'wrong'; readonly class: Difference; readonly detail: string };

export type Difference = 'no answer' | 'invalid subgraph request' | 'data' | 'order of keys' | 'missing error' | 'additional error';

/**
 * Accepted differences between two correct results:
 *
 * - `errors beneath a null`: several failures meet in one null. Execution stops at the first failure, and a federation and a single schema
 *   execute in different orders (GraphQL specification, 6.4.4: "only one error should be added to the errors list per field" and siblings
 *   may be canceled). Both must report at least one.
 */
export type Leniency = 'errors beneath a null';

/** Classifies a result. */
export function classify(ours: RandomResponse, truth: RandomResponse, invalid: readonly string[]): Classification {
  if (invalid[0] !== undefined) return wrong('invalid subgraph request', invalid[0]);
  if (JSON.stringify(ours.data) !== JSON.stringify(truth.data)) {
    const isReordered = sorted(ours.data) === sorted(truth.data);
    return wrong(isReordered ? 'order of keys' : 'data', isReordered ? '' : firstDifference(ours.data, truth.data, ''));
  }
  const [reported, expected] = [groupErrors(ours), groupErrors(truth)];
  const leniencies: Leniency[] = [];
  for (const [position, paths] of expected) {
    const found = reported.get(position);
    if (found === undefined) return wrong('missing error', position);
    if (found.join() === paths.join()) continue;
    if (!position.endsWith('…')) return wrong(found.length < paths.length ? 'missing error' : 'additional error', position);
    leniencies.push('errors beneath a null');
  }
  for (const position of reported.keys()) if (!expected.has(position)) return wrong('additional error', position);
  return { kind: 'right', leniencies };
}

function wrong(difference: Difference, detail: string): Classification {
  return { kind: 'wrong', class: difference, detail };
}

/** Groups error paths by position: their own position, or the null that replaced it. */
function groupErrors({ data, errors }: RandomResponse): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { path = [] } of errors) {
    const position = positionOf(data, path);
    groups.set(position, [...(groups.get(position) ?? []), JSON.stringify(path)].sort());
  }
  return groups;
}

function positionOf(data: unknown, path: readonly (string | number)[]): string {
  let value = data;
  for (const [index, key] of path.entries()) {
    if (value === null) return `${JSON.stringify(path.slice(0, index))}…`;
    value = (value as Record<string | number, unknown> | undefined)?.[key];
  }
  return JSON.stringify(path);
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

function firstDifference(ours: unknown, truth: unknown, path: string): string {
  if (typeof ours === 'object' && typeof truth === 'object' && ours !== null && truth !== null) {
    const keys = new Set([...Object.keys(truth), ...Object.keys(ours)]);
    for (const key of keys) {
      const [one, other] = [(ours as Record<string, unknown>)[key], (truth as Record<string, unknown>)[key]];
      if (sorted(one) !== sorted(other)) return firstDifference(one, other, `${path}.${key}`);
    }
  }
  return `${path}: expected ${JSON.stringify(truth)}, got ${JSON.stringify(ours)}`;
}
