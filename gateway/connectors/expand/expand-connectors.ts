import { type DocumentNode, Kind } from 'graphql';
import { argumentsOf, directivesOf } from '../../directives/directive-locations.ts';
import { readConnectors } from '../definition/read-connectors.ts';
import { selectedFieldsOf } from '../selection/selected-fields.ts';
import type { ConnectorFields } from './connector-fields.ts';
import { ConnectorsInvalid } from './connectors-invalid.ts';
import { coordinateOf, createVirtualGraph } from './create-virtual-graph.ts';
import { inputUsesOf } from './input-uses.ts';
import { type JoinNames, joinNamesIn } from './join-directives.ts';
import { type NamedGraph, type ReplacedGraph, rewriteDocument } from './rewrite-document.ts';
import { definitionsByName, readSubgraphTypes, rootsOf, type SubgraphTypes } from './subgraph-types.ts';
import type { VirtualSubgraph } from './virtual-subgraph.ts';

/** A supergraph in which each connector is a subgraph. */
export interface ExpandedSupergraph {
  readonly document: DocumentNode;
  /** Virtual subgraphs by name. */
  readonly virtual: ReadonlyMap<string, VirtualSubgraph>;
}

/**
 * Replaces each subgraph with connectors by one virtual subgraph for each connector.
 *
 * @returns undefined if no subgraph has connectors
 * @throws ConnectorInvalid if a connector is not valid, and ConnectorsInvalid if it cannot be planned
 */
export function expandConnectors(document: DocumentNode): ExpandedSupergraph | undefined {
  const names = joinNamesIn(document);
  const connectors = readConnectors(document).map((definition): ConnectorFields => {
    return { definition, mapped: selectedFieldsOf(definition.selection), inputs: inputUsesOf(definition) };
  });
  if (names === undefined || connectors.length === 0) return undefined;
  const shared = { definitions: definitionsByName(document), roots: rootsOf(document) };
  const bySubgraph = new Map<string, ConnectorFields[]>();
  for (const connector of connectors) {
    const { subgraph } = connector.definition;
    bySubgraph.set(subgraph, [...(bySubgraph.get(subgraph) ?? []), connector]);
  }
  const graphs = readGraphs(document, names);
  const values = new Set(graphs.values());
  const replaced: ReplacedGraph[] = [];
  const virtual = new Map<string, VirtualSubgraph>();
  for (const [subgraph, own] of bySubgraph) {
    const value = graphs.get(subgraph);
    if (value === undefined)
      throw new ConnectorsInvalid(`The supergraph has connectors of the subgraph "${subgraph}", but no such subgraph.`);
    const types = readSubgraphTypes(shared, names, value);
    refuseRootsWithoutConnectors(types, subgraph, own);
    const [first, ...others] = createGraphs(types, value, own, values);
    if (first === undefined) continue;
    for (const graph of [first, ...others]) {
      const { name } = graph.virtual;
      if (graphs.has(name)) throw new ConnectorsInvalid(`The subgraph "${name}" has the name of a connector. Rename the subgraph.`);
      virtual.set(name, graph.virtual);
    }
    replaced.push({ value, types, virtual: [first, ...others] });
  }
  return replaced.length === 0 ? undefined : { document: rewriteDocument(document, names, replaced), virtual };
}

/** Returns the values of the enum of graphs by the names of their subgraphs. */
function readGraphs({ definitions }: DocumentNode, names: JoinNames): ReadonlyMap<string, string> {
  const graphs = new Map<string, string>();
  for (const definition of definitions) {
    if (definition.kind !== Kind.ENUM_TYPE_DEFINITION || definition.name.value !== names.graphs) continue;
    for (const node of definition.values ?? []) {
      const value = node.name.value;
      const { name = value } = argumentsOf(directivesOf(node, names.graph)[0]);
      graphs.set(String(name), value);
    }
  }
  return graphs;
}

/** A root field without a connector could not be resolved: a subgraph with connectors receives no GraphQL requests. */
function refuseRootsWithoutConnectors(types: SubgraphTypes, subgraph: string, connectors: readonly ConnectorFields[]): void {
  const connected = new Set(connectors.map(({ definition }) => coordinateOf(definition)));
  for (const root of types.roots.keys()) {
    for (const field of types.fieldsOf(root)) {
      if (connected.has(`${root}.${field}`) || isLeftToOthers(types, root, field)) continue;
      throw new ConnectorsInvalid(
        `The field ${root}.${field} of the subgraph "${subgraph}" has no connector. All root fields of a subgraph with connectors need one. ` +
          'Add @connect to the field, or move it to another subgraph.',
      );
    }
  }
}

/** Whether the subgraph only references a field: it is external, or another subgraph has taken it over. */
function isLeftToOthers(types: SubgraphTypes, type: string, field: string): boolean {
  const { external, usedOverridden } = argumentsOf(types.fieldOf(type, field)?.joined);
  return external === true || usedOverridden === true;
}

function createGraphs(
  types: SubgraphTypes,
  parent: string,
  connectors: readonly ConnectorFields[],
  values: Set<string>,
): readonly NamedGraph[] {
  const coordinates = new Set(connectors.map(({ definition }) => coordinateOf(definition)));
  return connectors.flatMap((connector) => {
    const graph = createVirtualGraph(types, connector, (type, field) => coordinates.has(`${type}.${field}`));
    if (graph === undefined) return [];
    const { type, field, index } = connector.definition;
    const wanted = [parent, type, field, index === 0 ? undefined : index + 1].filter((part) => part !== undefined).join('_');
    return [{ ...graph, value: take(wanted.toUpperCase(), values) }];
  });
}

/** Returns a name that no other value of the enum has. */
function take(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted}__${number}`;
  taken.add(name);
  return name;
}
