import {
  type FieldNode,
  getNamedType,
  getNullableType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isSpecifiedScalarType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { responseName } from '../documents/selections.ts';
import { INTEGER_PATTERN } from '../integer-id.ts';
import { wayToItems } from './collection.ts';
import type { ResultMapping } from './result-mapping.ts';
import type { Shape } from './shape.ts';

/** Where the items of a collection stand in the data as the gateway prints it. What is shown as it was printed need not be read and written again. */
export interface PrintedItems {
  /** The data up to the list. */
  readonly before: string;
  /** What follows the last item: the end of the list, and the name of the next field or the end of the data. */
  readonly after: string;
  /** Finds the IDs that are written as integers: their name in the first group, their digits in the second. Absent where there are none. */
  readonly integers?: RegExp;
  /** Finds values of a scalar that may be any JSON and are objects or lists, in which `integers` might find something too. Absent where there are none. */
  readonly unknowns?: RegExp;
}

/**
 * Undefined where items are not shown as they are printed: something in them is hidden, or something that follows them could be
 * taken for their end.
 */
export function compilePrintedItems(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  { collection, path, shape }: Pick<ResultMapping, 'collection' | 'path' | 'shape'>,
): PrintedItems | undefined {
  const root = schema.getRootType(operation.operation);
  if (collection === undefined || collection.list === 'edges' || root === null || root === undefined) return undefined;
  const way = findWay(operation.selectionSet, root, [...path, ...wayToItems(collection)]);
  if (way === undefined) return undefined;
  const found: FoundLeaves = { integers: new Map(), unknowns: new Set() };
  if (!isShownWhole(schema, way.selectionSet, { type: way.type, shape }, found)) return undefined;
  const integers = [...found.integers].flatMap(([name, isInteger]) => (isInteger ? [name] : []));
  const { before, after } = way;
  if (integers.length === 0) return { before, after };
  return {
    before,
    after,
    // Within a string, every quotation mark has a backslash before it: after a brace or a comma begins a name.
    integers: new RegExp(`([{,]"(?:${integers.join('|')})":)"(${INTEGER_PATTERN})"`, 'g'),
    ...(found.unknowns.size === 0 ? {} : { unknowns: new RegExp(`"(?:${[...found.unknowns].join('|')})":[[{]`) }),
  };
}

interface Way {
  readonly before: string;
  readonly after: string;
  readonly type: GraphQLNamedType;
  /** What is selected of an item. */
  readonly selectionSet: SelectionSetNode;
}

/** The way through the data to the list: each step of it the first field of its object, and nothing after it that might look like its end. */
function findWay(selectionSet: SelectionSetNode, owner: GraphQLNamedType, names: readonly string[]): Way | undefined {
  const [name, ...rest] = names;
  const [first, ...others] = selectionSet.selections;
  if (name === undefined || first?.kind !== Kind.FIELD || responseName(first) !== name || first.selectionSet === undefined)
    return undefined;
  const type = typeOf(first, owner);
  if (type === undefined) return undefined;
  const before = `{"${name}":`;
  if (rest.length > 0) {
    const inner = others.length === 0 ? findWay(first.selectionSet, type, rest) : undefined;
    return inner && { ...inner, before: before + inner.before, after: isEnd(inner.after) ? `${inner.after}}` : inner.after };
  }
  const [next] = others;
  if (!others.every((selection) => isPlain(selection, owner))) return undefined;
  const after = next?.kind === Kind.FIELD ? `],"${responseName(next)}":` : ']}';
  return { before, after, type, selectionSet: first.selectionSet };
}

function isEnd(after: string): boolean {
  return after.endsWith('}');
}

/** Whether no value of it can hold a list. */
function isPlain(selection: SelectionNode, owner: GraphQLNamedType): boolean {
  if (selection.kind !== Kind.FIELD) return false;
  if (selection.name.value === '__typename') return true;
  const declared = fieldOf(selection, owner);
  const type = declared && getNamedType(declared.type);
  if (declared === undefined || type === undefined || isListType(getNullableType(declared.type))) return false;
  if (selection.selectionSet === undefined) return isEnumType(type) || (isLeafType(type) && isSpecifiedScalarType(type));
  return selection.selectionSet.selections.every((inner) => isPlain(inner, type));
}

interface FoundLeaves {
  /** Names of leaves, and whether they are written as integers. */
  readonly integers: Map<string, boolean>;
  /** Names of leaves that may be any JSON. */
  readonly unknowns: Set<string>;
}

/** Whether all that is selected is shown, under the names it has, and each name that is an integer somewhere is one everywhere. */
function isShownWhole(
  schema: GraphQLSchema,
  { selections }: SelectionSetNode,
  { type, shape }: { readonly type: GraphQLNamedType; readonly shape: Shape },
  found: FoundLeaves,
): boolean {
  return selections.every((selection) => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return false;
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      const condition = selection.typeCondition && schema.getType(selection.typeCondition.name.value);
      return isShownWhole(schema, selection.selectionSet, { type: condition ?? type, shape }, found);
    }
    const name = responseName(selection);
    const field = shape.get(name);
    if (field === undefined) return false;
    const declared = fieldOf(selection, type);
    const inner = typeOf(selection, type);
    if (selection.selectionSet !== undefined) {
      if (found.integers.get(name) === true || inner === undefined || field.fields === undefined) return false;
      found.integers.set(name, false);
      return isShownWhole(schema, selection.selectionSet, { type: inner, shape: field.fields }, found);
    }
    const isList = declared !== undefined && isListType(getNullableType(declared.type));
    if ((field.isInteger && isList) || (found.integers.get(name) ?? field.isInteger) !== field.isInteger) return false;
    found.integers.set(name, field.isInteger);
    if (inner !== undefined && isLeafType(inner) && !isEnumType(inner) && !isSpecifiedScalarType(inner)) found.unknowns.add(name);
    return true;
  });
}

function fieldOf({ name }: FieldNode, type: GraphQLNamedType) {
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name.value] : undefined;
}

function typeOf(node: FieldNode, type: GraphQLNamedType): GraphQLNamedType | undefined {
  const field = fieldOf(node, type);
  return field && getNamedType(field.type);
}
