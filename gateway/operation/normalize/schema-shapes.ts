import {
  getNamedType,
  type GraphQLCompositeType,
  type GraphQLInputType,
  type GraphQLSchema,
  isCompositeType,
  isUnionType,
  type OperationTypeNode,
} from 'graphql';

/** Fields of a composite type, as needed to normalize operations. */
export interface TypeShape {
  /** Returns a field, or undefined if the type does not have it. */
  field(name: string): SchemaFieldShape | undefined;
}

export interface SchemaFieldShape {
  /** Arguments by name; absent if the field has none. */
  readonly arguments?: ReadonlyMap<string, ArgumentShape>;
  /** Type of the field; absent for leaves. */
  readonly type?: TypeShape;
}

export interface ArgumentShape {
  readonly type: GraphQLInputType;
  /** Type as written in a document. */
  readonly typeText: string;
}

export interface SchemaShapes {
  /** Returns the root type, or undefined if the schema does not have it. */
  root(operation: OperationTypeNode): TypeShape | undefined;
  /** Returns a composite type by name, or undefined if it does not exist or has no fields. */
  named(type: string): TypeShape | undefined;
}

/** Creates the shapes of the types of a schema, each on its first use. */
export function shapesOf(schema: GraphQLSchema): SchemaShapes {
  const shapes = new Map<GraphQLCompositeType, TypeShape>();
  const shapeOf = (type: GraphQLCompositeType): TypeShape => {
    let shape = shapes.get(type);
    if (shape === undefined) {
      shape = createTypeShape(type, shapeOf);
      shapes.set(type, shape);
    }
    return shape;
  };
  const shapeIfAny = (type: unknown): TypeShape | undefined => (isCompositeType(type) ? shapeOf(type) : undefined);
  return {
    root: (operation) => shapeIfAny(schema.getRootType(operation)),
    named: (type) => shapeIfAny(schema.getType(type)),
  };
}

/** `__typename` exists on every type, takes no arguments and is a leaf. */
const TYPENAME: SchemaFieldShape = {};

function createTypeShape(type: GraphQLCompositeType, shapeOf: (type: GraphQLCompositeType) => TypeShape): TypeShape {
  const fields = new Map<string, SchemaFieldShape>([['__typename', TYPENAME]]);
  const definitions = isUnionType(type) ? {} : type.getFields();
  return {
    field(name) {
      const known = fields.get(name);
      if (known !== undefined) return known;
      const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
      if (definition === undefined) return undefined;
      const below = getNamedType(definition.type);
      const shape: SchemaFieldShape = {
        ...(definition.args.length > 0
          ? {
              arguments: new Map(
                definition.args.map((argument) => [argument.name, { type: argument.type, typeText: String(argument.type) }]),
              ),
            }
          : {}),
        ...(isCompositeType(below) ? { type: shapeOf(below) } : {}),
      };
      fields.set(name, shape);
      return shape;
    },
  };
}
