import { z } from 'zod';

/** Headers that are merged to the value that caches may store for the shortest time. */
const CACHING_HEADERS: readonly string[] = ['age', 'cache-control', 'expires'];

/**
 * Headers of subgraphs that are not passed on. They belong to one connection (RFC 9110, section 7.6.1), describe a body other than that of
 * the gateway, identify a response, or decide about the origin of the gateway.
 */
const NOT_PASSED =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-(?:type|length|encoding|range)|etag|vary|x-correlation-id|x-content-type-options|ratelimit.*|access-control-.*|strict-transport-security)$/;

const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/, 'expected a valid header name')
  .toLowerCase();

const HEADERS =
  'Rule for a response header of subgraphs that is passed on to clients. `append` sends all values, `first` and `last` those of the response that arrived first or last. `mostRestrictive` merges `Cache-Control`, `Age` and `Expires`. Headers are never added to a response that caches may share.';

const headers = z
  .record(headerName, z.enum(['append', 'first', 'last', 'mostRestrictive']).meta({ description: HEADERS }))
  .superRefine((rules, context) => {
    for (const [name, rule] of Object.entries(rules)) {
      if (NOT_PASSED.test(name)) {
        context.addIssue({ code: 'custom', path: [name], message: 'this header of a subgraph must not be passed on' });
        continue;
      }
      const isCaching = CACHING_HEADERS.includes(name);
      if (isCaching === (rule === 'mostRestrictive')) continue;
      const message = isCaching
        ? 'expected mostRestrictive, because this header decides how long caches may store the response'
        : `expected append, first or last; mostRestrictive is for ${CACHING_HEADERS.join(', ')}`;
      context.addIssue({ code: 'custom', path: [name], message });
    }
  });

/** Member names of `extensions` that the gateway itself sets. */
const OWN_EXTENSIONS: ReadonlySet<string> = new Set(['cost', 'eventId']);

/** Section `responses`: parts of the responses of subgraphs that clients receive. */
export const responses = z.strictObject({
  headers: headers.default({}).meta({ description: HEADERS }),
  extensions: z
    .array(
      z
        .string()
        .regex(/^[A-Za-z][\w-]{0,63}$/, 'expected the name of a member of extensions')
        .refine((name) => !OWN_EXTENSIONS.has(name), 'the gateway sets this member of extensions itself'),
    )
    .default([])
    .meta({
      description:
        'Members of `extensions` of subgraph responses that are passed on to GraphQL clients. If several subgraphs send one, the last response decides. All other members are dropped.',
    }),
});

/** Parsed section. */
export type ResponsesSection = z.output<typeof responses>;
