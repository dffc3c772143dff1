import type { AccessCase } from './access-paths.ts';

/**
 * Selects cases so that they contain each pair of coordinate and form, of coordinate and route, and of form and route that occurs in any
 * case. Cases that add more new pairs are selected first.
 */
export function coverPairs(cases: readonly AccessCase[]): readonly AccessCase[] {
  const covered = new Set<string>();
  const selected = new Set<AccessCase>();
  for (const wanted of [3, 2, 1]) {
    for (const each of cases) {
      const fresh = pairsOf(each).filter((pair) => !covered.has(pair));
      if (fresh.length < wanted) continue;
      selected.add(each);
      for (const pair of fresh) covered.add(pair);
    }
  }
  return cases.filter((each) => selected.has(each));
}

function pairsOf({ coordinate, form, route }: AccessCase): readonly string[] {
  const path = `${route.kind} ${route.type} ${route.text}`;
  return [`coordinate and form: ${coordinate} ${form}`, `coordinate and route: ${coordinate} ${path}`, `form and route: ${form} ${path}`];
}
