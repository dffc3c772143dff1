import {
  type GraphQLAbstractType,
  type GraphQLDirective,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  GraphQLSchema,
} from 'graphql';

/**
 * A schema with other directives. Its types are those of the schema, which may create them when they are requested: a copy of the schema
 * would request all of them.
 */
export class SchemaWithDirectives extends GraphQLSchema {
  readonly #schema: GraphQLSchema;

  constructor(schema: GraphQLSchema, directives: readonly GraphQLDirective[]) {
    super({ assumeValid: true, directives: [...directives] });
    this.#schema = schema;
  }

  override getQueryType(): GraphQLObjectType | undefined {
    return this.#schema.getQueryType() ?? undefined;
  }

  override getMutationType(): GraphQLObjectType | undefined {
    return this.#schema.getMutationType() ?? undefined;
  }

  override getSubscriptionType(): GraphQLObjectType | undefined {
    return this.#schema.getSubscriptionType() ?? undefined;
  }

  override getTypeMap(): ReturnType<GraphQLSchema['getTypeMap']> {
    return this.#schema.getTypeMap();
  }

  override getType(name: string): GraphQLNamedType | undefined {
    return this.#schema.getType(name);
  }

  override getImplementations(interfaceType: GraphQLInterfaceType): ReturnType<GraphQLSchema['getImplementations']> {
    return this.#schema.getImplementations(interfaceType);
  }

  override isSubType(abstractType: GraphQLAbstractType, maybeSubType: GraphQLObjectType | GraphQLInterfaceType): boolean {
    return this.#schema.isSubType(abstractType, maybeSubType);
  }
}
