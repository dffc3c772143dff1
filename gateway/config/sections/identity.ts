import { z } from 'zod';
import { IDENTITY_HEADER, IDENTITY_ISSUER } from '../../subgraph-identity/identity-token.ts';

/** Header name (RFC 9110, section 5.6.2). */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;

/** Headers that belong to one connection, describe the body, or have another meaning between gateway and subgraph. */
const TAKEN =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|http2-settings|host|expect|accept|accept-encoding|content-.*|cookie|last-event-id|sec-.*|traceparent|x-correlation-id)$/;

/** Section `identity`: tokens that identify the caller to subgraphs, and tokens of services. */
export const identity = z
  .strictObject({
    form: z.enum(['jwt', 'bound']).default('jwt').meta({
      description:
        'Form of the identity tokens. `jwt` sends a JSON Web Token, which any JWT library verifies. `bound` appends a fourth segment, a proof over the request body, so that an intercepted token is useless with another body.',
    }),
    header: z
      .string()
      .regex(NAME, 'expected a valid header name')
      .toLowerCase()
      .refine((name) => !TAKEN.test(name), 'this header has another meaning in requests to subgraphs')
      .default(IDENTITY_HEADER)
      .meta({
        description: 'Header with the identity token. In `authorization`, the value is `Bearer <token>`.',
        expected: 'the name of a header',
      }),
    issuer: z.string().min(1).max(256).default(IDENTITY_ISSUER).meta({ description: 'Claim `iss` of identity tokens.' }),
    secret: z.string().min(32).optional().meta({
      description:
        'Shared key that signs the identity tokens that are sent to subgraphs (HS256). Environment: GATEFOLD_IDENTITY_SECRET. If neither `secret` nor `privateKeyFile` is set, no identity tokens are sent.',
      secret: true,
    }),
    privateKeyFile: z.string().min(1).optional().meta({
      description:
        'File with a private key (PEM) that is used instead of `secret`: Ed25519 (EdDSA), P-256 (ES256) or RSA with at least 2,048 bits (RS256). Subgraphs verify tokens with the public key at `/identity/keys` on the internal listener.',
      path: true,
    }),
    additionalKeyFile: z.string().min(1).optional().meta({
      description:
        'File with a public or private key (PEM) whose public key is also served at `/identity/keys`: the next key before a rotation, or the previous key after it.',
      path: true,
    }),
    serviceSecret: z.string().min(32).optional().meta({
      description:
        'Key that verifies service tokens at `POST /graphql` on the internal listener. With such a token, a service such as webhooks sends requests on behalf of a caller. Environment: GATEFOLD_SERVICE_SECRET. If it is not set, the endpoint is disabled.',
      secret: true,
    }),
  })
  .refine(({ secret, privateKeyFile }) => secret === undefined || privateKeyFile === undefined, {
    error: 'set only one of secret and privateKeyFile',
  })
  .refine(({ privateKeyFile, additionalKeyFile }) => additionalKeyFile === undefined || privateKeyFile !== undefined, {
    error: 'additionalKeyFile needs privateKeyFile, because subgraphs verify tokens of a shared secret without public keys',
  })
  .refine(({ secret, serviceSecret }) => serviceSecret === undefined || serviceSecret !== secret, {
    error: 'serviceSecret must differ from secret, because a holder of serviceSecret can send requests on behalf of any caller',
  });

/** Parsed section. */
export type IdentityConfig = Readonly<z.infer<typeof identity>>;
