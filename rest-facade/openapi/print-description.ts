import { stringify } from 'yaml';
import type { OpenApiDocument } from './openapi-document.ts';

export type DescriptionFormat = 'json' | 'yaml';

/** A description as text. */
export function printDescription(document: OpenApiDocument, format: DescriptionFormat): string {
  // Equal parts are written out: readers of OpenAPI need not know YAML's anchors.
  return format === 'json'
    ? `${JSON.stringify(document, undefined, 2)}\n`
    : stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
}
