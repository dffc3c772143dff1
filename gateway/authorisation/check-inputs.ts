import { Kind, type SelectionSetNode } from 'graphql';
import { SupergraphInvalid } from '../supergraph/errors.ts';
import type { FederatedField, FederatedGraph, FederatedType } from '../supergraph/federated-graph.ts';
import type { CompiledRules } from './access-rules.ts';
import { type Clause, clausesOf, doesCover } from './clauses.ts';
import type { Guard } from './requirement.ts';

/** A field whose value is made of other fields. */
interface Dependent {
  readonly type: FederatedType;
  readonly field: FederatedField;
  /** What its own guards ask for, and those of its type and of what it returns. */
  readonly clauses: readonly Clause[];
}

/**
 * A field that is made of protected ones tells something of them. So it must be guarded by at least their rules; that holds
 * step by step, where those are made of others again.
 *
 * @throws SupergraphInvalid that names both coordinates
 */
export function checkInputs(graph: FederatedGraph, rules: CompiledRules): void {
  for (const type of graph.types.values()) {
    for (const field of type.fields.values()) checkField(graph, rules, type, field);
  }
}

function checkField(graph: FederatedGraph, rules: CompiledRules, type: FederatedType, field: FederatedField): void {
  const dependent = (): Dependent => {
    const own = [...rules.ofField(type.name, field.name), ...rules.ofType(type.name)];
    return { type, field, clauses: clausesOf([...own, ...guardsOfReturned(graph, rules, field.namedType, 'values')], '') };
  };
  for (const { requires, contextArguments } of field.subgraphs.values()) {
    if (requires !== undefined) checkSelection({ graph, rules, dependent: dependent(), around: '' }, type, requires, '');
    for (const { context, selection } of contextArguments) {
      for (const opener of graph.types.values()) {
        if (!opener.contexts.includes(context)) continue;
        // The object is another one, further out: nobody can say that its owner is the same.
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
  /** Path of the object at which the field set begins. Who sees the dependent field sees that object. */
  readonly around: string;
}

/** @param path leads from the object of the dependent field to where the selection stands; owners are the same at one path alone */
function checkSelection(checking: Checking, type: FederatedType, { selections }: SelectionSetNode, path: string): void {
  const { graph } = checking;
  for (const selection of selections) {
    if (selection.kind === Kind.FRAGMENT_SPREAD) continue; // field sets have none
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
      `The supergraph cannot be served: ${coordinate} is made of ${type.name}.${name}, whose rules it does not have: ` +
        'who may not see the one could learn of it by the other. Guard it by the same rules, or by stricter ones.',
    );
  }
}

/** What guards the values that a field returns: of all types that they may be. */
function guardsOfReturned(
  { types }: FederatedGraph,
  rules: CompiledRules,
  namedType: string,
  what: 'values' | 'objects',
): readonly Guard[] {
  const type = types.get(namedType);
  const names = type === undefined ? [namedType] : [namedType, ...type.possibleTypes];
  const guards = [...new Set(names)].flatMap((name) => rules.ofType(name));
  // An owner of what is returned is known inside of it: that says nothing of who owns the object with the field.
  return what === 'values' ? guards.filter(({ owner }) => owner === undefined) : guards;
}
