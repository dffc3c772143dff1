import {
  type ConstDirectiveNode,
  type FieldDefinitionNode,
  getDirectiveValues,
  type GraphQLArgument,
  GraphQLDeprecatedDirective,
  type GraphQLField,
  type GraphQLFieldMap,
  type GraphQLInputType,
  type GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLType,
  type InputValueDefinitionNode,
  introspectionTypes,
  Kind,
  specifiedScalarTypes,
  type TypeNode,
  valueFromAST,
} from 'graphql';

/** Type with fields of the public schema. */
type TypeWithFields = GraphQLObjectType | GraphQLInterfaceType;

const NO_ARGUMENTS: readonly GraphQLArgument[] = Object.freeze([]);
const NO_EXTENSIONS = Object.freeze(Object.create(null) as Record<string, never>);

/**
 * Creates a function that sets the fields of a type. GraphQL.js would first create a configuration of each field, with tables and lists for
 * arguments and extensions even if there are none (ADR 116).
 *
 * The function throws an error when a type is not known.
 *
 * @param types all types of the schema
 */
export function createFieldSetter(types: readonly GraphQLNamedType[]): (type: TypeWithFields) => void {
  // Types of GraphQL itself take precedence over equal names, as in GraphQL.js.
  const named = new Map([...types, ...introspectionTypes, ...specifiedScalarTypes].map((type) => [type.name, type]));
  /** Types by reference. Equal references are the same node. */
  const referenced = new Map<TypeNode, GraphQLType>();

  function typeOf(node: TypeNode): GraphQLType {
    const known = referenced.get(node);
    if (known !== undefined) return known;
    const type = createReferenced(node);
    referenced.set(node, type);
    return type;
  }

  function createReferenced(node: TypeNode): GraphQLType {
    if (node.kind === Kind.LIST_TYPE) return new GraphQLList(typeOf(node.type));
    if (node.kind === Kind.NON_NULL_TYPE) return new GraphQLNonNull(typeOf(node.type));
    const type = named.get(node.name.value);
    if (type === undefined) throw new Error(`Unknown type: "${node.name.value}".`);
    return type;
  }

  function createArgument(node: InputValueDefinitionNode): GraphQLArgument {
    const type = typeOf(node.type) as GraphQLInputType;
    return {
      name: node.name.value,
      description: node.description?.value,
      type,
      defaultValue: valueFromAST(node.defaultValue, type),
      deprecationReason: deprecationReasonIn(node.directives),
      extensions: NO_EXTENSIONS,
      astNode: node,
    };
  }

  function createField(node: FieldDefinitionNode): GraphQLField<unknown, unknown> {
    const { arguments: parameters = [] } = node;
    return {
      name: node.name.value,
      description: node.description?.value,
      type: typeOf(node.type) as GraphQLOutputType,
      args: parameters.length === 0 ? NO_ARGUMENTS : parameters.map(createArgument),
      deprecationReason: deprecationReasonIn(node.directives),
      extensions: NO_EXTENSIONS,
      astNode: node,
    };
  }

  return (type) => {
    const fields: GraphQLFieldMap<unknown, unknown> = Object.create(null);
    for (const definition of [type.astNode, ...type.extensionASTNodes]) {
      for (const node of definition?.fields ?? []) fields[node.name.value] = createField(node);
    }
    // `getFields` returns this member, which is otherwise a function that creates the fields.
    Object.assign(type, { _fields: fields });
  };
}

function deprecationReasonIn(directives: readonly ConstDirectiveNode[] | undefined): string | undefined {
  if (directives === undefined || directives.length === 0) return undefined;
  return getDirectiveValues(GraphQLDeprecatedDirective, { directives })?.['reason'] as string | undefined;
}
