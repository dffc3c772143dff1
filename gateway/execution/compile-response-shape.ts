import {
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLInterfaceType,
  type GraphQLAbstractType,
  type GraphQLOutputType,
  type OperationDefinitionNode,
  type SelectionSetNode,
  isAbstractType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { PlanKeys } from '../planning/plan-keys.ts';
import { type CollectScope, type CollectedFields, collectFields } from './collect-fields.ts';
import { compileIntrospection } from './introspection.ts';
import { toDataKey } from './own-properties.ts';
import { compileLeaf, inlineLeafOf } from './print-leaf.ts';
import type { ValuePrinter } from './print-run.ts';
import { type FieldShape, abstractOf, list, nonNull, nullable, objectOf, printFields, reportNull } from './print-value.ts';

/** What the printer of a response is compiled from. */
export interface ResponseShapeInput extends CollectScope {
  readonly operation: OperationDefinitionNode;
  readonly keys: PlanKeys;
}

/**
 * Compiles the printer of an operation's `data`: the client's fields in the client's order, checked against the public
 * schema, without a result tree in between. It is right for one set of conditions of `@skip` and `@include`, so nothing
 * of them is left to be looked at per value.
 */
export function compileResponseShape(input: ResponseShapeInput): ValuePrinter {
  const root = input.schema.getRootType(input.operation.operation);
  // The document is valid against the schema, so its root type exists.
  if (root === undefined || root === null) throw new Error(`The schema has no ${input.operation.operation} type.`);
  return nullable(compileObject(input, root, [input.operation.selectionSet]));
}

/** The printer of values of one type (an object type; an interface where no subgraph was asked for the implementation). */
function compileObject(
  input: ResponseShapeInput,
  type: GraphQLObjectType | GraphQLInterfaceType,
  selectionSets: readonly SelectionSetNode[],
): ValuePrinter {
  const fields: FieldShape[] = [];
  for (const [key, nodes] of collectFields(input, type, selectionSets)) {
    const field = compileField(input, type, key, nodes);
    fields.push({ ...field, opening: `${fields.length === 0 ? '{' : ','}${JSON.stringify(key)}:` });
  }
  if (fields.length === 0) return () => '{}';
  const shape = { fields };
  return (value, depth, run) => printFields(shape, value as Readonly<Record<string, unknown>>, depth, run);
}

function compileField(
  input: ResponseShapeInput,
  type: GraphQLObjectType | GraphQLInterfaceType,
  key: string,
  nodes: readonly FieldNode[],
): Omit<FieldShape, 'opening'> {
  const name = nodes[0]?.name.value ?? '';
  const owner = `${type.name}.${name}`;
  // An alias that is the field's own name is none.
  const dataKey = toDataKey(key === name ? key : (input.keys.toPlan.get(key) ?? key));
  if (name === '__typename') return { key: dataKey, responseKey: key, inline: 'none', print: compileTypename(type, owner) };
  if (type === input.schema.getQueryType() && (name === '__schema' || name === '__type')) {
    return { key: dataKey, responseKey: key, inline: 'none', print: compileIntrospection(input, nodes) };
  }
  const definition = type.getFields()[name];
  if (definition === undefined) throw new Error(`The schema has no field ${owner}.`);
  const selectionSets = nodes.flatMap(({ selectionSet }) => (selectionSet === undefined ? [] : [selectionSet]));
  const named = isNonNullType(definition.type) ? definition.type.ofType : definition.type;
  return {
    key: dataKey,
    responseKey: key,
    inline: isLeafType(named) ? inlineLeafOf(named) : 'none',
    print: compileValue(input, definition.type, owner, selectionSets),
  };
}

/** The name is known from the shape; a value that is known by its interface only has none to show. */
function compileTypename(type: GraphQLObjectType | GraphQLInterfaceType, owner: string): ValuePrinter {
  if (!isObjectType(type)) return (_value, depth, run) => reportNull(owner, depth, run);
  const text = `"${type.name}"`;
  return () => text;
}

function compileValue(
  input: ResponseShapeInput,
  type: GraphQLOutputType,
  owner: string,
  selectionSets: readonly SelectionSetNode[],
): ValuePrinter {
  if (isNonNullType(type)) return nonNull(compilePresent(input, type.ofType, owner, selectionSets), owner);
  return nullable(compilePresent(input, type, owner, selectionSets));
}

/** The printer of values that are not null. */
function compilePresent(
  input: ResponseShapeInput,
  type: GraphQLOutputType,
  owner: string,
  selectionSets: readonly SelectionSetNode[],
): ValuePrinter {
  if (isListType(type)) return list(compileValue(input, type.ofType, owner, selectionSets), owner);
  if (isObjectType(type)) return objectOf(() => compileObject(input, type, selectionSets), owner);
  if (isLeafType(type)) return compileLeaf(type, owner);
  if (!isAbstractType(type)) throw new Error(`Field ${owner} has no type that can be printed.`);
  return abstractOf((typename) => compileForTypename(input, type, typename, selectionSets), owner);
}

/**
 * The printer of values of an abstract type whose `__typename` is this one; undefined when they cannot be printed. A
 * value without one, or of the interface itself, comes from a subgraph that knows the interface as an object
 * (`@interfaceObject`): it will do where all implementations are printed alike.
 */
function compileForTypename(
  input: ResponseShapeInput,
  type: GraphQLAbstractType,
  typename: string | undefined,
  selectionSets: readonly SelectionSetNode[],
): ValuePrinter | undefined {
  const found = typename === undefined ? type : input.schema.getType(typename);
  if (isObjectType(found)) return input.schema.isSubType(type, found) ? compileObject(input, found, selectionSets) : undefined;
  if (!isInterfaceType(found) || (found !== type && !input.schema.isSubType(type, found))) return undefined;
  const wanted = collectFields(input, found, selectionSets);
  const isAlike = input.schema
    .getPossibleTypes(found)
    .every((possible) => haveSameNodes(wanted, collectFields(input, possible, selectionSets)));
  return isAlike ? compileObject(input, found, selectionSets) : undefined;
}

function haveSameNodes(one: CollectedFields, other: CollectedFields): boolean {
  if (one.size !== other.size) return false;
  return [...one].every(([key, nodes]) => {
    const others = other.get(key) ?? [];
    return nodes.length === others.length && nodes.every((node, index) => node === others[index]);
  });
}
