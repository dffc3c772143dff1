import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  astFromValue,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  valueFromASTUntyped,
} from 'graphql';
import type { BodyLimit } from '../compile/bindings/body-limits.ts';
import type { Components } from './components.ts';
import { INTEGER_ID, described, enumSchema, leafSchema, orNull } from './leaf-schema.ts';
import { limited } from './limit-schema.ts';
import type { JsonSchema } from './openapi-document.ts';

/** How clients write the fields of a body. */
export interface BodyWriting {
  /** Fields of type ID that are JSON integers. */
  readonly integers: readonly string[];
  /** Fields that clients call otherwise than the graph. */
  readonly names: readonly { readonly field: string; readonly as: string }[];
  /** Fields that take less than their types do. */
  readonly limits: readonly BodyLimit[];
}

export const AS_THE_GRAPH: BodyWriting = { integers: [], names: [], limits: [] };

/** The schema of a body: a component with the name of its input type. What is not named in it is refused. */
export function bodySchema(type: GraphQLInputObjectType, writing: BodyWriting, components: Components): JsonSchema {
  const names = writing.names.map(({ field, as }) => `${field}:${as}`);
  const limits = writing.limits.length === 0 ? '' : ` ${JSON.stringify(writing.limits)}`;
  const key = `input ${type.name} ${[...writing.integers].sort().join(',')} ${names.sort().join(',')}${limits}`;
  return components.refer(key, type.name, () => objectSchema(type, writing, components));
}

function objectSchema(type: GraphQLInputObjectType, { integers, names, limits }: BodyWriting, components: Components): JsonSchema {
  const fields = Object.values(type.getFields());
  const nameOf = (field: string): string => names.find((known) => known.field === field)?.as ?? field;
  const required = fields.filter((field) => isNonNullType(field.type) && field.defaultValue === undefined).map(({ name }) => nameOf(name));
  const properties = fields.map(({ name, type: fieldType, description, defaultValue, deprecationReason }) => {
    const whole = integers.includes(name) ? integerSchema(fieldType) : inputSchema(fieldType, components);
    const schema = limited(
      whole,
      limits.find(({ field }) => field === name),
    );
    const fallback = defaultValue === undefined ? {} : { default: toJson(defaultValue, fieldType) };
    const notes = schema.$ref === undefined ? described(description) : {};
    return [
      nameOf(name),
      { ...schema, ...notes, ...fallback, ...(typeof deprecationReason === 'string' ? { deprecated: true } : {}) },
    ] as const;
  });
  return {
    type: 'object',
    ...described(type.description),
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
    ...(type.isOneOf ? { minProperties: 1, maxProperties: 1 } : {}),
    additionalProperties: false,
  };
}

function inputSchema(type: GraphQLInputType, components: Components): JsonSchema {
  if (isNonNullType(type)) return nullableSchema(type.ofType, components);
  if (isEnumType(type)) return orNull(enumSchema(type));
  return orNull(nullableSchema(type, components));
}

function nullableSchema(type: GraphQLInputType, components: Components): JsonSchema {
  if (isListType(type)) return { type: 'array', items: inputSchema(type.ofType, components) };
  if (isInputObjectType(type)) return bodySchema(type, AS_THE_GRAPH, components);
  if (isNonNullType(type)) return inputSchema(type, components);
  // An ID may be sent as either; it is the same one.
  return type.name === 'ID' ? { type: ['string', 'integer'] } : leafSchema(type, components);
}

function integerSchema(type: GraphQLInputType): JsonSchema {
  return isNonNullType(type) ? INTEGER_ID : orNull(INTEGER_ID);
}

/** A default as clients would write it: enums by their names. */
function toJson(value: unknown, type: GraphQLInputType): unknown {
  const node = astFromValue(value, type);
  return node === null || node === undefined ? null : valueFromASTUntyped(node);
}
