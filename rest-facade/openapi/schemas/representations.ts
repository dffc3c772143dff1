import type { PageBinding } from '../../compile/bindings/paging.ts';
import { type BodyShape, servedTypes } from '../../request/negotiation/content-negotiation.ts';
import type { Content, JsonSchema } from '../openapi-document.ts';
import type { Components } from './components.ts';
import { oneOf, type PageItems, pageKinds } from './page-schema.ts';

/** A media type of responses, with the shape of its body. */
export interface DescribedRepresentation {
  readonly mediaType: string;
  readonly shape: BodyShape;
}

/**
 * Returns the described media types: those without a version. Their counterparts with the version have the same bodies, so a sentence in
 * the description of the interface replaces them.
 */
export function representationsOf(vendor: string): readonly DescribedRepresentation[] {
  return servedTypes(vendor).map(({ type, shape }) => ({ mediaType: type, shape }));
}

/** Returns the bodies for all media types. */
export function contentOf(representations: readonly DescribedRepresentation[], schemas: Readonly<Record<BodyShape, JsonSchema>>): Content {
  return Object.fromEntries(representations.map(({ mediaType, shape }) => [mediaType, { schema: schemas[shape] }]));
}

const REQUEST_ID: JsonSchema = { type: 'string', description: 'Id of the request in the logs.' };

/** Describes a resource in `data`, with its metadata in `meta`. */
export function inEnvelope(name: string, schema: JsonSchema, components: Components): JsonSchema {
  return components.refer(`envelope ${JSON.stringify(schema)}`, `${name}Envelope`, () =>
    envelope(
      schema,
      components.refer('meta', 'Meta', () => metaSchema({})),
    ),
  );
}

/** Describes the items of a page in `data`, with the members of the page object in `meta`. */
export function pageInEnvelope(binding: PageBinding, { name, schema }: PageItems, components: Components): JsonSchema {
  const meta = oneOf(
    pageKinds(binding).map(({ suffix, properties, optional }) =>
      components.refer(`meta ${suffix}`, `${suffix}Meta`, () => metaSchema(properties, optional)),
    ),
  );
  return components.refer(`page envelope ${JSON.stringify([schema, meta])}`, `${name}PageEnvelope`, () =>
    envelope({ type: 'array', items: schema }, meta),
  );
}

function envelope(data: JsonSchema, meta: JsonSchema): JsonSchema {
  return { type: 'object', properties: { data, meta }, required: ['data', 'meta'] };
}

const PARTIAL: JsonSchema = {
  type: 'array',
  description: 'Fields that could not be resolved and are null. Absent if the resource is complete.',
  items: {
    type: 'object',
    properties: { field: { type: 'string' }, code: { type: 'string' } },
    required: ['field', 'code'],
  },
};

function metaSchema(facts: Readonly<Record<string, JsonSchema>>, optional: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  const properties = { requestId: REQUEST_ID, ...facts, ...optional, partial: PARTIAL };
  return { type: 'object', properties, required: ['requestId', ...Object.keys(facts)] };
}
