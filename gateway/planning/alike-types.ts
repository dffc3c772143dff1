import { Kind, print, type SelectionSetNode } from 'graphql';
import type { FederatedGraph, FederatedType } from '../supergraph/federated-graph.ts';
import { entryPoints } from './resolvable.ts';
import type { WantedField } from './wanted-fields.ts';

/** Types of one abstract place of which the same is wanted, and that are planned alike. */
export interface TypeClass {
  /** One of them. */
  readonly type: FederatedType;
  readonly names: readonly string[];
  readonly fields: readonly WantedField[];
}

/**
 * Numbers of what is known of object types: types with equal numbers can be planned once for all of them. A graph never changes, and its types
 * belong to it alone, so each number is found once per graph.
 */
const signatures = new WeakMap<FederatedType, Map<string, number>>();

/** The numbers by what they stand for. */
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

/** Describes the subgraphs that have a type, and the keys by which they can be entered, the fields of those keys included. */
function typeSignature(graph: FederatedGraph, type: FederatedType): number {
  return remember(graph, type, ' ', () => {
    // A context is read from objects of this type by fields further inside: such a type is planned alone.
    if (type.contexts.length > 0) return type.name;
    const keys = graph.subgraphs.map((subgraph) => {
      const entries = entryPoints(graph, type, subgraph);
      const printed = entries.map(({ typename, key }) => [typename === type.name ? '' : typename, print(key)]);
      return [type.subgraphs.has(subgraph), printed, entries.map(({ key }) => inputSignature(graph, type, key, new Set()))];
    });
    return JSON.stringify(keys);
  });
}

/** Describes how subgraphs resolve a field of a type, with the fields that it requires. */
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
        // Arguments from a context are planned at places further out, type by type.
        const own = contextArguments.length > 0 ? type.name : '';
        return [[subgraph, written, namedType, isExternal, ...sets, label?.name, label?.isOn, inputs, own]];
      });
      if (owner === type) return [field?.type, field?.namedType, resolvers];
      return resolvers.length === 0 ? [] : [owner.name, resolvers];
    });
    return JSON.stringify(declared);
  };
  // Inside of requirements that lead back to themselves, a signature depends on the way there.
  return visited.size === 0 ? remember(graph, type, name, compute) : numberOf(graph, compute());
}

/** Describes how subgraphs know a type and resolve some of its fields: everything that the plan of these fields can depend on. */
export function fieldsSignature(graph: FederatedGraph, type: FederatedType, fields: readonly WantedField[]): number {
  return remember(graph, type, namesOf(fields), () => {
    return [typeSignature(graph, type), ...fields.map(({ node }) => fieldSignature(graph, type, node.name.value))].join(' ');
  });
}

const fieldNames = new WeakMap<readonly WantedField[], string>();

/** Begins with what no name of a field begins with. */
function namesOf(fields: readonly WantedField[]): string {
  let names = fieldNames.get(fields);
  if (names === undefined) fieldNames.set(fields, (names = `+${fields.map(({ node }) => node.name.value).join()}`));
  return names;
}

/** Describes the fields at the top of a field set; what is inside of them follows from their types. */
function inputSignature(graph: FederatedGraph, type: FederatedType, { selections }: SelectionSetNode, visited: Set<string>): string {
  return selections
    .map((selection) => (selection.kind === Kind.FIELD ? fieldSignature(graph, type, selection.name.value, visited) : type.name))
    .join();
}
