import type { Header } from './openapi-document.ts';

const text = (description: string, more: Partial<Header> = {}): Header => ({ description, schema: { type: 'string' }, ...more });
const count = (description: string, more: Partial<Header> = {}): Header => ({
  description,
  schema: { type: 'integer', minimum: 0 },
  ...more,
});

/** Headers of responses, by their names in the components of the OpenAPI document. */
export const RESPONSE_HEADERS = {
  'X-Correlation-Id': text('Identifies the request in the logs: the value from the request, or a generated one.', {
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
  }),
  'Cache-Control': text('Which caches may store the response, and for how long (RFC 9111).', { required: true }),
  Age: count('Age of a cached response in seconds (RFC 9111).'),
  Vary: text('Request headers that select the response.'),
  ETag: text('Entity tag of the representation, for `If-None-Match` and `If-Match`.', {
    schema: { type: 'string', pattern: '^(?:W/)?"[^"]*"$' },
  }),
  'Last-Modified': text('Time of the last change of the resource. Absent if it is unknown.'),
  'Idempotent-Replayed': text(
    '`true` for the stored response to an earlier request with the same Idempotency-Key. It has no body if it was too large to store.',
    {
      schema: { type: 'string', enum: ['true'] },
    },
  ),
  'Preference-Applied': text('Preferences of the header `Prefer` that were applied (RFC 7240).'),
  Location: text('Address of the created resource.', { required: true, schema: { type: 'string', format: 'uri-reference' } }),
  'Content-Location': text('Address from which the representation in the body can be fetched again.', {
    schema: { type: 'string', format: 'uri-reference' },
  }),
  Link: text('Links to other pages, and to the successor and policy of a deprecated endpoint, by `rel` (RFC 8288).'),
  'X-Total-Count': count('Total number of items on all pages. Absent if the items were not counted.'),
  'API-Version': text('Version of the API that served the request.', { required: true, schema: { type: 'integer', minimum: 1 } }),
  Deprecation: text('Time since which the endpoint is deprecated (RFC 9745).', { schema: { type: 'string', pattern: '^@\\d+$' } }),
  Sunset: text('Time since which the endpoint is no longer available (RFC 8594).'),
  'RateLimit-Policy': text('Quota of the caller and its time window. Absent if the limits are not exposed.'),
  RateLimit: text('Remaining quota.'),
  'Retry-After': count('Number of seconds to wait before the next attempt.', { required: true }),
  'Retry-After-If-Known': count('Number of seconds to wait before the next attempt. Absent if another attempt would not help.'),
  'WWW-Authenticate': text('Accepted authentication schemes (RFC 9110, section 11.6.1).', { required: true }),
  'Accept-Post': text('Media types of request bodies that POST accepts.'),
  'Accept-Patch': text('Media types of request bodies that PATCH accepts.'),
  Accept: text('Media types of request bodies that this method accepts.'),
  'Accept-Encoding': text('Content codings of request bodies that are accepted (RFC 7694). Sent if the request used another one.'),
} as const satisfies Readonly<Record<string, Header>>;

export type HeaderName = keyof typeof RESPONSE_HEADERS;

/** Suffix of component names for headers that are optional in some responses and required in others. */
const IF_KNOWN = /-If-Known$/;

/** Returns references to headers in the components. */
export function headerReferences(names: readonly HeaderName[]): Readonly<Record<string, { readonly $ref: string }>> {
  return Object.fromEntries(names.map((name) => [name.replace(IF_KNOWN, ''), { $ref: `#/components/headers/${name}` }]));
}
