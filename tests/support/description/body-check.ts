import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonSchema, OpenApiDocument } from '../../../rest-facade/openapi/openapi-document.ts';
import { resolve } from './resolve.ts';

/** Lists the errors of a body against a schema of the description. Empty when the body is valid. */
export type BodyCheck = (schema: JsonSchema, body: unknown, how: { readonly isNarrowed: boolean }) => readonly string[];

/**
 * Creates a check with ajv that is stricter than clients should be: properties that are not described are errors, and a request without
 * `fields` must return the whole resource, although the description also allows a selection.
 */
export function createBodyCheck(document: OpenApiDocument): BodyCheck {
  const variants = new Map<boolean, ReturnType<typeof createVariant>>();
  return (schema, body, { isNarrowed }) => {
    // Created on first use, because few tests narrow a resource.
    const variant = variants.get(isNarrowed) ?? createVariant(document, isNarrowed);
    variants.set(isNarrowed, variant);
    const validate = variant(schema);
    if (validate(body)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message = '', params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
    );
  };
}

function createVariant({ components: { schemas } }: OpenApiDocument, isNarrowed: boolean): (schema: JsonSchema) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const close = (node: unknown): unknown => closed(node, { schemas, isNarrowed });
  const named = Object.entries(schemas).map(([name, schema]) => [name, close(schema)]);
  ajv.addSchema({ $id: 'description', components: { schemas: Object.fromEntries(named) as object } });
  const known = new Map<string, ValidateFunction>();
  return (schema) => {
    const key = JSON.stringify(schema);
    const validate = known.get(key) ?? ajv.compile(absolute(close(schema)) as object);
    known.set(key, validate);
    return validate;
  };
}

interface Closing {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly isNarrowed: boolean;
}

/**
 * Returns a schema without additional properties. A branch of `allOf` knows only some properties, so the enclosing schema is closed
 * instead.
 */
function closed(node: unknown, closing: Closing, isPart = false): unknown {
  if (Array.isArray(node)) return node.map((child) => closed(child, closing));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref, properties, allOf, anyOf, additionalProperties, type } = node as JsonSchema;
  if (isPart && $ref !== undefined) return closed(resolve($ref, closing.schemas), closing, true);
  if (anyOf !== undefined && !closing.isNarrowed && !anyOf.some(isNull)) return closed(anyOf[0], closing, isPart);
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === 'properties') result[key] = closedEach(value as Readonly<Record<string, unknown>>, closing);
    else if (key === 'allOf') result[key] = (value as readonly unknown[]).map((part) => closed(part, closing, true));
    else result[key] = closed(value, closing);
  }
  const isObject = (properties !== undefined && type !== undefined) || allOf !== undefined;
  return isObject && !isPart && additionalProperties === undefined ? { ...result, unevaluatedProperties: false } : result;
}

function isNull({ type }: JsonSchema): boolean {
  return type === 'null';
}

/** Property names are not keywords of the schema. */
function closedEach(properties: Readonly<Record<string, unknown>>, closing: Closing): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, closed(schema, closing)]));
}

/** Returns the schema with references to the components that ajv knows. */
function absolute(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(absolute);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, key === '$ref' ? `description${String(value)}` : absolute(value)]),
  );
}
