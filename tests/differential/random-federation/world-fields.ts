import {
  type GraphQLField,
  type GraphQLSchema,
  Kind,
  type SelectionSetNode,
  type TypeNode,
  isInterfaceType,
  isObjectType,
  print,
} from 'graphql';
import type { FieldFacts, SubgraphFacts, TypeFacts } from './read-facts.ts';

/** Properties of a field of an object type, independent of the subgraph. */
export interface WorldField {
  readonly name: string;
  /** Strictest type that any of the resolving subgraphs declares. */
  readonly type: TypeNode;
  readonly namedType: string;
  /** Object types that every one of the subgraphs can return. Empty at leaves. */
  readonly possibleTypes: readonly string[];
  /** Values of an enum that every one of the subgraphs knows. */
  readonly enumValues: readonly string[];
  readonly argumentNames: readonly string[];
  readonly contextArguments: FieldFacts['contextArguments'];
  readonly requires: SelectionSetNode | undefined;
  /** Definition in one of the subgraphs, for the coercion of arguments. */
  readonly definition: GraphQLField<unknown, unknown>;
  readonly isKey: boolean;
  /** Whether there is exactly one correct result when the field fails. */
  readonly mayFail: boolean;
  /** Whether items of its list may fail too. */
  readonly mayItemsFail: boolean;
}

/** Coordinates of fields that never fail, and of fields that fail as a whole only. */
export type FailureLimits = ReadonlyMap<string, 'never' | 'as a whole'>;

/** Sources of the fields, in addition to the declarations. */
interface FieldSources {
  readonly schemas: ReadonlyMap<string, GraphQLSchema>;
  readonly publicSchema: GraphQLSchema;
  readonly failures?: FailureLimits | undefined;
}

/** All fields by type and name, and further properties of types. */
export interface WorldFields {
  find(type: string, field: string): WorldField | undefined;
  /** Object types that a type represents in any subgraph. */
  possibleTypes(type: string): readonly string[];
  isEntity(type: string): boolean;
}

/** Derives the fields from the declarations of all subgraphs. @throws Error when they leave a field without a possible value */
export function deriveWorldFields(
  subgraphs: readonly SubgraphFacts[],
  { schemas, publicSchema, failures = new Map() }: FieldSources,
): WorldFields {
  const possible = possibleTypesOf(subgraphs);
  const used = findUsed(subgraphs, possible);
  const isLoosened = hasLoosened(subgraphs, publicSchema);
  const fields = new Map<string, WorldField>();
  for (const [coordinate, definers] of findDefiners(subgraphs, possible)) {
    fields.set(coordinate, derive({ coordinate, definers, possible, used, isLoosened, subgraphs, schemas, failures }));
  }
  const entities = new Set(
    subgraphs.flatMap(({ types }) => [...types.values()].filter(({ keys }) => keys.length > 0).flatMap(({ name }) => possible(name))),
  );
  return { find: (type, field) => fields.get(`${type}.${field}`), possibleTypes: possible, isEntity: (type) => entities.has(type) };
}

interface Definer {
  readonly subgraph: SubgraphFacts;
  /** Type in this subgraph: an interface that is an object there, or the object type. */
  readonly type: TypeFacts;
  readonly field: FieldFacts;
}

function possibleTypesOf(subgraphs: readonly SubgraphFacts[]): (type: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (name) => {
    let found = known.get(name);
    if (found === undefined) {
      found = [...new Set(subgraphs.flatMap((subgraph) => possibleIn(subgraph, name) ?? []))].sort();
      known.set(name, found);
    }
    return found;
  };
}

/** Lists possible types, or returns undefined when the subgraph does not know them because it declares the interface as an object. */
export function possibleIn({ types }: SubgraphFacts, name: string): readonly string[] | undefined {
  const type = types.get(name);
  if (type === undefined || type.isInterfaceObject) return undefined;
  if (type.kind === 'object') return [name];
  if (type.kind === 'union') return type.members;
  return [...types.values()].filter(({ kind, interfaces }) => kind === 'object' && interfaces.includes(name)).map((found) => found.name);
}

