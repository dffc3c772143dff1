import { COUNT_PARAMETER } from '../compile/result/collection.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import type { Parameter, Reference } from './openapi-document.ts';

const TAG = '(?:W/)?"[!#-~]*"';
/** Pattern of entity tags (RFC 9110, section 8.8.3). Bytes beyond ASCII, which are allowed only for compatibility, are excluded. */
const TAGS = `^(?:\\*|${TAG}(?:[ \\t]*,[ \\t]*${TAG})*)$`;

/**
 * Pattern of an idempotency key: a token, or a quoted string in which quotes and backslashes are escaped. An escaped character counts as
 * one character.
 */
const KEY = '^(?:[!#-+.-:<-\\[\\]-~-]{1,255}|"(?:[ !#-\\[\\]-~]|\\\\["\\\\]){1,255}")$';
/** Length of a quoted key in which every character is escaped. @unit characters */
const LONGEST_KEY = 512;

const LENIENT = 'With `handling=lenient`, unknown parameters are ignored (RFC 7240).';

/** Request headers of more than one operation, by their names in the components. */
export const HEADER_PARAMETERS = {
  CorrelationId: {
    name: 'X-Correlation-Id',
    in: 'header',
    description: 'Id of the request for logs. A value that does not match the pattern is replaced by a generated one.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A unique value for each new request. A repeated request with the same value takes effect only once. 1 to 255 printable ASCII characters, in quotes if they include spaces, commas or semicolons.',
    schema: { type: 'string', minLength: 1, maxLength: LONGEST_KEY, pattern: KEY },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Entity tags that the client has stored. The response is 304 if one of them is current.',
    schema: { type: 'string', pattern: TAGS },
  },
  IfNoneMatchOfWrites: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'Entity tags of states in which the resource must not be changed. The response is 412 if one of them is current, and always for `*`.',
    schema: { type: 'string', pattern: TAGS },
  },
  IfModifiedSince: {
    name: 'If-Modified-Since',
    in: 'header',
    description: 'A date. The response is 304 if the resource has not changed since then. Ignored if `If-None-Match` is sent.',
    schema: { type: 'string' },
  },
  IfUnmodifiedSince: {
    name: 'If-Unmodified-Since',
    in: 'header',
    description: 'A date. The response is 412 if the resource has changed since then. Ignored with `If-Match` or without `Last-Modified`.',
    schema: { type: 'string' },
  },
  IfMatchOfReads: {
    name: 'If-Match',
    in: 'header',
    description: 'Expected entity tags, for the same media type and content coding. The response is 412 if none of them is current.',
    schema: { type: 'string', pattern: TAGS },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'Entity tag of the resource to change. The response is 412 if the resource has changed since then.',
    schema: { type: 'string', pattern: TAGS },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'Id of the last received event. The stream continues after it.',
    schema: { type: 'string', maxLength: 256 },
  },
  PreferOfReads: {
    name: 'Prefer',
    in: 'header',
    description: LENIENT,
    schema: { type: 'string' },
  },
  PreferOfPages: {
    name: 'Prefer',
    in: 'header',
    description: `With \`count=none\`, the totals are omitted, as with the parameter \`count\`. ${LENIENT}`,
    schema: { type: 'string' },
  },
  PreferOfWrites: {
    name: 'Prefer',
    in: 'header',
    description: `With \`return=minimal\`, the response has no body. ${LENIENT}`,
    schema: { type: 'string' },
  },
} as const satisfies Readonly<Record<string, Parameter>>;

/** Describes the headers that a route reads. */
export function headerParameters({ bindings, method, isStream }: RestRoute): readonly (Parameter | Reference)[] {
  if (isStream) return [shared('LastEventId'), shared('CorrelationId')];
  const { idempotencyKey, ifMatch, parameters } = bindings;
  if (method === 'GET') {
    const prefer = parameters.has(COUNT_PARAMETER) ? 'PreferOfPages' : 'PreferOfReads';
    const names = ['IfNoneMatch', 'IfModifiedSince', 'IfMatchOfReads', 'IfUnmodifiedSince', prefer, 'CorrelationId'] as const;
    return names.map((name) => shared(name));
  }
  const isKeyed = method === 'POST' || method === 'PATCH';
  return [
    ...(isKeyed ? [shared('IdempotencyKey', idempotencyKey?.isRequired)] : []),
    ...(ifMatch === undefined ? [] : [shared('IfMatch', ifMatch.isRequired), shared('IfNoneMatchOfWrites'), shared('IfUnmodifiedSince')]),
    shared('PreferOfWrites'),
    shared('CorrelationId'),
  ];
}

function shared(name: keyof typeof HEADER_PARAMETERS, isRequired = false): Parameter | Reference {
  return isRequired ? { ...HEADER_PARAMETERS[name], required: true } : { $ref: `#/components/parameters/${name}` };
}
