import {
  type ConstDirectiveNode,
  type EnumTypeDefinitionNode,
  type FieldDefinitionNode,
  getDirectiveValues,
  type GraphQLArgumentConfig,
  GraphQLDeprecatedDirective,
  GraphQLDirective,
  type DirectiveDefinitionNode,
  DirectiveLocation,
  GraphQLEnumType,
  type GraphQLEnumValueConfig,
  type GraphQLField,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  type GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLOneOfDirective,
  type GraphQLOutputType,
  GraphQLScalarType,
  GraphQLSpecifiedByDirective,
  type GraphQLType,
  GraphQLUnionType,
  type InputObjectTypeDefinitionNode,
  type InputValueDefinitionNode,
  type InterfaceTypeDefinitionNode,
  Kind,
  type NamedTypeNode,
  type ObjectTypeDefinitionNode,
  type ScalarTypeDefinitionNode,
  type TypeNode,
  type UnionTypeDefinitionNode,
  valueFromAST,
} from 'graphql';
import { hasObject, InputTypeWithDefaults, withoutObjectDefault } from './deferred-defaults.ts';

/** The public schema for which types are created. */
export interface TypeScope {
  /** Returns a type of the public schema; undefined when it has none of that name. */
  typeNamed(name: string): GraphQLNamedType | undefined;
  /** Whether an element is not part of the public schema. */
  isHidden(node: Annotated): boolean;
}

/** A definition with directives. */
export interface Annotated {
  readonly directives?: readonly ConstDirectiveNode[] | undefined;
}

type Described = { readonly description?: { readonly value: string } | undefined };

/** Creates a scalar type. */
export function createScalarType(node: ScalarTypeDefinitionNode): GraphQLScalarType {
  const url = getDirectiveValues(GraphQLSpecifiedByDirective, node)?.['url'];
  return new GraphQLScalarType({
    name: node.name.value,
    ...descriptionOf(node),
    ...(typeof url === 'string' ? { specifiedByURL: url } : {}),
  });
}

/** Creates an enum type without its hidden values. */
export function createEnumType(node: EnumTypeDefinitionNode, scope: TypeScope): GraphQLEnumType {
  const values: Record<string, GraphQLEnumValueConfig> = Object.create(null);
  for (const value of node.values ?? []) {
    if (!scope.isHidden(value)) values[value.name.value] = { ...descriptionOf(value), ...deprecationOf(value) };
  }
  return new GraphQLEnumType({ name: node.name.value, ...descriptionOf(node), values });
}

/** Creates a union type, whose members are created when they are first read. */
export function createUnionType(node: UnionTypeDefinitionNode, scope: TypeScope): GraphQLUnionType {
  return new GraphQLUnionType({
    name: node.name.value,
    ...descriptionOf(node),
    types: () => typesNamed<GraphQLObjectType>(node.types, scope),
  });
}

/** Creates an input type, whose fields are created when they are first read. */
export function createInputType(node: InputObjectTypeDefinitionNode, scope: TypeScope): GraphQLInputObjectType {
  const { fields = [] } = node;
  const deferred = fields.filter(({ defaultValue }) => hasObject(defaultValue));
  const config = {
    name: node.name.value,
    ...descriptionOf(node),
    fields: () => inputsOf(fields.map(withoutObjectDefault), scope),
    isOneOf: getDirectiveValues(GraphQLOneOfDirective, node) !== undefined,
  };
  return deferred.length === 0 ? new GraphQLInputObjectType(config) : new InputTypeWithDefaults(config, deferred);
}

const LOCATIONS = Object.values(DirectiveLocation);

/** Creates a directive. */
export function createPublicDirective(node: DirectiveDefinitionNode, scope: TypeScope): GraphQLDirective {
  return new GraphQLDirective({
    name: node.name.value,
    ...descriptionOf(node),
    locations: node.locations.flatMap(({ value }) => LOCATIONS.find((location) => location.valueOf() === value) ?? []),
    isRepeatable: node.repeatable,
    args: inputsOf(node.arguments, scope),
  });
}

