import { type BodyShape, servedTypes } from '../request/negotiation/content-negotiation.ts';
import type { Content, JsonSchema } from './openapi-document.ts';

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
