import type { FederatedGraph, FederatedType } from '../supergraph/federated-graph.ts';
import { fieldsSignature, type TypeClass } from './alike-types.ts';
import { estimateField } from './estimate.ts';
import { type Position, canBeOf } from './positions.ts';
import type { PlanningScope, Purpose } from './planning-scope.ts';
import { hasRequirements, plainSource, resolverOf } from './resolvable.ts';
import type { WantedOfType } from './wanted-by-type.ts';
import type { Wanted, WantedField } from './wanted-fields.ts';

/**
 * Divides the types of an abstract position into classes that are planned once each. The number of positions then depends on the
 * differences between types, not on the number of types.
 */
export function classesOf(
  scope: PlanningScope,
  position: Position,
  wanted: readonly WantedOfType[],
  purpose: Purpose,
): readonly TypeClass[] {
  const knowing = knowingSets(scope.graph, position);
  // Fields that are provided on the path to this position may be provided for some types only.
  const isApart = [...position.presences.values()].some(({ provides }) => provides.length > 0);
  const alike = new Map<Wanted, Map<string, TypeClass & { readonly names: string[] }>>();
  for (const { name, wanted: own } of wanted) {
    const type = scope.graph.types.get(name);
    if (type === undefined || own.fields.length === 0) continue;
    const path = isApart ? name : wholeSignature(scope.graph, type, own.fields, knowing);
    let paths = alike.get(own);
    if (paths === undefined) alike.set(own, (paths = new Map()));
    const known = paths.get(path);
    if (known === undefined) paths.set(path, { type, names: [name], fields: own.fields });
    else known.names.push(name);
  }
  const classes = new Map<string, TypeClass & { readonly names: string[] }>();
  for (const paths of alike.values()) {
    for (const [path, found] of paths) {
      const id = found.fields.map((field) => `${field.id} ${scope.sets.identify(field.selectionSets)}`).join();
      const key = `${id} ${(isApart ? undefined : readyPath(scope, position, found, purpose)) ?? path}`;
      const known = classes.get(key);
      if (known === undefined) classes.set(key, found);
      else known.names.push(...found.names);
    }
  }
  const order = orderOf(position.type);
  for (const { names, fields } of classes.values()) {
    names.sort((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0));
    // One type is planned for the whole class, but the printer looks up each type by its own name.
    if (position.isBeneathAbstract) for (const { node } of fields) scope.keys.noteTypes(node.name.value, names);
  }
  return [...classes.values()];
}

const orders = new WeakMap<FederatedType, ReadonlyMap<string, number>>();

/** Returns the index of each object type among the possible types of a type. */
function orderOf(type: FederatedType): ReadonlyMap<string, number> {
  let order = orders.get(type);
  if (order === undefined) orders.set(type, (order = new Map([...type.possibleTypes].map((name, index) => [name, index]))));
  return order;
}

/** Returns the distinct sets of possible types that subgraphs declare for the values at a position. */
export function knowingSets({ types }: FederatedGraph, { type, presences }: Position): readonly ReadonlySet<string>[] {
  const sets = new Set<ReadonlySet<string>>();
  const declared = new Set([type.name, ...[...presences.values()].map(({ selection }) => selection.type)]);
  for (const name of declared) for (const { possibleTypes } of types.get(name)?.subgraphs.values() ?? []) sets.add(possibleTypes);
  return [...sets];
}

/** Describes all properties that the plan for some fields of a type can depend on. */
export function wholeSignature(
  graph: FederatedGraph,
  type: FederatedType,
  fields: readonly WantedField[],
  knowing: readonly ReadonlySet<string>[],
): string {
  let known = '';
  for (const types of knowing) known += types.has(type.name) ? '1' : '0';
  return `${known} ${fieldsSignature(graph, type, fields)}`;
}

/**
 * Returns a key for values whose wanted fields are completely resolved by a subgraph that is queried anyway. Nothing else about the type
 * matters then. Returns undefined if no such subgraph exists.
 */
function readyPath(
  scope: PlanningScope,
  position: Position,
  { type, fields }: Pick<TypeClass, 'type' | 'fields'>,
  { avoid }: Purpose,
): string | undefined {
  if (scope.isDeferring || type.contexts.length > 0) return undefined;
  for (const presence of [...position.presences.values()].sort((one, other) => one.fetch.level - other.fetch.level)) {
    const { subgraph } = presence;
    if (avoid.has(subgraph) || !canBeOf(scope.graph, presence, type.name)) continue;
    let count = 0;
    let path = subgraph;
    for (const field of fields) {
      const resolver = resolverOf(scope, type, field.node.name.value, plainSource(subgraph));
      if (resolver === undefined || hasRequirements(resolver) || resolver.provides !== undefined) continue;
      if (estimateField(scope, plainSource(subgraph), type, field) !== 0) continue;
      count += 1;
      const inside = type.fields.get(field.node.name.value)?.namedType;
      path += ` ${inside} ${resolver.namedType} ${scope.keys.keyOf(field.node, type.name, position.isBeneathAbstract)}`;
    }
    if (count === fields.length) return path;
    if (count > 0) return undefined;
  }
  return undefined;
}
