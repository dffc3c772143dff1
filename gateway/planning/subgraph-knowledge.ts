import type { FederatedGraph } from '../supergraph/federated-graph.ts';

/** Definitions of abstract types in subgraphs, by graph: a number for each subgraph and type, and the numbers by description. */
const known = new WeakMap<FederatedGraph, { readonly numbers: Map<string, number>; readonly texts: Map<string, number> }>();

/**
 * Returns the number of the definitions of an interface or a union, and of its object types, in a subgraph. Subgraphs with the same
 * definitions have equal numbers.
 */
export function subgraphKnowledge(graph: FederatedGraph, subgraph: string, type: string): number {
  let ofGraph = known.get(graph);
  if (ofGraph === undefined) known.set(graph, (ofGraph = { numbers: new Map(), texts: new Map() }));
  const { numbers, texts } = ofGraph;
  const id = `${subgraph} ${type}`;
  let number = numbers.get(id);
  if (number === undefined) {
    const text = describe(graph, subgraph, type);
    number = texts.get(text) ?? texts.size;
    texts.set(text, number);
    numbers.set(id, number);
  }
  return number;
}

function describe({ types }: FederatedGraph, subgraph: string, name: string): string {
  const type = types.get(name);
  const here = type?.subgraphs.get(subgraph);
  if (type === undefined || type.kind === 'object') return '';
  const possible = [...(here?.possibleTypes ?? type.possibleTypes)].sort();
  const fields = [...type.fields.values()].flatMap((field) => {
    const declared = field.subgraphs.get(subgraph);
    if (declared === undefined) return [];
    const ofTypes = possible.map((object) => types.get(object)?.fields.get(field.name)?.subgraphs.get(subgraph)?.type);
    return [[field.name, declared.type, declared.isExternal, ofTypes]];
  });
  return JSON.stringify([here?.isInterfaceObject, here !== undefined, possible, fields]);
}
