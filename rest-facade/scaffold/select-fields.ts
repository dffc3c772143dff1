import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';

/** Selects the scalar fields of an object, and the id of each related object. */
export function selectFields(type: GraphQLObjectType): string {
  const fields = Object.values(type.getFields()).filter(({ args }) => !args.some(isRequiredArgument));
  const parts = fields.flatMap((field): readonly string[] => {
    if (isLeafType(getNamedType(field.type))) return isCut(field) ? [] : [field.name];
    const other = getNamedType(field.type);
    return isObjectType(other) && !isList(field.type) && other.getFields()['id'] !== undefined ? [`${field.name} { id }`] : [];
  });
  return parts.length === 0 ? '__typename' : parts.join(' ');
}

/** A connection: items in `nodes` or `edges`, with `pageInfo`. */
export interface ConnectionFields {
  readonly item: GraphQLObjectType;
  readonly isOfEdges: boolean;
  readonly hasTotal: boolean;
}

export function readConnection(type: GraphQLOutputType): ConnectionFields | undefined {
  const named = getNamedType(type);
  if (!isObjectType(named) || isList(type)) return undefined;
  const { nodes, edges, pageInfo, totalCount } = named.getFields();
  const info = pageInfo && getNamedType(pageInfo.type);
  if (!isObjectType(info) || info.getFields()['hasNextPage'] === undefined || info.getFields()['endCursor'] === undefined) return undefined;
  const edge = edges && getNamedType(edges.type);
  const node = nodes ?? (isObjectType(edge) ? edge.getFields()['node'] : undefined);
  const item = node && getNamedType(node.type);
  if (!isObjectType(item)) return undefined;
  return { item, isOfEdges: nodes === undefined, hasTotal: totalCount !== undefined };
}

export function isList(type: GraphQLOutputType): boolean {
  return isListType(getNullableType<GraphQLOutputType>(type));
}

/** Whether the field is a list that requires a limit. */
function isCut({ args, type }: GraphQLField<unknown, unknown>): boolean {
  return isList(type) && args.some(({ name }) => name === 'first' || name === 'limit' || name === 'last');
}
