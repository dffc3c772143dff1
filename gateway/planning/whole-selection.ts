import { type FieldNode, Kind, type SelectionSetNode } from 'graphql';
import type { FederatedType } from '../supergraph/federated-graph.ts';
import { printArguments, printDirectives, printFieldKey } from './data-keys.ts';
import type { FetchBuilder, Position, Presence } from './positions.ts';
import { type PlanningScope, type Purpose, spend } from './planning-scope.ts';
import { hasRequirements, plainSource, resolverOf, subgraphsNaming } from './resolvable.ts';
import {
  type FieldBuilder,
  type SelectionBuilder,
  createSelectionBuilder,
  fragmentOn,
  selectTypename,
  uniteSelections,
} from './selection-builder.ts';
import { variablesIn } from './operation-variables.ts';
import { doesApply, isIncluded } from './wanted-fields.ts';

/**
 * Adds all selections of a position to a request that already queries its values, if that subgraph resolves all of them. No other subgraph
 * is then queried for nested values, so the nested positions are not examined. The client's fragments become those of the request, and each
 * selection set is read once for each type. The cost does not depend on the combinations of selections of different types.
 *
 * @returns the fetch; undefined if no subgraph resolves everything, or fields of several types cannot be selected in the same way
 */
export function addWholeSelection(
  scope: PlanningScope,
  position: Position,
  selectionSets: readonly SelectionSetNode[],
  { isInput, avoid }: Purpose,
): FetchBuilder | undefined {
  if (isInput || scope.isDeferring || scope.isJoining || position.whole !== undefined) return undefined;
  const { type, isBeneathAbstract, parent, field } = position;
  if (parent === undefined || field === undefined || isShared(scope, parent.type, field.name.value, type.name)) return undefined;
  let best: { readonly presence: Presence; readonly whole: SelectionBuilder } | undefined;
  for (const presence of position.presences.values()) {
    const { subgraph, provides, selection, fetch } = presence;
    if (best !== undefined && best.presence.fetch.level <= fetch.level) continue;
    if (avoid.has(subgraph) || provides.length > 0 || selection.type !== type.name) continue;
    const whole = wholeOf(scope, { subgraph, type, isBeneathAbstract }, selectionSets);
    if (whole !== undefined) best = { presence, whole };
  }
  if (best === undefined) return undefined;
  const { selection, fetch } = best.presence;
  const { fields, fragments } = uniteSelections(selection, best.whole);
  for (const [key, each] of fields) selection.fields.set(key, each);
  for (const [id, fragment] of fragments) selection.fragments.set(id, fragment);
  return fetch;
}

/** Values of a type that a subgraph is queried for. */
interface WholeValues {
  readonly subgraph: string;
  readonly type: FederatedType;
  readonly isBeneathAbstract: boolean;
}

function wholeOf(scope: PlanningScope, values: WholeValues, selectionSets: readonly SelectionSetNode[]): SelectionBuilder | undefined {
  const { builders } = scope.wholes;
  const id = `${values.subgraph} ${values.type.name} ${values.isBeneathAbstract} ${scope.sets.identify(selectionSets)}`;
  let builder = builders.get(id);
  if (builder === undefined && !builders.has(id)) builders.set(id, (builder = writeWhole(scope, values, selectionSets)));
  return builder;
}

function writeWhole(scope: PlanningScope, values: WholeValues, selectionSets: readonly SelectionSetNode[]): SelectionBuilder | undefined {
  const { graph } = scope;
  const { type, subgraph } = values;
  const all = typesIn(scope, values);
  if (all.length === 0 || Object.values(graph.roots).includes(type.name)) return undefined;
  const builder = createSelectionBuilder(type.name);
  if (type.kind !== 'object') {
    if (type.subgraphs.get(subgraph)?.isInterfaceObject !== false) return undefined;
    selectTypename(builder);
  }
  for (const [types, fields] of divide(scope, all, selectionSets)) {
    const [example] = types;
    if (example === undefined) continue;
    const { fields: written } = fragmentOn(builder, example, types);
    for (const wanted of fields.values()) {
      const field = writeField(scope, values, types, wanted);
      if (field === undefined) return undefined;
      const known = written.get(field.key);
      const isTwice = known?.selection !== undefined && field.selection !== undefined;
      written.set(field.key, isTwice ? { ...field, selection: uniteSelections(known.selection, field.selection) } : field);
    }
  }
  return builder;
}

/**
 * Lists the public object types that are possible in a subgraph. Returns one list for each subgraph and type, because lists are compared by
 * identity.
 */
function typesIn({ wholes }: PlanningScope, { subgraph, type }: WholeValues): readonly string[] {
  const id = `${subgraph} ${type.name}`;
  let types = wholes.types.get(id);
  if (types === undefined) {
    const known = type.subgraphs.get(subgraph)?.possibleTypes;
    types = type.kind === 'object' ? [type.name] : [...type.publicTypes].filter((name) => known?.has(name) === true);
    wholes.types.set(id, types);
  }
  return types;
}

/** A field with all of its nested selections. */
interface WholeField {
  readonly node: FieldNode;
  readonly selectionSets: SelectionSetNode[];
}