function findDefiners(subgraphs: readonly SubgraphFacts[], possible: (type: string) => readonly string[]): Map<string, Definer[]> {
  const definers = new Map<string, Definer[]>();
  for (const subgraph of subgraphs) {
    for (const type of subgraph.types.values()) {
      if (type.kind !== 'object') continue;
      for (const field of type.fields.values()) {
        if (field.isExternal || isOverridden(subgraphs, subgraph.name, type.name, field.name)) continue;
        for (const name of type.isInterfaceObject ? possible(type.name) : [type.name]) {
          const coordinate = `${name}.${field.name}`;
          definers.set(coordinate, [...(definers.get(coordinate) ?? []), { subgraph, type, field }]);
        }
      }
    }
  }
  return definers;
}

/** Whether another subgraph has overridden the field permanently. */
function isOverridden(subgraphs: readonly SubgraphFacts[], subgraph: string, type: string, field: string): boolean {
  return subgraphs.some(({ types }) => {
    const overrides = types.get(type)?.fields.get(field)?.overrides;
    return overrides?.from === subgraph && overrides.label === undefined;
  });
}

interface Derivation {
  readonly coordinate: string;
  readonly definers: readonly Definer[];
  readonly possible: (type: string) => readonly string[];
  readonly used: Used;
  readonly isLoosened: boolean;
  readonly subgraphs: readonly SubgraphFacts[];
  readonly schemas: ReadonlyMap<string, GraphQLSchema>;
  readonly failures: FailureLimits;
}

function derive({ coordinate, definers, possible, used, isLoosened, subgraphs, schemas, failures }: Derivation): WorldField {
  const [first] = definers;
  if (first === undefined) throw new Error(`No subgraph resolves ${coordinate}.`);
  const type = definers.map(({ field }) => field.type).reduce(strictest);
  const namedType = nameOf(type);
  const isSameEverywhere = new Set(definers.map(({ field }) => print(field.type))).size === 1;
  const typeName = coordinate.slice(0, coordinate.indexOf('.'));
  const isSafeToPropagate = !isLoosened && !used.objects.has(typeName);
  const inaccessible = new Set(
    subgraphs.flatMap(({ types }) => [...types.values()].filter((found) => found.isInaccessible).map(({ name }) => name)),
  );
  return {
    name: first.field.name,
    type,
    namedType,
    possibleTypes: intersect(definers.map(({ subgraph }) => possibleIn(subgraph, namedType) ?? possible(namedType))).filter(
      (name) => !inaccessible.has(name) || definers.some(({ field }) => field.isInaccessible),
    ),
    enumValues: intersect(definers.map(({ subgraph }) => subgraph.enums.get(namedType) ?? [])),
    argumentNames: intersect(definers.map(({ field }) => field.argumentNames)),
    contextArguments: first.field.contextArguments,
    // A value that one subgraph computes without the required fields cannot depend on them in another.
    requires: definers.every(({ field }) => field.requires !== undefined) ? first.field.requires : undefined,
    definition: fieldOf(schemas.get(first.subgraph.name), first.type.name, first.field.name),
    isKey: used.keys.has(coordinate),
    mayItemsFail: !failures.has(coordinate),
    mayFail:
      failures.get(coordinate) !== 'never' &&
      isSameEverywhere &&
      !used.fields.has(coordinate) &&
      (type.kind !== Kind.NON_NULL_TYPE || isSafeToPropagate) &&
      (isSafeToPropagate || !hasNonNullInside(type)),
  };
}

function hasNonNullInside(type: TypeNode): boolean {
  return print(type).slice(0, -1).includes('!');
}

function fieldOf(schema: GraphQLSchema | undefined, typeName: string, fieldName: string): GraphQLField<unknown, unknown> {
  const type = schema?.getType(typeName);
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[fieldName] : undefined;
  if (field === undefined) throw new Error(`The field ${typeName}.${fieldName} does not exist.`);
  return field;
}

function intersect(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists;
  return first.filter((item) => others.every((other) => other.includes(item))).toSorted();
}

function strictest(one: TypeNode, other: TypeNode): TypeNode {
  if (one.kind === Kind.NON_NULL_TYPE || other.kind === Kind.NON_NULL_TYPE) {
    const inner = strictest(unwrap(one), unwrap(other));
    return inner.kind === Kind.NON_NULL_TYPE ? inner : { kind: Kind.NON_NULL_TYPE, type: inner };
  }
  if (one.kind === Kind.LIST_TYPE && other.kind === Kind.LIST_TYPE) return { kind: Kind.LIST_TYPE, type: strictest(one.type, other.type) };
  return one;
}

