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
  let known = jointTypes.get(type);
  if (known === undefined) jointTypes.set(type, (known = new Map()));
  if (!known.has(source)) known.set(source, unitePossibleTypes(type, subgraphsOf(source)));
  return known.get(source);
}

const jointTypes = new WeakMap<FederatedType, Map<string, ReadonlySet<string> | undefined>>();

function unitePossibleTypes({ subgraphs }: FederatedType, names: readonly string[]): ReadonlySet<string> | undefined {
  const united = new Set<string>();
  for (const subgraph of names) {
    const here = subgraphs.get(subgraph);
    if (here === undefined) return undefined;
    for (const name of here.possibleTypes) united.add(name);
  }
  return united;
}
