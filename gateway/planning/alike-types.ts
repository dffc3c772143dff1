import { Kind, print, type SelectionSetNode } from 'graphql';
import type { FederatedGraph, FederatedType } from '../supergraph/federated-graph.ts';
import { enterableSubgraphs, entryPoints, inGraphOrder } from './resolvable.ts';
import type { WantedField } from './wanted-fields.ts';

/** Types of one abstract position that have the same wanted fields and the same plan. */
export interface TypeClass {
  /** A representative of the class. */
  readonly type: FederatedType;
  readonly names: readonly string[];
  readonly fields: readonly WantedField[];
}

/**
 * Numbers of the descriptions of object types. Types with equal numbers can be planned together. A graph never changes and its types belong
 * to it alone, so each number is computed once per graph.
 */
const signatures = new WeakMap<FederatedType, Map<string, number>>();

/** Numbers by description. */
const numbers = new WeakMap<FederatedGraph, Map<string, number>>();

function remember(graph: FederatedGraph, type: FederatedType, id: string, describe: () => string): number {
  let known = signatures.get(type);
  if (known === undefined) signatures.set(type, (known = new Map()));
  let signature = known.get(id);
  if (signature === undefined) known.set(id, (signature = numberOf(graph, describe())));
  return signature;
}

function numberOf(graph: FederatedGraph, description: string): number {
  let known = numbers.get(graph);
  if (known === undefined) numbers.set(graph, (known = new Map()));
  let number = known.get(description);
  if (number === undefined) known.set(description, (number = known.size));
  return number;
}

/** Describes the subgraphs that have a type, and the keys of their entry points, including the fields of those keys. */
function typeSignature(graph: FederatedGraph, type: FederatedType): number {
  return remember(graph, type, ' ', () => {
    // Nested fields read a context from objects of this type, so the type is planned separately.
    if (type.contexts.length > 0) return type.name;
    const keys = enterableSubgraphs(graph, type).map((subgraph) => {
      const entries = entryPoints(graph, type, subgraph);
      const printed = entries.map(({ typename, key }) => [typename === type.name ? '' : typename, print(key)]);
      return [subgraph, printed, entries.map(({ key }) => inputSignature(graph, type, key, new Set()))];
    });
    return JSON.stringify([inGraphOrder(graph, type.subgraphs.keys()), keys]);
  });
}

/** Describes how subgraphs resolve a field of a type, including the fields that it requires. */
function fieldSignature(graph: FederatedGraph, type: FederatedType, name: string, visited: Set<string> = new Set()): number {
  if (visited.has(name)) return -1;
  const inside = new Set([...visited, name]);
  const compute = (): string => {
    const owners = [type, ...type.interfaces.flatMap((owner) => graph.types.get(owner) ?? [])];
    const declared = owners.map((owner) => {
      const field = owner.fields.get(name);
      const resolvers = [...(field?.subgraphs ?? [])].flatMap(([subgraph, resolver]) => {
        if (owner !== type && owner.subgraphs.get(subgraph)?.isInterfaceObject !== true) return [];
        const { type: written, namedType, isExternal, requires, provides, label, contextArguments } = resolver;
        const sets = [requires, provides].map((set) => (set === undefined ? '' : print(set)));
        const inputs = requires === undefined ? '' : inputSignature(graph, type, requires, inside);
        // Arguments from a context are planned at outer positions, separately for each type.
        const own = contextArguments.length > 0 ? type.name : '';
        return [[subgraph, written, namedType, isExternal, ...sets, label?.name, label?.isOn, inputs, own]];
      });
      if (owner === type) return [field?.type, field?.namedType, resolvers];
      return resolvers.length === 0 ? [] : [owner.name, resolvers];
    });
    return JSON.stringify(declared);
  };
  // Inside circular requirements, a signature depends on the fields visited before it.
  return visited.size === 0 ? remember(graph, type, name, compute) : numberOf(graph, compute());
}

/**
 * Describes the definitions of a type and of some of its fields in the subgraphs: all properties that the plan of these fields can depend
 * on.
 */
export function fieldsSignature(graph: FederatedGraph, type: FederatedType, fields: readonly WantedField[]): number {
  return remember(graph, type, namesOf(fields), () => {
    return [typeSignature(graph, type), ...fields.map(({ node }) => fieldSignature(graph, type, node.name.value))].join(' ');
  });
}

const fieldNames = new WeakMap<readonly WantedField[], string>();

/** Joins the names of fields. The result begins with a character that no field name begins with. */
function namesOf(fields: readonly WantedField[]): string {
  let names = fieldNames.get(fields);
  if (names === undefined) fieldNames.set(fields, (names = `+${fields.map(({ node }) => node.name.value).join()}`));
  return names;
}

/** Describes the top-level fields of a field set. Their types determine the nested fields. */
function inputSignature(graph: FederatedGraph, type: FederatedType, { selections }: SelectionSetNode, visited: Set<string>): string {
  return selections
    .map((selection) => (selection.kind === Kind.FIELD ? fieldSignature(graph, type, selection.name.value, visited) : type.name))
    .join();
}
