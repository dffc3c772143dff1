import type { FederatedType } from '../supergraph/federated-graph.ts';

/**
 * A joint source stands for several subgraphs that bring the values of one place, each for other parent objects. A field can be selected there
 * if each of the subgraphs that knows the type resolves it, and all of them alike. Its name takes the place of a subgraph's name; no subgraph has such a name.
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
  if (!isJointSource(source)) return [source];
  if (lastDivided?.source !== source) lastDivided = { source, subgraphs: source.split(SEPARATOR).slice(1) };
  return lastDivided.subgraphs;
}

let lastDivided: { readonly source: string; readonly subgraphs: readonly string[] } | undefined;

/**
 * Finds the object types that a source knows a value can be of: of a joint source, those that any of its subgraphs knows.
 *
 * @returns undefined where a subgraph lacks the type and can have values of any type
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