function unwrap(type: TypeNode): TypeNode {
  return type.kind === Kind.NON_NULL_TYPE ? type.type : type;
}

function nameOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type);
}

/**
 * Whether a field has a stricter type in one subgraph than in another or in the public schema: then a failure would set more to null in one
 * than in the other.
 */
function hasLoosened(subgraphs: readonly SubgraphFacts[], publicSchema: GraphQLSchema): boolean {
  const seen = new Map<string, string>();
  for (const { types } of subgraphs) {
    for (const type of types.values()) {
      for (const field of type.fields.values()) {
        const coordinate = `${type.name}.${field.name}`;
        const printed = print(field.type);
        if ((seen.get(coordinate) ?? printed) !== printed) return true;
        const published = publicSchema.getType(type.name);
        const isComposite = isObjectType(published) || isInterfaceType(published);
        const publicType = isComposite ? published.getFields()[field.name]?.type : undefined;
        if (publicType !== undefined && String(publicType) !== printed) return true;
        seen.set(coordinate, printed);
      }
    }
  }
  return false;
}

/** Coordinates that keys, required fields and contexts consist of. */
interface Used {
  readonly keys: ReadonlySet<string>;
  readonly fields: ReadonlySet<string>;
  /** Types of the objects on the path and of non-null objects inside, where another failure would remove a required field. */
  readonly objects: ReadonlySet<string>;
}

function findUsed(subgraphs: readonly SubgraphFacts[], possible: (type: string) => readonly string[]): Used {
  const used = { keys: new Set<string>(), fields: new Set<string>(), objects: new Set<string>() };
  const typeOf = (name: string, field: string): string | undefined => {
    const found = subgraphs.map(({ types }) => types.get(name)?.fields.get(field)).find((facts) => facts !== undefined);
    return found && nameOf(found.type);
  };
  const visit = (type: string, { selections }: SelectionSetNode, isKey: boolean): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) continue;
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        visit(selection.typeCondition?.name.value ?? type, selection.selectionSet, isKey);
        continue;
      }
      for (const object of new Set([type, ...possible(type)])) {
        used.fields.add(`${object}.${selection.name.value}`);
        if (isKey) used.keys.add(`${object}.${selection.name.value}`);
      }
      const inner = typeOf(type, selection.name.value);
      if (selection.selectionSet === undefined || inner === undefined) continue;
      for (const object of possible(inner)) used.objects.add(object);
      visit(inner, selection.selectionSet, isKey);
    }
  };
  for (const { types } of subgraphs) {
    for (const type of types.values()) {
      for (const { fields } of type.keys) visit(type.name, fields, true);
      for (const { requires, contextArguments } of type.fields.values()) {
        if (requires !== undefined) visit(type.name, requires, false);
        for (const { context, selection } of contextArguments.values()) {
          for (const found of types.values()) {
            if (!found.contexts.includes(context)) continue;
            visit(found.name, selection, false);
            for (const object of possible(found.name)) used.objects.add(object);
          }
        }
      }
    }
  }
  addNonNullInside(used.objects, subgraphs, possible);
  return used;
}

/** Adds the types of objects that cannot be null. A failure inside of them would remove the object around them. */
function addNonNullInside(objects: Set<string>, subgraphs: readonly SubgraphFacts[], possible: (type: string) => readonly string[]): void {
  const owners = subgraphs.flatMap(({ types }) => [...types.values()].filter(({ kind }) => kind === 'object'));
  // Types that are added are visited too.
  for (const object of objects) {
    for (const { name, isInterfaceObject, fields } of owners) {
      if (name !== object && !(isInterfaceObject && possible(name).includes(object))) continue;
      for (const { type } of fields.values()) {
        if (isNonNullThroughout(type)) for (const inner of possible(nameOf(type))) objects.add(inner);
      }
    }
  }
}

function isNonNullThroughout(type: TypeNode): boolean {
  if (type.kind !== Kind.NON_NULL_TYPE) return false;
  return type.type.kind === Kind.NAMED_TYPE || isNonNullThroughout(type.type.type);
}
