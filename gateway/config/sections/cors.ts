import { z } from 'zod';

/** A scheme, a host and a port, as browsers write them (RFC 6454, section 6.2): no path, and not the port that the scheme has anyway. */
function isOrigin(text: string): boolean {
  return /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

const headerNames = (fallback: readonly string[], description: string) =>
  z
    .array(z.string().regex(/^[A-Za-z0-9!#$%&'+.^_`|~-]+$/, 'expected names of headers'))
    .default([...fallback])
    .meta({ description });

/** Which web sites may read answers, besides those of the gateway's own origin. */
export const cors = z.strictObject({
  origins: z
    .array(z.string().refine(isOrigin, 'expected origins to the letter, such as "https://shop.example.com"; neither * nor null is one'))
    .default([])
    .meta({ description: 'Origins whose pages may ask, to the letter: `https://shop.example.com`. None: no header of CORS is sent.' }),
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
    ],
    'Headers that such pages may send.',
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
    'Headers of answers that such pages may read.',
  ),
  credentials: z
    .boolean()
    .default(false)
    .meta({ description: 'Let browsers add credentials of their own, such as a password that was typed in or a client certificate.' }),
  maxAgeSeconds: z
    .int()
    .min(0)
    .max(86_400)
    .default(600)
    .meta({ description: 'How long a browser may remember what it was allowed.', unit: 'seconds' }),
});

/** The section as it was read. */
export type CorsConfig = Readonly<z.infer<typeof cors>>;
