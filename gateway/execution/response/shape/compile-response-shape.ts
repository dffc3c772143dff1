import {
  type FieldNode,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { GuardedFields } from '../../../authorization/guarded-fields.ts';
import { dataKeyOf } from '../../../planning/data-keys.ts';
import type { DataKeys } from '../../../planning/operation-plan.ts';
import { type DataObject, toDataKey } from '../../data/own-properties.ts';
import { type CollectedPayloads, type PayloadScope, collectPayloads } from './collect-fields.ts';
import { type LeadsToDeferral, createDeferralSearch } from './leads-to-deferral.ts';
import { type HaveSameFields, createFieldComparison } from './have-same-fields.ts';
import { compileIntrospection } from './introspection.ts';
import { compileDenied, compileOwners, isGuardedByType, ownersOfObject } from './compile-guarded.ts';
import { compileLeaf, encodingOf } from './compile-leaf.ts';
import { reportNull } from '../print/print-run.ts';
import type {
  DeferredFragment,
  DeferredShapes,
  FieldContent,
  FieldShape,
  ObjectShape,
  ObjectShapes,
  ValueShape,
} from './response-shape.ts';
import { ShapesOfOneType, ShapesOfSeveralTypes } from './lazy-shapes.ts';
import { branchShared, createShapeTable, type ShapePosition, type ShapesGrown, type ShapeTable } from './shape-table.ts';

/** Input of `compileResponseShape`. */
export interface ResponseShapeInput extends PayloadScope {
  readonly operation: OperationDefinitionNode;
  readonly keys: DataKeys;
  /** Paths of data keys, joined by `/`, at which one object can occur at several positions of the response. */
  readonly sharedPaths: ReadonlySet<string>;
  /** Fields with authorization checks. @defaultValue All callers are permitted to see all fields. */
  readonly guarded?: GuardedFields | undefined;
  /** @defaultValue No callback. */
  readonly onGrown?: ShapesGrown | undefined;
}

interface Compiling extends ResponseShapeInput {
  readonly table: ShapeTable;
  readonly leafContents: LeafContents;
  readonly haveSameFields: HaveSameFields;
  readonly leadsToDeferral: LeadsToDeferral;
}

type CompositeType = GraphQLObjectType | GraphQLInterfaceType;

/**
 * Compiles the shape of an operation's `data`: the client's fields in the client's order, with the type information that the printer needs.
 * `@skip` and `@include` are already evaluated, so the printer does not check them for each value.
 */
export function compileResponseShape(input: ResponseShapeInput): ValueShape {
  const root = input.schema.getRootType(input.operation.operation);
  // The document is valid against the schema, so its root type exists.
  if (root === undefined || root === null) throw new Error(`The schema has no ${input.operation.operation} type.`);
  const compiling = {
    ...input,
    table: createShapeTable(input.onGrown),
    leafContents: leafContentsOf(input.schema),
    haveSameFields: createFieldComparison(input),
    leadsToDeferral: createDeferralSearch(input),
  };
  const position = {
    isRoot: true,
    branch: branchShared(input.sharedPaths),
    isBeneathAbstract: false,
    selectionSets: [input.operation.selectionSet],
  };
  return compileValue(compiling, root, root.name, position);
}

function compileValue(compiling: Compiling, type: GraphQLOutputType, owner: string, position: ShapePosition): ValueShape {
  const isNonNull = isNonNullType(type);
  const present = isNonNull ? type.ofType : type;
  // All shapes have the same members in the same order, and no spread copies them. Property reads in the printer then stay monomorphic.
  if (isListType(present)) {
    const item = compileValue(compiling, present.ofType, owner, position);
    return { kind: 'list', isNonNull, owner, toJson: undefined, item, objects: undefined };
  }
  if (isLeafType(present)) return { kind: 'leaf', isNonNull, owner, toJson: compileLeaf(present), item: undefined, objects: undefined };
  if (isObjectType(present)) {
    return { kind: 'object', isNonNull, owner, toJson: undefined, item: undefined, objects: shapesOfOne(compiling, present, position) };
  }
  if (!isAbstractType(present))
    throw new Error(`Field ${owner} has a type that cannot be printed. Expected a leaf, object, interface, union or list type.`);
  const objects = shapesOfSeveral(compiling, present, { ...position, isBeneathAbstract: true });
  return { kind: 'object', isNonNull, owner, toJson: undefined, item: undefined, objects };
}

function shapesOfOne(
  compiling: Compiling,
  type: CompositeType,
  position: ShapePosition,
  collectedAs: GraphQLNamedType = type,
): ObjectShapes {
  const compile = (): ObjectShape =>
    compileObject(compiling, type, position, collectPayloads(compiling, collectedAs, position.selectionSets));
  return compiling.table.objectsAt(`${type.name} ${collectedAs.name}`, position, () => new ShapesOfOneType(compile));
}

function shapesOfSeveral(compiling: Compiling, type: GraphQLAbstractType, position: ShapePosition): ObjectShapes {
  return compiling.table.objectsAt(type.name, position, () => {
    const compile = (typename: string | undefined): ObjectShape | undefined => compileForTypename(compiling, type, typename, position);
    return new ShapesOfSeveralTypes(compile, () => compiling.schema.getPossibleTypes(type).map(({ name }) => name));
  });
}

/**
 * Compiles the shape for values of an abstract type with this `__typename`; undefined when such values cannot be printed. A subgraph that
 * defines the interface as an object (`@interfaceObject`) returns the interface name or no `__typename`. Such a value can be printed when
 * all implementations are printed alike.
 */
function compileForTypename(
  compiling: Compiling,
  type: GraphQLAbstractType,
  typename: string | undefined,
  position: ShapePosition,
): ObjectShape | undefined {
  const { schema } = compiling;
  const found = typename === undefined ? type : schema.getType(typename);
  if (isObjectType(found)) return schema.isSubType(type, found) ? compileObject(compiling, found, position) : undefined;
  if (!isInterfaceType(found) || (found !== type && !schema.isSubType(type, found))) return undefined;
  const [first = found, ...others] = schema.getPossibleTypes(found);
  const parts = collectPayloads(compiling, first, position.selectionSets);
  // An interface with a single implementation: all values are of that type, and fragments on it apply to all of them.
  if (others.length === 0) return compileObject(compiling, first, position, parts);
  const possiblePayloads = [parts, ...others.map((possible) => collectPayloads(compiling, possible, position.selectionSets))];
  const isAlike = possiblePayloads.every(({ fields }) => compiling.haveSameFields(first, parts.fields, fields));
  const isOfAll = [...parts.fields.values()].every(([node]) => {
    const name = node?.name.value ?? '';
    return name === '__typename' || found.getFields()[name] !== undefined;
  });
  if (!isAlike || !isOfAll || isGuardedByType(compiling, possiblePayloads)) return undefined;
  const shape = compileObject(compiling, found, position, { ...parts, deferred: new Map() });
  const fragments = compileLateFragments(compiling, found, position);
  return fragments.length === 0 ? shape : { ...shape, deferred: { fragments, deferredFields: shape.deferred?.deferredFields ?? [] } };
}

/** Compiles deferred fragments on values whose type is not known before a deferred fetch returns it. */
function compileLateFragments(compiling: Compiling, type: GraphQLInterfaceType, position: ShapePosition): readonly DeferredFragment[] {
  const byType = new Map(
    compiling.schema
      .getPossibleTypes(type)
      .map((possible) => [possible.name, collectPayloads(compiling, possible, position.selectionSets)]),
  );
  const numbers = new Set<number>();
  for (const { deferred } of byType.values()) for (const number of deferred.keys()) numbers.add(number);
  return [...numbers].map((deferral): DeferredFragment => {
    const selectionOf = (typename: unknown): SelectionSetNode | undefined => byType.get(String(typename))?.deferred.get(deferral);
    const selectionSets = [...new Set([...byType.keys()].flatMap((name) => selectionOf(name) ?? []))];
    const objects = shapesOfSeveral(compiling, type, { ...position, selectionSets });
    const value = { kind: 'object', isNonNull: false, owner: type.name, toJson: undefined, item: undefined, objects } as const;
    const isForAll = [...byType.keys()].every((name) => selectionOf(name) !== undefined);
    const isPresent = ({ __typename: name }: DataObject): boolean | undefined =>
      isForAll || (byType.has(String(name)) ? selectionOf(name) !== undefined : undefined);
    return { deferral, value, isPresent };
  });
}

/** Compiles the shape of values of one type: an object type, or an interface when no subgraph was queried for the implementation. */
function compileObject(
  compiling: Compiling,
  type: CompositeType,
  position: ShapePosition,
  collected: CollectedPayloads = collectPayloads(compiling, type, position.selectionSets),
): ObjectShape {
  const { table, keys, operation } = compiling;
  const fields: FieldShape[] = [];
  const deferredFields: FieldShape[] = [];
  for (const [responseKey, nodes] of collected.fields) {
    const [node] = nodes;
    if (node === undefined) continue;
    // Each root field of a mutation has its own side effect, even when two fields are identical. See `DataKeys`.
    const isEffect = position.isRoot && operation.operation === OperationTypeNode.MUTATION;
    const name = isEffect ? responseKey : dataKeyOf(keys, node, type.name, position.isBeneathAbstract);
    const selectionSets = [...new Set(nodes.flatMap(({ selectionSet }) => selectionSet ?? []))];
    const inside = { ...position, isRoot: false, branch: position.branch?.inside.get(name), selectionSets };
    const content = compileDenied(compiling, type, nodes) ?? compileContent(compiling, type, nodes, inside);
    const owners = compileOwners(compiling, type, nodes, position);
    const opened = { responseKey, isFirst: fields.length === 0 };
    const slot = table.slotOf({ ...opened, constant: content.constant });
    const field: FieldShape = {
      slot,
      isFirst: opened.isFirst,
      responseKey,
      constant: content.constant,
      key: toDataKey(name),
      encoding: owners !== undefined && content.local === undefined ? 'owned' : content.encoding,
      value: content.value,
      local: content.local,
      owners,
    };
    fields.push(field);
    if (content.local === undefined && compiling.leadsToDeferral(selectionSets)) deferredFields.push(field);
  }
  table.add(fields.length);
  const memo = position.branch?.isShared === true ? table.nextMemo() : -1;
  const deferred = compileDeferred(compiling, type, position, { collected, deferredFields });
  // The list is copied, because one that has grown by `push` reserves memory for more items.
  return { fields: fields.slice(), memo, deferred, owners: ownersOfObject(compiling, type, position) };
}

/** Compiles the deferred fragments of an object and lists the fields that lead to further ones. */
function compileDeferred(
  compiling: Compiling,
  type: CompositeType,
  position: ShapePosition,
  { collected, deferredFields }: { readonly collected: CollectedPayloads; readonly deferredFields: readonly FieldShape[] },
): DeferredShapes | undefined {
  if (collected.deferred.size === 0 && deferredFields.length === 0) return undefined;
  const fragments = [...collected.deferred].map(([deferral, selectionSet]): DeferredFragment => {
    const objects = shapesOfOne(compiling, type, { ...position, selectionSets: [selectionSet] }, collected.type);
    const value = { kind: 'object', isNonNull: false, owner: type.name, toJson: undefined, item: undefined, objects } as const;
    return { deferral, value, isPresent: undefined };
  });
  return { fragments, deferredFields };
}

function compileContent(compiling: Compiling, type: CompositeType, nodes: readonly FieldNode[], position: ShapePosition): FieldContent {
  const name = nodes[0]?.name.value ?? '';
  const definition = type.getFields()[name];
  const known = definition && compiling.leafContents.get(definition);
  if (known !== undefined) return known;
  const owner = `${type.name}.${name}`;
  const nothing: ValueShape = { kind: 'leaf', isNonNull: true, owner, toJson: undefined, item: undefined, objects: undefined };
  if (name === '__typename') {
    // The shape determines the type name. A value known only by its interface has no type name to print.
    if (isObjectType(type)) return { encoding: 'constant', value: nothing, constant: `"${type.name}"`, local: undefined };
    return { encoding: 'local', value: nothing, constant: '', local: (depth, run) => reportNull(owner, depth, run) };
  }
  if (type === compiling.schema.getQueryType() && (name === '__schema' || name === '__type')) {
    return { encoding: 'local', value: nothing, constant: '', local: compileIntrospection(compiling, nodes) };
  }
  if (definition === undefined) throw new Error(`The schema has no field ${owner}.`);
  const present = isNonNullType(definition.type) ? definition.type.ofType : definition.type;
  const encoding = isLeafType(present) ? encodingOf(present) : 'other';
  const content: FieldContent = {
    encoding,
    value: compileValue(compiling, definition.type, owner, position),
    constant: '',
    local: undefined,
  };
  if (isLeafType(getNamedType(present))) compiling.leafContents.set(definition, content);
  return content;
}

/** Contents of the fields without objects that operations have selected. They do not depend on the operation. */
type LeafContents = Map<GraphQLField<unknown, unknown>, FieldContent>;

const leafContents = new WeakMap<GraphQLSchema, LeafContents>();

function leafContentsOf(schema: GraphQLSchema): LeafContents {
  const known = leafContents.get(schema);
  if (known !== undefined) return known;
  const created: LeafContents = new Map();
  leafContents.set(schema, created);
  return created;
}
