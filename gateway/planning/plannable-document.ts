import {
  type DefinitionNode,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { OperationRefused } from '../operation/errors.ts';
import { isolateOperation } from '../operation/isolate-operation.ts';
import { mutationFields } from './mutation-fields.ts';
import { type PlanKeys, choosePlanKeys } from './plan-keys.ts';

/** A document as the planner gets it. */
export interface PlannableDocument {
  readonly document: DocumentNode;
  readonly keys: PlanKeys;
}

const TYPENAME: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };

/**
 * Writes an operation in a way that the planner plans rightly. To the client nothing changes: the answer is made by the
 * client's own document. The planner
 *
 * - forgets `@skip` and `@include` with a literal value inside of what depends on a variable, and asks for it all the
 *   same: what they leave out is left out here;
 * - takes an alias that is the name of a field for that field: the alias gets another name;
 * - moves fields of a mutation together that stand in fragments, which changes the order they are done in: no fragment is
 *   left around them.
 *
 * @param document the fragments of `operation`, and whatever else
 * @param operation a valid one
 * @param reserved names that aliases must not have
 * @throws OperationRefused when it is nested too deeply
 */
export function toPlannable(document: DocumentNode, operation: OperationDefinitionNode, reserved: ReadonlySet<string>): PlannableDocument {
  try {
    const keys = choosePlanKeys(document, reserved);
    return { keys, document: rewriteDocument(document, operation, keys) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new OperationRefused('GRAPHQL_VALIDATION_FAILED', [{ message: 'The document is nested too deeply.' }]);
  }
}

function rewriteDocument(document: DocumentNode, operation: OperationDefinitionNode, keys: PlanKeys): DocumentNode {
  const fragments = new Map<string, FragmentDefinitionNode>();
  const definitions: DefinitionNode[] = [];
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    fragments.set(definition.name.value, definition);
    definitions.push({ ...definition, selectionSet: rewrite(definition.selectionSet, keys) });
  }
  const isMutation = operation.operation === OperationTypeNode.MUTATION;
  const selections = isMutation ? mutationFields(operation.selectionSet, fragments) : operation.selectionSet.selections;
  const rewritten = { ...operation, selectionSet: rewrite({ kind: Kind.SELECTION_SET, selections }, keys) };
  // Fragments that are no longer spread would be found again in the fields by the planner.
  return isolateOperation({ ...document, definitions }, rewritten).document;
}

/** Selections under their keys in the plan, without what is left out for certain; `__typename` where nothing is left. */
function rewrite({ selections }: SelectionSetNode, keys: PlanKeys): SelectionSetNode {
  const rewritten = selections.flatMap((selection): readonly SelectionNode[] => {
    const directives = withoutLiterals(selection.directives);
    if (directives === undefined) return [];
    if (selection.kind === Kind.FIELD) return [rewriteField({ ...selection, directives }, keys)];
    if (selection.kind === Kind.FRAGMENT_SPREAD) return [{ ...selection, directives }];
    return [{ ...selection, directives, selectionSet: rewrite(selection.selectionSet, keys) }];
  });
  return { kind: Kind.SELECTION_SET, selections: rewritten.length === 0 ? [TYPENAME] : rewritten };
}

function rewriteField(field: FieldNode, keys: PlanKeys): FieldNode {
  const alias = field.alias?.value;
  const key = alias === undefined || alias === field.name.value ? undefined : keys.toPlan.get(alias);
  const renamed = key === undefined ? field : { ...field, alias: { kind: Kind.NAME, value: key } as const };
  // Introspection is not planned.
  if (field.selectionSet === undefined || field.name.value.startsWith('__')) return renamed;
  return { ...renamed, selectionSet: rewrite(field.selectionSet, keys) };
}

/** Directives without `@skip` and `@include` that are decided; `undefined` when they leave their selection out. */
function withoutLiterals(directives: readonly DirectiveNode[] = []): readonly DirectiveNode[] | undefined {
  const kept: DirectiveNode[] = [];
  for (const directive of directives) {
    const name = directive.name.value;
    const value = directive.arguments?.[0]?.value;
    if ((name !== 'skip' && name !== 'include') || value?.kind !== Kind.BOOLEAN) kept.push(directive);
    else if (value.value === (name === 'skip')) return undefined;
  }
  return kept;
}
