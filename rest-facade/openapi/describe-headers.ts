import type { Header } from './openapi-document.ts';

const text = (description: string, more: Partial<Header> = {}): Header => ({ description, schema: { type: 'string' }, ...more });
const count = (description: string, more: Partial<Header> = {}): Header => ({
  description,
  schema: { type: 'integer', minimum: 0 },
  ...more,
});

/** Headers of answers, by the names under which the description keeps them. */
export const RESPONSE_HEADERS = {
  'X-Correlation-Id': text('Names the request in our logs: the one that was sent, or one of ours.', {
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
  }),
  'Cache-Control': text('Who may keep the answer, and for how long (RFC 9111).', { required: true }),
  Vary: text('Headers of the request that the answer depends on.'),
  ETag: text('The state of what is shown, for `If-None-Match` and `If-Match`; absent where it cannot be told.', {
    schema: { type: 'string', pattern: '^(?:W/)?"[^"]*"$' },
  }),
  'Last-Modified': text('When the resource was last changed; absent where it cannot be told.'),
  'Idempotent-Replayed': text(
    '`true` where the answer is that to an earlier request with the same Idempotency-Key; one that was too large to be kept has no body then.',
    {
      schema: { type: 'string', enum: ['true'] },
    },
  ),
  'Preference-Applied': text('What of `Prefer` was heeded (RFC 7240).'),
  Location: text('Address of what was created.', { required: true, schema: { type: 'string', format: 'uri-reference' } }),
  'Content-Location': text('Address at which the body is found again.', { schema: { type: 'string', format: 'uri-reference' } }),
  Link: text(
    'Where to go from here, by `rel` (RFC 8288): first, prev, next and last page; successor-version, deprecation and sunset of what ends.',
  ),
  'X-Total-Count': count('How many items all pages have together; absent where nobody has counted.'),
  'API-Version': text('The version that answered.', { required: true, schema: { type: 'integer', minimum: 1 } }),
  'API-Version-If-Known': text('The version that answered; absent where the request was refused before it was known.', {
    schema: { type: 'integer', minimum: 1 },
  }),
  Deprecation: text('From when on this should not be used (RFC 9745).', { schema: { type: 'string', pattern: '^@\\d+$' } }),
  Sunset: text('When it is gone (RFC 8594).'),
  'RateLimit-Policy': text('What the caller may spend, and in which time; absent where it is not told.'),
  RateLimit: text('What is left of it.'),
  'Retry-After': count('After how many seconds it makes sense to try again.', { required: true }),
  'Retry-After-If-Known': count('After how many seconds it makes sense to try again; absent where trying again is no use.'),
  'WWW-Authenticate': text('How callers may prove who they are (RFC 9110, section 11.6.1).', { required: true }),
  'Accept-Post': text('Media types of bodies that POST takes here.'),
  'Accept-Patch': text('Media types of bodies that PATCH takes here.'),
  Accept: text('Media types of bodies that this method takes here.'),
  'Accept-Encoding': text('Content codings of bodies that are taken here (RFC 7694); told where another one was sent.'),
} as const satisfies Readonly<Record<string, Header>>;

export type HeaderName = keyof typeof RESPONSE_HEADERS;

/** What the name of a header ends in that is there always in some answers, and now and then in others. */
const IF_KNOWN = /-If-Known$/;

/** References to headers that the components have. */
export function headerReferences(names: readonly HeaderName[]): Readonly<Record<string, { readonly $ref: string }>> {
  return Object.fromEntries(names.map((name) => [name.replace(IF_KNOWN, ''), { $ref: `#/components/headers/${name}` }]));
}
