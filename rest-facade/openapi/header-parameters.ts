import { COUNT_PARAMETER } from '../compile/result/collection.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import type { Parameter, Reference } from './openapi-document.ts';

const TAG = '(?:W/)?"[!#-~]*"';
/** Entity tags as they are read (RFC 9110, section 8.8.3), but for the bytes beyond ASCII that are only there for old senders. */
const TAGS = `^(?:\\*|${TAG}(?:[ \\t]*,[ \\t]*${TAG})*)$`;

/** A key as it is read: a word, or a quoted text with quotes and backslashes escaped. What is escaped counts once. */
const KEY = '^(?:[!#-+.-:<-\\[\\]-~-]{1,255}|"(?:[ !#-\\[\\]-~]|\\\\["\\\\]){1,255}")$';
/** Of a key in quotes of which all is escaped. @unit characters */
const LONGEST_KEY = 512;

const LENIENT = '`handling=lenient`: parameters that are not known are passed over (RFC 7240).';

/** Headers of requests that more than one operation reads, by the names under which the description keeps them. */
export const HEADER_PARAMETERS = {
  CorrelationId: {
    name: 'X-Correlation-Id',
    in: 'header',
    description: 'Names the request in logs, ours and yours. Anything else than this is replaced.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A value of your own that is new for each new request, and the same when a request is sent again: it takes effect once. 1 to 255 printable ASCII characters; in quotes where there are spaces, commas or semicolons.',
    schema: { type: 'string', minLength: 1, maxLength: LONGEST_KEY, pattern: KEY },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Entity tags of what is there already: 304 where one of them is the current one.',
    schema: { type: 'string', pattern: TAGS },
  },
  IfNoneMatchOfWrites: {
    name: 'If-None-Match',
    in: 'header',
    description:
      'Entity tags of states in which it must not be: 412 where one of them is of the current version. `*` is always 412: something is there.',
    schema: { type: 'string', pattern: TAGS },
  },
  IfModifiedSince: {
    name: 'If-Modified-Since',
    in: 'header',
    description: 'A date: 304 where nothing was changed since. Passed over beside `If-None-Match`.',
    schema: { type: 'string' },
  },
  IfUnmodifiedSince: {
    name: 'If-Unmodified-Since',
    in: 'header',
    description: 'A date: 412 where something was changed since. Passed over beside `If-Match`, and where `Last-Modified` is not told.',
    schema: { type: 'string' },
  },
  IfMatchOfReads: {
    name: 'If-Match',
    in: 'header',
    description:
      'Entity tags of what is expected, in the same form and coding: 412 where none of them is the current one. Weak ones are none.',
    schema: { type: 'string', pattern: TAGS },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'Entity tag of what is to be changed: 412 where somebody else has changed it since.',
    schema: { type: 'string', pattern: TAGS },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'Id of the last event that has arrived: the stream goes on after it.',
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
    description: `\`count=none\`: the totals are left out, as by the parameter \`count\`. ${LENIENT}`,
    schema: { type: 'string' },
  },
  PreferOfWrites: {
    name: 'Prefer',
    in: 'header',
    description: `\`return=minimal\`: what was written is not shown. ${LENIENT}`,
    schema: { type: 'string' },
  },
} as const satisfies Readonly<Record<string, Parameter>>;

/** Headers that a route reads, in the order in which readers look for them. */
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
