import { type DirectiveNode, type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';
import type { FederatedGraph } from '../supergraph/federated-graph.ts';
import { printFieldKey } from './data-keys.ts';
import type { SelectionSetIds } from './identify-sets.ts';

/** A field of one object type that is needed by the client or by a representation. */
export interface WantedField {
  /** Identifier that is equal for equal fields: name and arguments, or the response key at the root of a mutation. */
  readonly id: string;
  /** One of the selections of the field. They are interchangeable, except for their aliases. */
  readonly node: FieldNode;
  /** Nested selections from all selections of the field; empty for leaves. */
  readonly selectionSets: readonly SelectionSetNode[];
}

/** Wanted fields for the values of one type. */
export interface Wanted {
  /** Fields in the order of the document. */
  readonly fields: readonly WantedField[];
  readonly hasTypename: boolean;
  /** All selected field nodes. If they differ between two types, the client's objects have different shapes. */
  readonly nodes: readonly FieldNode[];
}

/** Wanted fields of selection sets, by the fragment conditions that apply to the values. */
export interface WantedByConditions {
  /** Conditions on interfaces and unions. */
  readonly abstract: readonly string[];
  readonly objects: ReadonlySet<string>;
  /** Wanted fields, by the text of the conditions that apply. */
  readonly known: Map<string, Wanted>;
}

/** Inputs for reading selection sets. */
export interface WantedScope {
  readonly graph: FederatedGraph;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Values of the variables in `@skip` and `@include`. */
  readonly conditions: Readonly<Record<string, boolean>>;
  readonly sets: SelectionSetIds;
  /** Wanted fields of abstract types, by selection sets. */
  readonly wantedBySets: Map<string, WantedByConditions>;
  /** `@defer` directives that are planned later. Their selections are ignored for now. */
  readonly waiting: ReadonlySet<DirectiveNode>;
}

/**
 * Collects the fields that several selection sets select for values of one type. Implements CollectFields of the GraphQL specification
 * (6.3.2), except for response keys, which do not matter to subgraphs.
 *
 * @param type an object type, or an interface whose values have no known object types
 * @param idOf returns the identifier by which fields are merged
 */
export function collectWanted(
  scope: WantedScope,
  type: string,
  selectionSets: readonly SelectionSetNode[],
  idOf: (field: FieldNode) => string = printFieldKey,
): Wanted {
  const fields = new Map<string, { id: string; node: FieldNode; selectionSets: SelectionSetNode[] }>();
  const visited = new Set<string>();
  const nodes: FieldNode[] = [];
  let hasTypename = false;
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (!isIncluded(selection.directives, scope.conditions)) continue;
      if (scope.waiting.size > 0 && selection.directives?.some((directive) => scope.waiting.has(directive)) === true) continue;
      if (selection.kind === Kind.FIELD) {
        const { name, selectionSet } = selection;
        nodes.push(selection);
        if (name.value.startsWith('__')) {
          hasTypename ||= name.value === '__typename';
          continue;
        }
        const id = idOf(selection);
        const known = fields.get(id);
        if (known === undefined) fields.set(id, { id, node: selection, selectionSets: selectionSet === undefined ? [] : [selectionSet] });
        else if (selectionSet !== undefined) known.selectionSets.push(selectionSet);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        if (doesApply(scope.graph, selection.typeCondition?.name.value, type)) collect(selection.selectionSet);
      } else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value);
        const fragment = scope.fragments.get(selection.name.value);
        if (fragment !== undefined && doesApply(scope.graph, fragment.typeCondition.name.value, type)) collect(fragment.selectionSet);
      }
    }
  };
  for (const selectionSet of selectionSets) collect(selectionSet);
  return { fields: [...fields.values()], hasTypename, nodes };
}

/** Returns the type conditions of fragments in selection sets, without those nested in fields. */
export function conditionsIn({ fragments }: WantedScope, selectionSets: readonly SelectionSetNode[]): ReadonlySet<string> {
  const conditions = new Set<string>();
  const visited = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        if (selection.typeCondition !== undefined) conditions.add(selection.typeCondition.name.value);
        collect(selection.selectionSet);
      } else if (selection.kind === Kind.FRAGMENT_SPREAD && !visited.has(selection.name.value)) {
        visited.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment === undefined) continue;
        conditions.add(fragment.typeCondition.name.value);
        collect(fragment.selectionSet);
      }
    }
  };
  for (const selectionSet of selectionSets) collect(selectionSet);
  return conditions;
}

const declared = new WeakMap<SelectionSetNode, Map<string, readonly WantedField[]>>();

/**
 * Returns the fields of a field set of the supergraph. The result is cached, because a field set has no conditions and belongs to one
 * graph.
 */
export function collectDeclared(scope: WantedScope, type: string, selectionSet: SelectionSetNode): readonly WantedField[] {
  let ofSet = declared.get(selectionSet);
  if (ofSet === undefined) declared.set(selectionSet, (ofSet = new Map()));
  let fields = ofSet.get(type);
  if (fields === undefined) ofSet.set(type, (fields = collectWanted(scope, type, [selectionSet]).fields));
  return fields;
}

/** Whether two fields are equal and result from the same selections. */
export function isSameWanted(one: WantedField, other: WantedField): boolean {
  if (one.id !== other.id || one.selectionSets.length !== other.selectionSets.length) return false;
  return one.selectionSets.every((set, index) => set === other.selectionSets[index]);
}

/** Whether a fragment on `condition` applies to all values of `type`. */
export function doesApply({ types }: FederatedGraph, condition: string | undefined, type: string): boolean {
  if (condition === undefined || condition === type) return true;
  const found = types.get(condition);
  return found?.possibleTypes.has(type) === true || types.get(type)?.interfaces.includes(condition) === true;
}

/** Whether a selection belongs to the operation under the given conditions. */
export function isIncluded(directives: readonly DirectiveNode[] | undefined, conditions: Readonly<Record<string, boolean>>): boolean {
  for (const { name, arguments: given } of directives ?? []) {
    if (name.value !== 'skip' && name.value !== 'include') continue;
    const value = given?.find((argument) => argument.name.value === 'if')?.value;
    const isTrue = value?.kind === Kind.VARIABLE ? conditions[value.name.value] === true : value?.kind === Kind.BOOLEAN && value.value;
    if (isTrue === (name.value === 'skip')) return false;
  }
  return true;
}