/** Configuration of an object type or interface. */
export interface ObjectTypeConfig {
  readonly name: string;
  readonly description?: string;
  readonly fields: () => GraphQLFieldConfigMap<unknown, unknown>;
  readonly interfaces: () => readonly GraphQLInterfaceType[];
}

/**
 * Returns the configuration of an object type or interface.
 *
 * @param read parses the definition. It is called when the fields or the interfaces are first read.
 */
export function configureObjectType(
  { name, description }: Pick<ObjectTypeConfig, 'name' | 'description'>,
  read: () => ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode,
  scope: TypeScope,
): ObjectTypeConfig {
  let interfaces: readonly NamedTypeNode[] | undefined;
  return {
    name,
    ...(description === undefined ? {} : { description }),
    fields() {
      const definition = read();
      interfaces = definition.interfaces ?? [];
      const fields: GraphQLFieldConfigMap<unknown, unknown> = Object.create(null);
      for (const node of definition.fields ?? []) if (!scope.isHidden(node)) fields[node.name.value] = fieldOf(node, scope);
      return fields;
    },
    interfaces: () => typesNamed<GraphQLInterfaceType>(interfaces ?? read().interfaces, scope),
  };
}

/** Creates a field without its type. */
export function createField(node: FieldDefinitionNode, scope: TypeScope): GraphQLField<unknown, unknown> {
  const { value: name } = node.name;
  const field = new GraphQLObjectType({ name: 'Part', fields: { [name]: fieldOf(node, scope) } }).getFields()[name];
  if (field === undefined) throw new Error(`The field ${name} was not created.`);
  return field;
}

function typesNamed<T extends GraphQLNamedType>(nodes: readonly NamedTypeNode[] = [], scope: TypeScope): T[] {
  return nodes.flatMap(({ name }) => (scope.typeNamed(name.value) as T | undefined) ?? []);
}

function fieldOf(node: FieldDefinitionNode, scope: TypeScope): GraphQLFieldConfig<unknown, unknown> {
  const type = typeOf(node.type, scope) as GraphQLOutputType;
  const hasArguments = node.arguments !== undefined && node.arguments.length > 0;
  return { type, ...descriptionOf(node), ...(hasArguments ? { args: inputsOf(node.arguments, scope) } : {}), ...deprecationOf(node) };
}

function inputsOf(
  nodes: readonly InputValueDefinitionNode[] = [],
  scope: TypeScope,
): Record<string, GraphQLArgumentConfig & GraphQLInputFieldConfig> {
  const inputs: Record<string, GraphQLArgumentConfig & GraphQLInputFieldConfig> = Object.create(null);
  for (const node of nodes) {
    if (scope.isHidden(node)) continue;
    const type = typeOf(node.type, scope) as GraphQLInputType;
    const defaultValue = valueFromAST(node.defaultValue, type);
    inputs[node.name.value] = { type, ...descriptionOf(node), defaultValue, ...deprecationOf(node) };
  }
  return inputs;
}

function typeOf(node: TypeNode, scope: TypeScope): GraphQLType {
  if (node.kind === Kind.LIST_TYPE) return new GraphQLList(typeOf(node.type, scope));
  if (node.kind === Kind.NON_NULL_TYPE) return new GraphQLNonNull(typeOf(node.type, scope));
  const type = scope.typeNamed(node.name.value);
  if (type === undefined) throw new Error(`Unknown type: "${node.name.value}".`);
  return type;
}

function descriptionOf({ description }: Described): { readonly description?: string } {
  return description === undefined ? {} : { description: description.value };
}

function deprecationOf({ directives = [] }: Annotated): { readonly deprecationReason?: string } {
  if (directives.length === 0) return {};
  const reason = getDirectiveValues(GraphQLDeprecatedDirective, { directives })?.['reason'];
  return typeof reason === 'string' ? { deprecationReason: reason } : {};
}
