import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  isCompositeType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isUnionType,
} from 'graphql';

export type OutputField = GraphQLField<unknown, unknown>;
/** A type with fields or with members. */
export type CompositeType = Extract<GraphQLNamedType, { readonly getTypes: unknown } | { readonly getInterfaces: unknown }>;

/** Selects the scalar fields of a type, and the id of each related object. */
export function selectFields(type: GraphQLNamedType): string {
  if (isUnionType(type)) return selectMembers(type.getTypes());
  const parts = Object.values(fieldsOf(type)).flatMap(selectField);
  return parts.length === 0 ? '__typename' : parts.join(' ');
}

function selectField(field: OutputField): readonly string[] {
  const { name, type, deprecationReason } = field;
  if (!isPlainField(field) || typeof deprecationReason === 'string') return [];
  const named = getNamedType(type);
  if (isLeafType(named)) return [name];
  return !isList(type) && plainLeaf(named, 'id') !== undefined ? [`${name} { id }`] : [];
}

/**
 * Selects the fields of each member of a union. Fields with one name must have one type, so fields that differ between the members are
 * omitted.
 */
function selectMembers(members: readonly GraphQLNamedType[]): string {
  const types = new Map<string, Set<string>>();
  for (const { name, type } of members.flatMap((member) => Object.values(fieldsOf(member)))) {
    types.set(name, (types.get(name) ?? new Set()).add(type.toString()));
  }
  const selected = members.map((member) => {
    const parts = Object.values(fieldsOf(member))
      .filter(({ name }) => types.get(name)?.size === 1)
      .flatMap(selectField);
    return `... on ${member.name} { ${parts.length === 0 ? '__typename' : parts.join(' ')} }`;
  });
  return ['__typename', ...selected].join(' ');
}

/** Returns the fields of a type, or none if it has no fields. */
export function fieldsOf(type: GraphQLNamedType): Readonly<Record<string, OutputField>> {
  return isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
}

/** Arguments that limit the length of a list. Facade documents must set one of them. */
export const SLICING_ARGUMENTS: readonly string[] = ['first', 'last', 'limit'];

/** Whether the field can be selected without arguments. */
export function isPlainField({ args }: OutputField): boolean {
  return !args.some((arg) => isRequiredArgument(arg) || SLICING_ARGUMENTS.includes(arg.name));
}

/** Returns a scalar or enum field that is not a list and needs no arguments. */
export function plainLeaf(type: GraphQLNamedType, name: string): OutputField | undefined {
  const field = fieldsOf(type)[name];
  return field !== undefined && isPlainField(field) && !isList(field.type) && isLeafType(getNamedType(field.type)) ? field : undefined;
}

/** A connection: items in `nodes` or `edges`, with `pageInfo`. */
export interface ConnectionFields {
  readonly item: CompositeType;
  readonly isOfEdges: boolean;
  readonly hasTotal: boolean;
}

/** Returns the fields of a connection, or undefined if the type has not all of them. */
export function readConnection(type: GraphQLOutputType): ConnectionFields | undefined {
  const named = getNamedType(type);
  if (!isObjectType(named) || isList(type)) return undefined;
  const { nodes, edges, pageInfo } = named.getFields();
  const info = pageInfo && isPlainField(pageInfo) && !isList(pageInfo.type) ? getNamedType(pageInfo.type) : undefined;
  if (info === undefined || plainLeaf(info, 'hasNextPage') === undefined || plainLeaf(info, 'endCursor') === undefined) return undefined;
  const list = [nodes, edges].find((field) => field !== undefined && isPlainField(field) && isFlatList(field.type));
  if (list === undefined) return undefined;
  const element = getNamedType(list.type);
  const node = list === edges ? fieldsOf(element)['node'] : undefined;
  const item = list === nodes ? element : node && isPlainField(node) && !isList(node.type) ? getNamedType(node.type) : undefined;
  if (item === undefined || !isCompositeType(item)) return undefined;
  return { item, isOfEdges: list === edges, hasTotal: plainLeaf(named, 'totalCount') !== undefined };
}

export function isList(type: GraphQLOutputType): boolean {
  return isListType(getNullableType<GraphQLOutputType>(type));
}

/** Whether the type is a list whose items are not lists. */
export function isFlatList(type: GraphQLOutputType): boolean {
  const list = getNullableType<GraphQLOutputType>(type);
  return isListType(list) && !isList(list.ofType);
}
