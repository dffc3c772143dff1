import {
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  isAbstractType,
  isInterfaceType,
  isObjectType,
} from 'graphql';

/** Scope for collecting fields: the fragments of the document and the values of the `@skip` and `@include` variables. */
export interface CollectScope {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Values of the variables in `@skip` and `@include`. They are fixed per plan variant and do not change between runs. */
  readonly conditions: Readonly<Record<string, boolean>>;
}

/** Field nodes by response key, in response order. */
export type CollectedFields = ReadonlyMap<string, readonly FieldNode[]>;

/** A scope that also separates deferred fragments. */
export interface PayloadScope extends CollectScope {
  /** Numbers of the active `@defer` directives; empty when the whole response is sent at once. */
  readonly deferrals: ReadonlyMap<DirectiveNode, number>;
}

/** Selections on values of one type at one position. */
export interface CollectedPayloads {
  readonly type: GraphQLNamedType;
  readonly fields: CollectedFields;
  /** Deferred fragments on these values, by the numbers of their `@defer`. */
  readonly deferred: ReadonlyMap<number, SelectionSetNode>;
}

const NO_DEFERRALS: ReadonlyMap<DirectiveNode, number> = new Map();

/**
 * Collects the fields that a value of `type` has in several selection sets (CollectFields, GraphQL specification, 6.3.2). The fields are in
 * response order and grouped by response key. `@defer` is ignored.
 */
export function collectFields(scope: CollectScope, type: GraphQLNamedType, selectionSets: readonly SelectionSetNode[]): CollectedFields {
  return collectPayloads({ ...scope, deferrals: NO_DEFERRALS }, type, selectionSets).fields;
}

/** Collects the fields that are not deferred and, separately, the deferred fragments. */
export function collectPayloads(
  scope: PayloadScope,
  type: GraphQLNamedType,
  selectionSets: readonly SelectionSetNode[],
): CollectedPayloads {
  const { deferrals } = scope;
  const fields = new Map<string, FieldNode[]>();
  const deferred = new Map<number, SelectionSetNode>();
  const visited = new Set<string>();
  const collect = (selectionSet: SelectionSetNode): void => {
    for (const selection of selectionSet.selections) {
      if (!isIncluded(selection, scope.conditions)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value;
        const known = fields.get(key);
        if (known === undefined) fields.set(key, [selection]);
        else known.push(selection);
        continue;
      }
      const deferral = deferrals.size === 0 ? undefined : deferralOf(selection, deferrals);
      const isSpread = selection.kind === Kind.FRAGMENT_SPREAD;
      // A deferred fragment is delivered with all its fields, even when the same fragment is also spread without `@defer`.
      if (isSpread && deferral === undefined && visited.has(selection.name.value)) continue;
      if (isSpread && deferral === undefined) visited.add(selection.name.value);
      const fragment = isSpread ? scope.fragments.get(selection.name.value) : selection;
      if (fragment === undefined || !doesApply(scope.schema, fragment.typeCondition?.name.value, type)) continue;
      if (deferral === undefined) collect(fragment.selectionSet);
      else deferred.set(deferral, fragment.selectionSet);
    }
  };
  for (const selectionSet of selectionSets) collect(selectionSet);
  return { type, fields, deferred };
}

function deferralOf({ directives }: SelectionNode, deferrals: PayloadScope['deferrals']): number | undefined {
  for (const directive of directives ?? []) {
    const number = deferrals.get(directive);
    if (number !== undefined) return number;
  }
  return undefined;
}

/** Whether `@skip` and `@include` include a selection. */
function isIncluded(selection: SelectionNode, conditions: CollectScope['conditions']): boolean {
  for (const directive of selection.directives ?? []) {
    const name = directive.name.value;
    if (name !== 'skip' && name !== 'include') continue;
    const value = directive.arguments?.find((argument) => argument.name.value === 'if')?.value;
    const isTrue =
      value?.kind === Kind.VARIABLE
        ? Object.hasOwn(conditions, value.name.value) && conditions[value.name.value] === true
        : value?.kind === Kind.BOOLEAN && value.value;
    if (isTrue === (name === 'skip')) return false;
  }
  return true;
}

/**
 * Whether a fragment on `condition` applies to values of `type`. `type` can be an interface, for a value of an entity interface whose
 * implementation was not fetched from any subgraph.
 */
function doesApply(schema: GraphQLSchema, condition: string | undefined, type: GraphQLNamedType): boolean {
  if (condition === undefined || condition === type.name) return true;
  const conditionType = schema.getType(condition);
  return isAbstractType(conditionType) && (isObjectType(type) || isInterfaceType(type)) && schema.isSubType(conditionType, type);
}
