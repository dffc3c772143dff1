import {
  type DirectiveNode,
  type DocumentNode,
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

/** What fields are collected under: the document's fragments, and the values of the variables that include and skip. */
export interface CollectScope {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Values of the variables in `@skip` and `@include`: decided before, and the same in every run. */
  readonly conditions: Readonly<Record<string, boolean>>;
}

/** Occurrences of fields by response key, in the order of the response. */
export type CollectedFields = ReadonlyMap<string, readonly FieldNode[]>;

/** With what comes later than the rest. */
export interface PartScope extends CollectScope {
  /** The `@defer` that are on, by their numbers; none where everything comes at once. */
  readonly deferrals: ReadonlyMap<DirectiveNode, number>;
}

/** What values of one type have at one place. */
export interface CollectedParts {
  readonly type: GraphQLNamedType;
  readonly fields: CollectedFields;
  /** The deferred fragments that stand there, by the numbers of their `@defer`. */
  readonly deferred: ReadonlyMap<number, SelectionSetNode>;
}

const NO_DEFERRALS: ReadonlyMap<DirectiveNode, number> = new Map();

/** The fragments of a document by name. */
export function fragmentsOf(document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  return fragments;
}

/**
 * CollectFields of the GraphQL specification (6.3.2) over several selection sets at once: the fields that a value of
 * `type` has in them, in the order of the response, with all occurrences of one response key together. `@defer` counts for nothing.
 */
export function collectFields(scope: CollectScope, type: GraphQLNamedType, selectionSets: readonly SelectionSetNode[]): CollectedFields {
  return collectParts({ ...scope, deferrals: NO_DEFERRALS }, type, selectionSets).fields;
}

/** The same without the fields of deferred fragments, and with these fragments. */
export function collectParts(scope: PartScope, type: GraphQLNamedType, selectionSets: readonly SelectionSetNode[]): CollectedParts {
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
      // What is deferred comes with all that it has, also where the same fragment comes with the rest.
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

function deferralOf({ directives }: SelectionNode, deferrals: PartScope['deferrals']): number | undefined {
  for (const directive of directives ?? []) {
    const number = deferrals.get(directive);
    if (number !== undefined) return number;
  }
  return undefined;
}

/** Whether `@skip` and `@include` let a selection through. */
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
 * Whether a fragment on `condition` applies to values of `type`. `type` may be an interface: a value of an entity
 * interface whose implementation no subgraph was asked for.
 */
function doesApply(schema: GraphQLSchema, condition: string | undefined, type: GraphQLNamedType): boolean {
  if (condition === undefined || condition === type.name) return true;
  const conditionType = schema.getType(condition);
  return isAbstractType(conditionType) && (isObjectType(type) || isInterfaceType(type)) && schema.isSubType(conditionType, type);
}
