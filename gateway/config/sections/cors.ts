import { z } from 'zod';

/**
 * Whether a text is an origin as browsers serialize it (RFC 6454, section 6.2): scheme, host and port, without a path or a default port.
 */
function isOrigin(text: string): boolean {
  return /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

const headerNames = (fallback: readonly string[], description: string) =>
  z
    .array(z.string().regex(/^[A-Za-z0-9!#$%&'+.^_`|~-]+$/, 'expected header names'))
    .default([...fallback])
    .meta({ description });

/** Section `cors`: web origins that may read responses, in addition to the gateway's own origin. */
export const cors = z.strictObject({
  origins: z
    .array(z.string().refine(isOrigin, 'expected exact origins, such as "https://shop.example.com"; * and null are not allowed'))
    .default([])
    .meta({
      description:
        'Origins that are allowed to send cross-origin requests, compared exactly, such as `https://shop.example.com`. If empty, and without `localPages`, no CORS headers are sent.',
    }),
  localPages: z.boolean().optional().meta({
    description:
      'Allow pages on every port of `localhost`, `127.0.0.1` and `[::1]`, without credentials that browsers manage. The production profile rejects it. Default: on in the dev profile if `origins` is empty, otherwise off.',
  }),
  allowedHeaders: headerNames(
    [
      'accept',
      'authorization',
      'content-type',
      'idempotency-key',
      'if-match',
      'if-modified-since',
      'if-none-match',
      'if-unmodified-since',
      'last-event-id',
      'prefer',
      'x-api-key',
      'x-correlation-id',
      'x-requested-with',
      'apollo-require-preflight',
      'apollographql-client-name',
      'apollographql-client-version',
      'graphql-client-name',
      'graphql-client-version',
      'traceparent',
      'tracestate',
      'baggage',
    ],
    'Request headers that these origins may send.',
  ),
  exposedHeaders: headerNames(
    [
      'accept-patch',
      'accept-post',
      'allow',
      'api-version',
      'content-location',
      'deprecation',
      'etag',
      'idempotent-replayed',
      'link',
      'location',
      'preference-applied',
      'ratelimit',
      'ratelimit-policy',
      'retry-after',
      'sunset',
      'www-authenticate',
      'x-correlation-id',
      'x-total-count',
    ],
    'Response headers that these origins may read.',
  ),
  credentials: z
    .boolean()
    .default(false)
    .meta({ description: 'Allow browsers to send credentials that they manage, such as an HTTP Basic password or a client certificate.' }),
  maxAgeSeconds: z
    .int()
    .min(0)
    .max(86_400)
    .default(600)
    .meta({ description: 'How long a browser may cache a preflight response.', unit: 'seconds' }),
});

/** Parsed section. */
export type CorsConfig = Readonly<z.infer<typeof cors>>;
