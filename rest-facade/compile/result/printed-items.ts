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
import { pathToItems } from './collection.ts';
import type { ResultMapping } from './result-mapping.ts';
import type { Shape } from './shape.ts';

/**
 * Position of the items of a collection in the JSON text that the gateway prints. Items that are shown unchanged are copied from the text
 * without parsing and serialization.
 */
export interface PrintedItems {
  /** Text of the data before the list. */
  readonly before: string;
  /** Text after the last item: the end of the list, and the name of the next field or the end of the data. */
  readonly after: string;
  /** Finds IDs that are written as integers: the first group has the name, the second the digits. Absent if there are none. */
  readonly integers?: RegExp;
  /** Finds values of custom scalars that are objects or lists, in which `integers` could match by mistake. Absent if there are none. */
  readonly unknowns?: RegExp;
}

/**
 * Compiles the position of the items. Returns undefined if items are not shown as they are printed: an item has hidden fields, or a field
 * after the list could be mistaken for its end.
 */
export function compilePrintedItems(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  { collection, path, shape }: Pick<ResultMapping, 'collection' | 'path' | 'shape'>,
): PrintedItems | undefined {
  const root = schema.getRootType(operation.operation);
  if (collection === undefined || collection.list === 'edges' || root === null || root === undefined) return undefined;
  const currentPath = findPath(operation.selectionSet, root, [...path, ...pathToItems(collection)]);
  if (currentPath === undefined) return undefined;
  const found: FoundLeaves = { integers: new Map(), unknowns: new Set() };
  if (!isShownWhole(schema, currentPath.selectionSet, { type: currentPath.type, shape }, found)) return undefined;
  const integers = [...found.integers].flatMap(([name, isInteger]) => (isInteger ? [name] : []));
  const { before, after } = currentPath;
  if (integers.length === 0) return { before, after };
  return {
    before,
    after,
    // In a JSON string, every quotation mark is preceded by a backslash. A quotation mark after a brace or comma therefore starts a name.
    integers: new RegExp(`([{,]"(?:${integers.join('|')})":)"(${INTEGER_PATTERN})"`, 'g'),
    ...(found.unknowns.size === 0 ? {} : { unknowns: new RegExp(`"(?:${[...found.unknowns].join('|')})":[[{]`) }),
  };
}

interface FieldPath {
  readonly before: string;
  readonly after: string;
  readonly type: GraphQLNamedType;
  /** Selection of an item. */
  readonly selectionSet: SelectionSetNode;
}

/**
 * Finds the path to the list in the data. Each step must be the first field of its object, and no later field may look like the end of the
 * list.
 */
function findPath(selectionSet: SelectionSetNode, owner: GraphQLNamedType, names: readonly string[]): FieldPath | undefined {
  const [name, ...rest] = names;
  const [first, ...others] = selectionSet.selections;
  if (name === undefined || first?.kind !== Kind.FIELD || responseName(first) !== name || first.selectionSet === undefined)
    return undefined;
  const type = typeOf(first, owner);
  if (type === undefined) return undefined;
  const before = `{"${name}":`;
  if (rest.length > 0) {
    const inner = others.length === 0 ? findPath(first.selectionSet, type, rest) : undefined;
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

/** Whether no value of the field can contain a list. */
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
  /** Names of leaf fields, and whether they are written as integers. */
  readonly integers: Map<string, boolean>;
  /** Names of leaf fields that can be any JSON value. */
  readonly unknowns: Set<string>;
}

/** Whether all selected fields are shown under their response names, and each integer name is an integer everywhere. */
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
