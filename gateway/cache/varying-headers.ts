import type { SubgraphsConfig } from '../config/sections/subgraphs.ts';

/** Headers of clients by which answers may differ: those that a rule passes on to any subgraph, and those that are named. */
export function varyingHeaders({ headers, override }: SubgraphsConfig, named: readonly string[]): readonly string[] {
  const rules = [headers, ...Object.values(override).map((settings) => settings.headers)];
  const passedOn = rules.flatMap((rule) => [...(rule?.propagate ?? []), ...Object.keys(rule?.rename ?? {})]);
  return [...new Set([...passedOn, ...named].map((name) => name.toLowerCase()))].sort();
}
