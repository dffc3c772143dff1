import type { ApiOperation } from '../openapi/read-operations.ts';
import type { ReadShape } from '../openapi/schema-shape.ts';
import type { DraftedObject, FieldType } from './drafted-subgraph.ts';
import type { TypeDrafts } from './draft-types.ts';
import { isPlural } from './english-nouns.ts';
import type { OmissionLog } from './omission-log.ts';
import { printValue } from './print-selection.ts';
import { nameResource } from './resource-names.ts';
import { unwrapEnvelope } from './unwrap-envelope.ts';

/** The type of a field and the selection of its connector. */
export interface DraftedResponse {
  readonly type: FieldType;
  readonly path: string;
  readonly object?: DraftedObject;
  readonly selection?: string;
}

/** Result of operations whose responses have no content. */
const NO_CONTENT: DraftedResponse = { type: { name: 'Boolean', levels: ['nullable'] }, path: '', selection: '$(true)' };

/** Drafts the type and the selection of a response. Returns the reason if it cannot be the result of a field. */
export function draftResponse(
  operation: ApiOperation,
  types: TypeDrafts,
  read: ReadShape,
  log: OmissionLog,
): DraftedResponse | { readonly reason: string } {
  if (operation.response === undefined) return NO_CONTENT;
  const { noun, isItem, type: hint } = nameResource(operation);
  const location = `${operation.method} ${operation.path}`;
  const expected = operation.method === 'GET' && !isItem && isPlural(noun) ? 'list' : 'object';
  const { shape, path, omitted } = unwrapEnvelope(operation.response, read, noun, expected);
  if (omitted.length > 0) {
    log.add(`${omitted.join(', ')} of the response of ${location}`, `the field has the value of ${path.replace(/^\$\./, '')} only`);
  }
  const type = types.typeOf(shape, 'output', hint, `the response of ${location}`);
  if ('reason' in type) return { reason: `its response cannot be a field, because ${type.reason}` };
  const nullable: FieldType = { ...type, levels: ['nullable', ...type.levels.slice(1)] };
  const { object } = type;
  return { type: nullable, path, ...(object === undefined ? { selection: printValue(path, type) } : { object }) };
}
