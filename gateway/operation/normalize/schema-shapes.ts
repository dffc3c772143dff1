import {
  getNamedType,
  type GraphQLCompositeType,
  type GraphQLInputType,
  type GraphQLSchema,
  isCompositeType,
  isUnionType,
  type OperationTypeNode,
} from 'graphql';

/** What writing an operation down needs to know of a type with fields. */
export interface TypeShape {
  /** Undefined where the type has no such field. */
  field(name: string): FieldShape | undefined;
}

export interface FieldShape {
  /** By name; absent where the field takes none. */
  readonly arguments?: ReadonlyMap<string, ArgumentShape>;
  /** Absent for leaves. */
  readonly type?: TypeShape;
}

export interface ArgumentShape {
  readonly type: GraphQLInputType;
  /** The type as a document writes it. */
  readonly typeText: string;
}

export interface SchemaShapes {
  /** Undefined where the schema has no such root. */
  root(operation: OperationTypeNode): TypeShape | undefined;
  /** Undefined where there is no such type, or none that has fields. */
  named(type: string): TypeShape | undefined;
}

/** Shapes of the types of a schema, each made when it is first asked for. */
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

/** `__typename` stands on every type; it takes no arguments and is a leaf. */
const TYPENAME: FieldShape = {};

function createTypeShape(type: GraphQLCompositeType, shapeOf: (type: GraphQLCompositeType) => TypeShape): TypeShape {
  const fields = new Map<string, FieldShape>([['__typename', TYPENAME]]);
  const definitions = isUnionType(type) ? {} : type.getFields();
  return {
    field(name) {
      const known = fields.get(name);
      if (known !== undefined) return known;
      const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
      if (definition === undefined) return undefined;
      const below = getNamedType(definition.type);
      const shape: FieldShape = {
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
