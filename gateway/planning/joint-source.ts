import type { FederatedType } from '../supergraph/federated-graph.ts';

/**
 * A joint source stands for several subgraphs that bring the values of one place, each for other parent types: only what all of
 * them resolve alike can be selected there. Its name takes the place of a subgraph's name; no subgraph has such a name.
 */
const SEPARATOR = '\n';

/** Names the joint source of subgraphs and of joint sources. */
export function nameJointSource(sources: Iterable<string>): string {
  const subgraphs = new Set([...sources].flatMap(subgraphsOf));
  return [...subgraphs]
    .sort()
    .map((subgraph) => SEPARATOR + subgraph)
    .join('');
}

export function isJointSource(source: string): boolean {
  return source.startsWith(SEPARATOR);
}

/** Lists the subgraphs of a source: several for a joint source, else itself. */
export function subgraphsOf(source: string): readonly string[] {
  return isJointSource(source) ? source.split(SEPARATOR).slice(1) : [source];
}

/** Lists the sets of object types that the subgraphs of a source know a value can be of. Nothing is said by those that lack the type. */
export function possibleTypesIn(type: FederatedType, source: string): readonly ReadonlySet<string>[] {
  return subgraphsOf(source).flatMap((subgraph) => type.subgraphs.get(subgraph)?.possibleTypes ?? []);
}
