import {
  astFromValue,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  valueFromASTUntyped,
} from 'graphql';
import type { BodyWriting } from '../../compile/bindings/body.ts';
import { type BodyLimit, NOT_BLANK } from '../../compile/bindings/body-limits.ts';
import type { JsonSchema } from '../openapi-document.ts';
import type { Components } from './components.ts';
import { described, enumSchema, INTEGER_ID, leafSchema, orNull } from './leaf-schema.ts';

const AS_THE_GRAPH: BodyWriting = { integers: [], names: [], limits: [] };

/** Returns the schema of a body: a component with the name of its input type. Fields that are not listed are rejected. */
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
  // An ID can be sent as a string or an integer; both have the same meaning.
  return type.name === 'ID' ? { type: ['string', 'integer'] } : leafSchema(type, components);
}

function integerSchema(type: GraphQLInputType): JsonSchema {
  return isNonNullType(type) ? INTEGER_ID : orNull(INTEGER_ID);
}

/** Converts a default to JSON. Enum values become their names. */
function toJson(value: unknown, type: GraphQLInputType): unknown {
  const node = astFromValue(value, type);
  return node === null || node === undefined ? null : valueFromASTUntyped(node);
}

/** Adds the limits of a field to its schema. */
function limited(schema: JsonSchema, limit: BodyLimit | undefined): JsonSchema {
  if (limit === undefined) return schema;
  const { minItems, maxItems, uniqueItems, notNull } = limit;
  const whole = notNull ? withoutNull(schema) : schema;
  if (whole.items === undefined) return { ...whole, ...valueLimits(whole, limit) };
  return {
    ...whole,
    items: { ...whole.items, ...valueLimits(whole.items, limit) },
    ...(minItems == null ? {} : { minItems }),
    ...(maxItems == null ? {} : { maxItems }),
    ...(uniqueItems ? { uniqueItems } : {}),
  };
}

function valueLimits({ type }: JsonSchema, limit: BodyLimit): JsonSchema {
  const { notBlank, minLength, maxLength, format, values, minimum, maximum, decimals } = limit;
  const least = minLength ?? (notBlank ? 1 : undefined);
  return {
    ...(least === undefined ? {} : { minLength: least }),
    ...(maxLength == null ? {} : { maxLength }),
    ...(notBlank ? { pattern: NOT_BLANK } : {}),
    ...(format == null ? {} : { format }),
    ...(values == null ? {} : { enum: Array.isArray(type) ? [...values, null] : values }),
    ...(minimum == null ? {} : { minimum }),
    ...(maximum == null ? {} : { maximum }),
    ...(decimals == null ? {} : { multipleOf: Number(`1e-${decimals}`) }),
  };
}

function withoutNull({ type, enum: values, anyOf, ...rest }: JsonSchema): JsonSchema {
  const types = Array.isArray(type) ? type.filter((name) => name !== 'null') : type;
  const [only] = Array.isArray(types) && types.length === 1 ? types : [types];
  const choices = anyOf?.filter((choice) => choice.type !== 'null');
  const [sole] = choices ?? [];
  return {
    ...(choices?.length === 1 ? sole : choices === undefined ? {} : { anyOf: choices }),
    ...(only === undefined ? {} : { type: only }),
    ...(values === undefined ? {} : { enum: values.filter((value) => value !== null) }),
    ...rest,
  };
}
