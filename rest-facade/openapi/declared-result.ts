import {
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  Kind,
  type SelectionSetNode,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { pathToItems } from '../compile/result/collection.ts';
import type { RestRoute } from '../compile/rest-route.ts';

/** Selection and type of the shown fields of a route, as written in its document. */
export interface DeclaredResult {
  readonly selectionSet: SelectionSetNode;
  readonly type: GraphQLCompositeType;
}

/** Follows the operation to the fields that its response shows. For a page, these are the fields of its items. */
export function declaredResult({ declared, result }: RestRoute, schema: GraphQLSchema): DeclaredResult | undefined {
  let type: GraphQLCompositeType | null | undefined = schema.getRootType(declared.operation);
  let selectionSet: SelectionSetNode = declared.selectionSet;
  for (const name of result.collection === undefined ? result.path : [...result.path, ...pathToItems(result.collection)]) {
    const node = selectionSet.selections.find(
      (selection): selection is FieldNode => selection.kind === Kind.FIELD && (selection.alias ?? selection.name).value === name,
    );
    const field = fieldOf(type, node?.name.value ?? '');
    const next = field && getNamedType(field.type);
    if (node?.selectionSet === undefined || !isCompositeType(next)) return undefined;
    ({ selectionSet } = node);
    type = next;
  }
  return type === null || type === undefined ? undefined : { selectionSet, type };
}

function fieldOf(type: GraphQLCompositeType | null | undefined, name: string): GraphQLField<unknown, unknown> | undefined {
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
}