/** Divides the selected fields by the types that they are selected for. */
function divide(
  scope: PlanningScope,
  all: readonly string[],
  selectionSets: readonly SelectionSetNode[],
): ReadonlyMap<readonly string[], ReadonlyMap<string, WholeField>> {
  const divided = new Map<readonly string[], Map<string, WholeField>>();
  const spread = new Map<string, Set<readonly string[]>>();
  const collect = ({ selections }: SelectionSetNode, types: readonly string[]): void => {
    if (types.length === 0) return;
    for (const selection of selections) {
      if (!isIncluded(selection.directives, scope.conditions)) continue;
      if (selection.kind === Kind.FIELD) {
        if (selection.name.value.startsWith('__')) continue;
        let fields = divided.get(types);
        if (fields === undefined) divided.set(types, (fields = new Map()));
        const id = printFieldKey(selection);
        const known = fields.get(id);
        const inside = selection.selectionSet === undefined ? [] : [selection.selectionSet];
        if (known === undefined) fields.set(id, { node: selection, selectionSets: inside });
        else known.selectionSets.push(...inside);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        collect(selection.selectionSet, narrow(scope, types, selection.typeCondition?.name.value));
      } else {
        const name = selection.name.value;
        let visited = spread.get(name);
        if (visited === undefined) spread.set(name, (visited = new Set()));
        const fragment = scope.fragments.get(name);
        if (fragment === undefined || visited.has(types)) continue;
        visited.add(types);
        collect(fragment.selectionSet, narrow(scope, types, fragment.typeCondition.name.value));
      }
    }
  };
  for (const selectionSet of selectionSets) collect(selectionSet, all);
  return divided;
}

function narrow({ graph, wholes }: PlanningScope, types: readonly string[], condition: string | undefined): readonly string[] {
  if (condition === undefined) return types;
  let known = wholes.narrowed.get(types);
  if (known === undefined) wholes.narrowed.set(types, (known = new Map()));
  let narrowed = known.get(condition);
  if (narrowed === undefined) {
    narrowed = types.filter((name) => doesApply(graph, condition, name));
    if (narrowed.length === types.length) narrowed = types;
    known.set(condition, narrowed);
  }
  return narrowed;
}

function writeField(
  scope: PlanningScope,
  values: WholeValues,
  types: readonly string[],
  { node, selectionSets }: WholeField,
): FieldBuilder | undefined {
  spend(scope);
  const { subgraph, isBeneathAbstract } = values;
  const name = node.name.value;
  const fieldType = fieldTypeOf(scope, subgraph, types, name);
  if (fieldType === undefined) return undefined;
  if (isBeneathAbstract) {
    if (!scope.keys.haveOneKey(name, types)) return undefined;
    scope.keys.noteTypes(name, types);
  }
  const inside = scope.graph.types.get(fieldType);
  let selection: SelectionBuilder | undefined;
  if (inside !== undefined) {
    const within = { subgraph, type: inside, isBeneathAbstract: isBeneathAbstract || inside.kind !== 'object' };
    selection = wholeOf(scope, within, selectionSets);
    if (selection === undefined) return undefined;
  }
  return {
    name,
    key: scope.keys.keyOf(node, types[0] ?? '', isBeneathAbstract),
    arguments: printArguments(node.arguments),
    directives: printDirectives(node),
    variables: variablesIn(node, scope.variables),
    selection,
  };
}

/**
 * Returns the declared type of a field of several types. Returns undefined if a subgraph does not resolve it in the same way for all of
 * them.
 */
function fieldTypeOf(scope: PlanningScope, subgraph: string, types: readonly string[], name: string): string | undefined {
  let known = scope.wholes.fieldTypes.get(types);
  if (known === undefined) scope.wholes.fieldTypes.set(types, (known = new Map()));
  const id = `${subgraph} ${name}`;
  let found = known.get(id);
  if (found === undefined && !known.has(id)) known.set(id, (found = commonTypeOf(scope, subgraph, types, name)));
  return found;
}

/**
 * Whether other subgraphs also resolve a field of an abstract type. The possible types then depend on the subgraphs that can be reached.
 */
function isShared({ graph }: PlanningScope, owner: FederatedType, name: string, declared: string): boolean {
  const inside = graph.types.get(declared);
  return inside !== undefined && inside.kind !== 'object' && subgraphsNaming(graph, owner, name).length > 1;
}

function commonTypeOf(scope: PlanningScope, subgraph: string, types: readonly string[], name: string): string | undefined {
  const source = plainSource(subgraph);
  let common: string | undefined;
  for (const typename of types) {
    const type = scope.graph.types.get(typename);
    const declared = type?.fields.get(name)?.namedType;
    if (type === undefined || declared === undefined || type.contexts.length > 0) return undefined;
    const resolver = resolverOf(scope, type, name, source);
    if (resolver === undefined || hasRequirements(resolver) || resolver.provides !== undefined) return undefined;
    if (resolver.namedType !== declared || (common ?? declared) !== declared) return undefined;
    if (isShared(scope, type, name, declared)) return undefined;
    common = declared;
  }
  return common;
}
