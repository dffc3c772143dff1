import {
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

/** What selections are rewritten with. */
interface Rewriting {
  readonly keys: PlanKeys;
  /** The selections of a fragment, rewritten; empty when all of them are left out for certain. */
  readonly inFragment: (name: string) => readonly SelectionNode[];
}

function rewriteDocument(document: DocumentNode, operation: OperationDefinitionNode, keys: PlanKeys): DocumentNode {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const rewritten = new Map<string, readonly SelectionNode[]>();
  const inFragment = (name: string): readonly SelectionNode[] => {
    let selections = rewritten.get(name);
    if (selections === undefined) {
      selections = rewrite(fragments.get(name)?.selectionSet.selections ?? [], { keys, inFragment });
      rewritten.set(name, selections);
    }
    return selections;
  };
  const isMutation = operation.operation === OperationTypeNode.MUTATION;
  const root = isMutation ? mutationFields(operation.selectionSet, fragments) : operation.selectionSet.selections;
  const rewrittenOperation = { ...operation, selectionSet: orTypename(rewrite(root, { keys, inFragment })) };
  const definitions: FragmentDefinitionNode[] = [];
  for (const [name, fragment] of fragments) definitions.push({ ...fragment, selectionSet: orTypename(inFragment(name)) });
  // Fragments that are no longer spread would be found again in the fields by the planner.
  return isolateOperation({ ...document, definitions }, rewrittenOperation).document;
}

/** Selections under their keys in the plan, without what is left out for certain. */
function rewrite(selections: readonly SelectionNode[], rewriting: Rewriting): readonly SelectionNode[] {
  return selections.flatMap((selection): readonly SelectionNode[] => {
    const directives = withoutLiterals(selection.directives);
    if (directives === undefined) return [];
    if (selection.kind === Kind.FIELD) return [rewriteField({ ...selection, directives }, rewriting)];
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      return rewriting.inFragment(selection.name.value).length === 0 ? [] : [{ ...selection, directives }];
    }
    const inner = rewrite(selection.selectionSet.selections, rewriting);
    return inner.length === 0 ? [] : [{ ...selection, directives, selectionSet: { kind: Kind.SELECTION_SET, selections: inner } }];
  });
}

function rewriteField(field: FieldNode, rewriting: Rewriting): FieldNode {
  const alias = field.alias?.value;
  const key = alias === undefined || alias === field.name.value ? undefined : rewriting.keys.toPlan.get(alias);
  const renamed = key === undefined ? field : { ...field, alias: { kind: Kind.NAME, value: key } as const };
  // Introspection is not planned.
  if (field.selectionSet === undefined || field.name.value.startsWith('__')) return renamed;
  return { ...renamed, selectionSet: orTypename(rewrite(field.selectionSet.selections, rewriting)) };
}

/** A selection set must not be empty, and one of which nothing is left asks for an object all the same. */
function orTypename(selections: readonly SelectionNode[]): SelectionSetNode {
  return { kind: Kind.SELECTION_SET, selections: selections.length === 0 ? [TYPENAME] : selections };
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
