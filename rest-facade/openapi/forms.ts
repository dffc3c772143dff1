import { type BodyShape, JSON_TYPE, vendorType } from '../request/read-accept.ts';
import type { Content, JsonSchema } from './openapi-document.ts';

/** A media type of answers, and how a resource is put into it. */
export interface Form {
  readonly mediaType: string;
  readonly shape: BodyShape;
}

const SHAPES: readonly BodyShape[] = ['plain', 'envelope', 'links'];

/** Every media type in which a version is answered. */
export function formsOf(vendor: string, version: number): readonly Form[] {
  return [
    { mediaType: JSON_TYPE, shape: 'plain' },
    ...SHAPES.map((shape): Form => ({ mediaType: vendorType(vendor, shape), shape })),
    ...SHAPES.map((shape): Form => ({ mediaType: vendorType(vendor, shape, version), shape })),
  ];
}

/** Bodies in all forms. */
export function contentOf(forms: readonly Form[], schemas: Readonly<Record<BodyShape, JsonSchema>>): Content {
  return Object.fromEntries(forms.map(({ mediaType, shape }) => [mediaType, { schema: schemas[shape] }]));
}
