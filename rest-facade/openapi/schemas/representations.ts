import type { PageBinding } from '../../compile/bindings/paging.ts';
import { type BodyShape, servedTypes } from '../../request/negotiation/content-negotiation.ts';
import type { Content, JsonSchema } from '../openapi-document.ts';
import type { Components } from './components.ts';
import { oneOf, type PageItems, pageKinds } from './page-schema.ts';

/** A media type of answers, and how a resource is put into it. */
export interface Form {
  readonly mediaType: string;
  readonly shape: BodyShape;
}

/** Every media type in which a version is answered. */
export function formsOf(vendor: string, version: number): readonly Form[] {
  return servedTypes(vendor, version).map(({ type, shape }) => ({ mediaType: type, shape }));
}

/** Bodies in all forms. */
export function contentOf(forms: readonly Form[], schemas: Readonly<Record<BodyShape, JsonSchema>>): Content {
  return Object.fromEntries(forms.map(({ mediaType, shape }) => [mediaType, { schema: schemas[shape] }]));
}

const REQUEST_ID: JsonSchema = { type: 'string', description: 'Names the request in our logs.' };

/** A resource as `data`, and what is told about it as `meta`. */
export function inEnvelope(name: string, schema: JsonSchema, components: Components): JsonSchema {
  return components.refer(`envelope ${JSON.stringify(schema)}`, `${name}Envelope`, () =>
    envelope(
      schema,
      components.refer('meta', 'Meta', () => metaSchema({})),
    ),
  );
}

/** The items of a page as `data`; what the page object says of them is told by `meta`. */
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
  description: 'Parts that could not be had, and are null; absent where nothing is missing.',
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
