import {
  type FieldNode,
  getNullableType,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLOutputType,
  isCompositeType,
  isInterfaceType,
  isLeafType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
} from 'graphql';
import { inlineFragments } from '../../compile/documents/selections.ts';
import type { JsonSchema } from '../openapi-document.ts';
import { described, leafSchema, orNull } from './leaf-schema.ts';
import { type ResultContext, resultSchema } from './result-schema.ts';

/**
 * Returns the schema of a thin result, which contains only the scalar fields of each root object: no lists and no nested objects. A root
 * field that is not an object is null.
 */
export function thinSchema(operation: OperationDefinitionNode, root: GraphQLCompositeType, context: ResultContext): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const node of fieldsOf(inlineFragments(operation, context.fragments).selectionSet.selections)) {
    const field = fieldOf(node, root);
    if (field === undefined) continue;
    const name = node.alias?.value ?? node.name.value;
    properties[name] = { ...thinValue(node, field.type, context), ...described(field.description) };
    if (isNonNullType(field.type)) required.push(name);
  }
  return { type: 'object', ...described(root.description), properties, ...(required.length === 0 ? {} : { required }) };
}

function thinValue(field: FieldNode, type: GraphQLOutputType, context: ResultContext): JsonSchema {
  const value = getNullableType(type);
  if (!isCompositeType(value)) return { type: 'null' };
  const selections = leavesOf(field.selectionSet?.selections ?? [], value, context);
  const schema = resultSchema({ selections }, value, context);
  return isNonNullType(type) ? schema : orNull(schema);
}

/** Selects the fields that are scalars or enums. */
function leavesOf(selections: readonly SelectionNode[], type: GraphQLCompositeType, context: ResultContext): readonly SelectionNode[] {
  return selections.flatMap((selection): readonly SelectionNode[] => {
    if (selection.kind === Kind.FIELD) return isLeaf(selection, type, context) ? [selection] : [];
    if (selection.kind === Kind.FRAGMENT_SPREAD) return []; // Fragments are already inlined.
    const condition = context.schema.getType(selection.typeCondition?.name.value ?? type.name);
    const inner = leavesOf(selection.selectionSet.selections, isCompositeType(condition) ? condition : type, context);
    return [{ ...selection, selectionSet: { ...selection.selectionSet, selections: inner } }];
  });
}

function isLeaf(field: FieldNode, parent: GraphQLCompositeType, { components }: ResultContext): boolean {
  if (field.name.value === '__typename') return true;
  const type = getNullableType(fieldOf(field, parent)?.type);
  if (!isLeafType(type)) return false;
  // A custom scalar can be any JSON value. One that may be an object or array is excluded.
  const { $ref, type: json } = leafSchema(type, components);
  return $ref !== undefined || (typeof json === 'string' && json !== 'object' && json !== 'array');
}

function fieldOf({ name }: FieldNode, parent: GraphQLCompositeType): GraphQLField<unknown, unknown> | undefined {
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name.value] : undefined;
}

function fieldsOf(selections: readonly SelectionNode[]): readonly FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    return selection.kind === Kind.INLINE_FRAGMENT ? fieldsOf(selection.selectionSet.selections) : [];
  });
}
