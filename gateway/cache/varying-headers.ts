import type { SubgraphsConfig } from '../config/sections/subgraphs.ts';

/** Headers of clients by which answers may differ: those that a rule passes on to any subgraph, and those that are named. */
export function varyingHeaders({ headers, override }: SubgraphsConfig, named: readonly string[]): readonly string[] {
  const names = new Set(named);
  for (const rules of [headers, ...Object.values(override).map((settings) => settings.headers)]) {
    for (const name of rules?.propagate ?? []) names.add(name);
    for (const name of Object.keys(rules?.rename ?? {})) names.add(name);
  }
  return [...names].sort();
}
