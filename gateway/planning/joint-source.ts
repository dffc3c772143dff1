import type { FederatedType } from '../supergraph/federated-graph.ts';

/**
 * Separator in the name of a joint source. A joint source represents several subgraphs that provide the values of one position, each for
 * other parent objects. A field can be selected there if all of these subgraphs that define the type resolve it in the same way. The name
 * is used like the name of a subgraph; no subgraph has such a name.
 */
const SEPARATOR = '\n';

/** Returns the name of the joint source of subgraphs and joint sources. */
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

/** Lists the subgraphs of a source: several for a joint source, otherwise the source itself. */
export function subgraphsOf(source: string): readonly string[] {
  if (!isJointSource(source)) return [source];
  if (lastDivided?.source !== source) lastDivided = { source, subgraphs: source.split(SEPARATOR).slice(1) };
  return lastDivided.subgraphs;
}

let lastDivided: { readonly source: string; readonly subgraphs: readonly string[] } | undefined;

/**
 * Returns the possible object types of a type in a source. For a joint source, these are the possible types in any of its subgraphs.
 *
 * @returns undefined if a subgraph lacks the type and can therefore have values of any type
 */
export function possibleTypesIn(type: FederatedType, source: string): ReadonlySet<string> | undefined {
  if (!isJointSource(source)) return type.subgraphs.get(source)?.possibleTypes;
  const united = new Set<string>();
  for (const subgraph of subgraphsOf(source)) {
    const here = type.subgraphs.get(subgraph);
    if (here === undefined) return undefined;
    for (const name of here.possibleTypes) united.add(name);
  }
  return united;
}
