import { isApiObject } from '../openapi/api-value.ts';
import { hasUnwritableCharacters } from '../openapi/read-operations.ts';
import type { ObjectShape, ReadShape, SchemaShape } from '../openapi/schema-shape.ts';
import { wordsOf } from './graphql-names.ts';
import { singular } from './english-nouns.ts';
import { quoted } from './print-selection.ts';

/** The value of a response, without the object around it. */
export interface Unwrapped {
  readonly shape: SchemaShape;
  /** Path of the mapping language: `$.data`. Empty without an envelope. */
  readonly path: string;
  /** Properties of the envelope that are left out. */
  readonly omitted: readonly string[];
}

/** Names of properties that contain the items of a collection. */
const LIST_CONTENT: ReadonlySet<string> = new Set([
  ...'data items results result records entries content contents values value list rows'.split(' '),
  ...'elements objects payload response resources collection'.split(' '),
]);

/** Names of properties that contain one resource. A name such as `result` is often a property of the resource itself. */
const OBJECT_CONTENT: ReadonlySet<string> = new Set(['data', 'item', 'record', 'entry', 'payload', 'resource']);

/** Names of properties that describe a response. */
const DESCRIPTION =
  /^_?(?:meta|metadata|links?|page|pages|paging|pagination|pager|total|count|size|limit|offset|cursor|next|prev|previous|first|last|has|is|more|status|success|ok|code|message|errors?|warnings?|version|object|kind|type|etag|self|per|current|number|sort|empty|request|timestamp)/i;

/**
 * Removes the envelope of a response, such as `{ "data": […], "meta": {…} }`.
 *
 * @param noun name of the resource, whose plural or singular may be the name of the property
 * @param expected kind of the value, according to the path of the operation
 */
export function unwrapEnvelope(shape: SchemaShape, read: ReadShape, noun: string, expected: 'list' | 'object'): Unwrapped {
  const whole: Unwrapped = { shape, path: '', omitted: [] };
  if (shape.kind !== 'object') return whole;
  const found = contentOf(shape, read, noun, expected);
  if (found === undefined) return whole;
  const path = `$.${quoted(found.name)}`;
  const omitted = [...shape.properties.keys()].filter((name) => name !== found.name);
  // Hypertext of HAL nests the list once more: `_embedded.users`.
  if (found.shape.kind === 'object' && found.name.endsWith('embedded')) {
    const inner = contentOf(found.shape, read, noun, 'list');

    return inner === undefined ? whole : { shape: inner.shape, path: `${path}.${quoted(inner.name)}`, omitted };
  }
  return { shape: found.shape, path, omitted };
}

function contentOf(
  { properties }: ObjectShape,
  read: ReadShape,
  noun: string,
  expected: 'list' | 'object',
): { readonly name: string; readonly shape: SchemaShape } | undefined {
  const nouns = new Set([noun.toLowerCase(), singular(noun).toLowerCase()]);
  const shapes = [...properties].map(([name, schema]) => ({ name, shape: isApiObject(schema) ? read(schema) : undefined }));
  const named = shapes.filter(({ name, shape }) => {
    if (shape === undefined || hasUnwritableCharacters(name)) return false;
    const isEmbedded = expected === 'list' && shape.kind === 'object' && /^_?embedded$/.test(name);
    if (shape.kind !== expected && !isEmbedded) return false;
    const content = expected === 'list' ? LIST_CONTENT : OBJECT_CONTENT;
    return isEmbedded || content.has(name.toLowerCase()) || nouns.has(wordsOf(name).join('').toLowerCase());
  });
  const [only, ...more] = named;
  if (only?.shape === undefined || more.length > 0) return undefined;
  const describesOnly = shapes.every(({ name }) => name === only.name || DESCRIPTION.test(name));
  return describesOnly ? { name: only.name, shape: only.shape } : undefined;
}
