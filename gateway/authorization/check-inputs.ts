import { Kind, type SelectionSetNode } from 'graphql';
import type { VirtualSubgraph } from '../connectors/expand/virtual-subgraph.ts';
import { SupergraphInvalid } from '../supergraph/supergraph-invalid.ts';
import type { FederatedField, FederatedGraph, FederatedType, WholeGraph } from '../supergraph/federated-graph.ts';
import type { CompiledRules } from './access-rules.ts';
import { type Clause, clausesOf, doesCover } from './clauses.ts';
import type { Guard } from './requirement.ts';

/** A field whose value is computed from other fields. */
interface Dependent {
  readonly type: FederatedType;
  readonly field: FederatedField;
  /** Clauses of the guards of the field, its type and its return type. */
  readonly clauses: readonly Clause[];
}

/** Connectors with the fields of the object that they use, by name. */
export type ConnectorInputs = ReadonlyMap<string, Pick<VirtualSubgraph, 'requires'> & { readonly connector: ConnectorCoordinate }>;

type ConnectorCoordinate = Pick<VirtualSubgraph['connector'], 'type' | 'field'>;

const NO_CONNECTORS: ConnectorInputs = new Map();

/**
 * Checks that a field computed from protected fields is guarded by at least their rules, because its value reveals information about them.
 * Chains of such fields are checked step by step.
 *
 * @throws SupergraphInvalid that names both coordinates
 */
export function checkInputs(graph: WholeGraph, rules: CompiledRules, connectors: ConnectorInputs = NO_CONNECTORS): void {
  for (const type of graph.types.values()) {
    for (const field of type.fields.values()) checkField(graph, rules, type, field);
  }
  for (const { connector, requires } of connectors.values()) {
    const type = graph.types.get(connector.type);
    const field = type?.fields.get(connector.field ?? '');
    if (type === undefined || field === undefined || requires === undefined) continue;
    checkSelection({ graph, rules, dependent: dependentOf(graph, rules, type, field), around: '' }, type, requires, '');
  }
}

function dependentOf(graph: FederatedGraph, rules: CompiledRules, type: FederatedType, field: FederatedField): Dependent {
  const own = [...rules.ofField(type.name, field.name), ...rules.ofType(type.name)];
  return { type, field, clauses: clausesOf([...own, ...guardsOfReturned(graph, rules, field.namedType, 'values')], '') };
}

function checkField(graph: WholeGraph, rules: CompiledRules, type: FederatedType, field: FederatedField): void {
  const dependent = (): Dependent => dependentOf(graph, rules, type, field);
  for (const { requires, contextArguments } of field.subgraphs.values()) {
    if (requires !== undefined) checkSelection({ graph, rules, dependent: dependent(), around: '' }, type, requires, '');
    for (const { context, selection } of contextArguments) {
      for (const opener of graph.types.values()) {
        if (!opener.contexts.includes(context)) continue;
        // The context object is a different object that encloses this one, so its owner may be another user.
        const around = `${context}/`;
        checkSelection({ graph, rules, dependent: dependent(), around }, opener, selection, around);
      }
    }
  }
}

interface Checking {
  readonly graph: FederatedGraph;
  readonly rules: CompiledRules;
  readonly dependent: Dependent;
  /** Path of the object at which the field set begins. A caller who can read the dependent field can also read that object. */
  readonly around: string;
}

/**
 * Checks the fields of a field set.
 *
 * @param path path from the object of the dependent field to the selection; only objects at the same path have the same owner
 */
function checkSelection(checking: Checking, type: FederatedType, { selections }: SelectionSetNode, path: string): void {
  const { graph } = checking;
  for (const selection of selections) {
    if (selection.kind === Kind.FRAGMENT_SPREAD) continue; // Field sets contain no fragment spreads.
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      const condition = graph.types.get(selection.typeCondition?.name.value ?? type.name);
      if (condition !== undefined) checkSelection(checking, condition, selection.selectionSet, path);
      continue;
    }
    const name = selection.name.value;
    for (const owner of withImplementations(graph, type)) checkInput(checking, owner, name, path);
    const returned = graph.types.get(type.fields.get(name)?.namedType ?? '');
    if (selection.selectionSet !== undefined && returned !== undefined) {
      checkSelection(checking, returned, selection.selectionSet, `${path}${name}/`);
    }
  }
}

function withImplementations({ types }: FederatedGraph, type: FederatedType): readonly FederatedType[] {
  return [type, ...[...type.possibleTypes].flatMap((name) => (name === type.name ? [] : (types.get(name) ?? [])))];
}

function checkInput({ graph, rules, dependent, around }: Checking, type: FederatedType, name: string, path: string): void {
  const { namedType = '' } = type.fields.get(name) ?? {};
  const returned = guardsOfReturned(graph, rules, namedType, 'objects');
  const inputs: readonly (readonly [readonly Guard[], string])[] = [
    [path === around ? rules.ofField(type.name, name) : [...rules.ofField(type.name, name), ...rules.ofType(type.name)], path],
    [returned, `${path}${name}/`],
  ];
  for (const [guards, at] of inputs) {
    const open = clausesOf(guards, at).find((clause) => !doesCover(dependent.clauses, clause));
    if (open === undefined) continue;
    const coordinate = `${dependent.type.name}.${dependent.field.name}`;
    throw new SupergraphInvalid(
      `The supergraph cannot be served: ${coordinate} is computed from ${type.name}.${name}, but does not have its rules. ` +
        'Callers without access to the second field could read it through the first. ' +
        'Guard the first field with the same or stricter rules.',
    );
  }
}

/** Returns the guards of all possible types of the values that a field returns. */
function guardsOfReturned(
  { types }: FederatedGraph,
  rules: CompiledRules,
  namedType: string,
  what: 'values' | 'objects',
): readonly Guard[] {
  const type = types.get(namedType);
  const names = type === undefined ? [namedType] : [namedType, ...type.possibleTypes];
  const guards = [...new Set(names)].flatMap((name) => rules.ofType(name));
  // The owner of the returned object is only known inside it, and does not identify the owner of the object with the field.
  return what === 'values' ? guards.filter(({ owner }) => owner === undefined) : guards;
}
