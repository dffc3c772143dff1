import { type GraphQLEnumType, type GraphQLLeafType, type GraphQLScalarType, isEnumType } from 'graphql';
import { MAX_INT, MIN_INT } from '../../compile/bindings/text-reader.ts';
import { MAX_INTEGER_ID } from '../../compile/integer-id.ts';
import type { JsonSchema } from '../openapi-document.ts';
import type { Components } from './components.ts';

/** An ID that is written as a JSON integer. Larger integers would lose precision in JSON parsers that use doubles. */
export const INTEGER_ID: JsonSchema = { type: 'integer', format: 'int64', minimum: 0, maximum: MAX_INTEGER_ID };

/** Schemas of widespread custom scalars, by their usual names. */
const CUSTOM_SCALARS: ReadonlyMap<string, JsonSchema> = new Map(
  Object.entries<JsonSchema>({
    DateTime: { type: 'string', format: 'date-time' },
    Date: { type: 'string', format: 'date' },
    Time: { type: 'string', format: 'time' },
    Duration: { type: 'string', format: 'duration' },
    EmailAddress: { type: 'string', format: 'email' },
    URL: { type: 'string', format: 'uri' },
    URI: { type: 'string', format: 'uri' },
    UUID: { type: 'string', format: 'uuid' },
    JSONObject: { type: 'object', additionalProperties: true },
  }),
);

/** Returns the schema of a leaf type in responses. An unknown scalar can be any JSON value. */
export function leafSchema(type: GraphQLLeafType, components: Components): JsonSchema {
  return isEnumType(type) ? components.refer(`enum ${type.name}`, type.name, () => enumSchema(type)) : scalarSchema(type);
}

/** Returns the schema of an enum without a component name. */
export function enumSchema(type: GraphQLEnumType): JsonSchema {
  const names = type.getValues().map(({ name }) => name);
  return { type: 'string', enum: names, ...described(type.description) };
}

function scalarSchema(type: GraphQLScalarType): JsonSchema {
  switch (type.name) {
    case 'Int':
      return { type: 'integer', format: 'int32', minimum: MIN_INT, maximum: MAX_INT };
    case 'Float':
      return { type: 'number', format: 'double' };
    case 'Boolean':
      return { type: 'boolean' };
    case 'String':
    case 'ID':
      return { type: 'string' };
    default:
      return CUSTOM_SCALARS.get(type.name) ?? described(type.description ?? `A value of type ${type.name}.`);
  }
}

/** Makes a schema nullable. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (typeof type === 'string') return { ...schema, type: [type, 'null'], ...(values === undefined ? {} : { enum: [...values, null] }) };
  if (Array.isArray(type)) return { ...schema, type: [...type, 'null'] };
  return isAnything(schema) ? schema : { anyOf: [schema, { type: 'null' }] };
}

/** Whether a schema has no constraint, so that it already accepts null. */
function isAnything({ description: _description, deprecated: _deprecated, ...rest }: JsonSchema): boolean {
  return Object.keys(rest).length === 0;
}

/** Returns the description from the graph as part of a schema. */
export function described(description: string | null | undefined): Pick<JsonSchema, 'description'> {
  return description === null || description === undefined || description === '' ? {} : { description };
}
