import { z } from 'zod';

const milliseconds = (fallback: number, max: number, description: string) =>
  z.int().min(1).max(max).default(fallback).meta({ description, unit: 'milliseconds' });

const file = (description: string) => z.string().min(1).meta({ description, path: true });

const names = z.array(z.string().min(1));

const PUBLIC_KEY_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;
const SHARED_KEY_ALGORITHMS = ['HS256', 'HS384', 'HS512'] as const;
const ALGORITHMS = [...PUBLIC_KEY_ALGORITHMS, ...SHARED_KEY_ALGORITHMS] as const;

/** Algorithm that tokens may be signed with (RFC 7518, section 3.1). `none` is not allowed. */
export type SigningAlgorithm = (typeof ALGORITHMS)[number];

/** Whether the signer and the verifier use the same key. */
function isSharedKeyAlgorithm(algorithm: SigningAlgorithm): boolean {
  return (SHARED_KEY_ALGORITHMS as readonly string[]).includes(algorithm);
}

const rolesClaims = names.default(['roles']).meta({
  description:
    'Claims that may contain roles. The first claim that is present in a token is used. A dot selects a nested claim: `realm_access.roles`.',
});
const scopesClaims = names.default(['scope', 'scp']).meta({
  description: 'Claims that may contain scopes. The first claim that is present in a token is used. A dot selects a nested claim.',
});

const jwtIssuer = z
  .strictObject({
    issuer: z.string().min(1).meta({ description: 'Expected value of the claim `iss`, compared exactly.' }),
    audiences: names.min(1).meta({ description: 'Accepted audiences. The claim `aud` must contain one of them.' }),
    algorithms: z
      .array(z.enum(ALGORITHMS, { error: `expected one of ${ALGORITHMS.join(', ')}` }))
      .min(1)
      .default(['RS256', 'ES256'])
      .meta({ description: `Accepted signature algorithms: ${ALGORITHMS.join(', ')}.` }),
    types: names
      .min(1)
      .default(['JWT', 'at+jwt'])
      .meta({ description: 'Accepted token types (header `typ`, case-insensitive). `JWT` also accepts tokens without `typ`.' }),
    requiredClaims: names
      .default([])
      .meta({ description: 'Claims that a token must contain in addition to `iss`, `aud`, `exp` and `sub`.' }),
    rolesClaims,
    scopesClaims,
    jwksUrl: z
      .url({ protocol: /^https?$/ })
      .meta({ description: 'URL of the public keys of the issuer (JWK Set). The production profile requires https.' })
      .optional(),
    jwksFile: file('File with the public keys of the issuer (JWK Set). Reloaded when it changes.').optional(),
    secretFile: file(
      'File with the secret that is shared with the issuer, for HS256, HS384 and HS512. Reloaded when it changes.',
    ).optional(),
    refreshIntervalMs: milliseconds(60_000, 86_400_000, 'Interval between two fetches of `jwksUrl`.'),
    requestTimeoutMs: milliseconds(5_000, 600_000, 'Timeout for fetching `jwksUrl`.'),
    maxStaleMs: milliseconds(86_400_000, 2_592_000_000, 'How long the last fetched keys are trusted while `jwksUrl` is unavailable.'),
  })
  .refine(({ jwksUrl, jwksFile, secretFile }) => [jwksUrl, jwksFile, secretFile].filter((source) => source !== undefined).length === 1, {
    error: 'set exactly one of jwksUrl, jwksFile and secretFile',
  })
  .refine(({ secretFile, algorithms }) => algorithms.every((algorithm) => isSharedKeyAlgorithm(algorithm) === (secretFile !== undefined)), {
    error: 'HS256, HS384 and HS512 require secretFile; all other algorithms require jwksUrl or jwksFile',
  });

const providers = z.strictObject({
  jwt: z
    .record(z.string(), jwtIssuer)
    .refine((issuers) => new Set(Object.values(issuers).map(({ issuer }) => issuer)).size === Object.keys(issuers).length, {
      error: 'two entries have the same issuer',
    })
    .default({})
    .meta({ description: 'Issuers of signed bearer tokens (JWT), by a name of your choice.' }),
  apiKey: z
    .strictObject({
      file: file(
        'File with the hashes of the API keys that are accepted in `X-API-Key` or `Authorization: ApiKey`. Reloaded when it changes.',
      ),
    })
    .optional(),
  basic: z
    .strictObject({
      file: file('File with the users that may log in with HTTP Basic, and their scrypt password hashes. Reloaded when it changes.'),
      maxConcurrent: z.int().min(1).max(64).optional().meta({
        description:
          'Maximum number of passwords that are hashed concurrently. Default: the number of processors minus 1, but at least 1 and at most 2.',
        unit: 'passwords',
      }),
      maxFailuresPerMinute: z.int().min(1).max(1_000_000).default(10).meta({
        description:
          'Maximum number of failed logins per minute for each user and for each client address. Further logins are rejected with `RATE_LIMITED`.',
        unit: 'logins per minute',
      }),
      maxQueued: z.int().min(0).max(10_000).default(20).meta({
        description: 'Maximum number of passwords that wait to be hashed. Further logins are rejected with `OVERLOADED`.',
        unit: 'passwords',
      }),
      cacheMs: milliseconds(60_000, 3_600_000, 'How long a correct password is cached before it is hashed again.'),
    })
    .optional(),
  introspection: z
    .strictObject({
      url: z.url({ protocol: /^https?$/ }).meta({
        description:
          'URL of the introspection endpoint (RFC 7662), for bearer tokens whose issuer is not in `jwt`. The production profile requires https.',
      }),
      clientId: z.string().min(1).meta({ description: 'Client id with which the gateway authenticates to the introspection endpoint.' }),
      clientSecretFile: file('File with the client secret. Reloaded when it changes.'),
      issuer: z.string().min(1).optional().meta({
        description:
          'Expected issuer. A token whose introspection response has another `iss` is rejected. Default: `iss` of each response, or `url` if it has none.',
      }),
      audiences: names.default([]).meta({
        description: 'Accepted audiences. `aud` of the introspection response must contain one of them. If empty, `aud` is not checked.',
      }),
      rolesClaims,
      scopesClaims,
      requestTimeoutMs: milliseconds(2_000, 600_000, 'Timeout for receiving an introspection response.'),
      cacheMs: milliseconds(30_000, 3_600_000, 'How long an active token is cached, at most until it expires.'),
      inactiveCacheMs: milliseconds(5_000, 600_000, 'How long an inactive token is cached.'),
      maxConcurrent: z.int().min(1).max(10_000).default(64).meta({
        description:
          'Maximum number of concurrent introspection requests. Tokens that would require a further request are rejected with `AUTH_UNAVAILABLE`.',
        unit: 'requests',
      }),
    })
    .optional(),
});

const owners = z.strictObject({
  issuers: names.optional().meta({
    description:
      "Issuers whose subjects are ids of the graph's users. API keys and Basic users have the `issuer` from their file. Default: the only issuer in `jwt` or `introspection`, or none if several are configured. With a `developmentKey`, the issuer of development tokens is added.",
  }),
  kinds: z
    .array(z.enum(['user', 'service']))
    .default(['user'])
    .meta({ description: 'Kinds of callers that can own objects: `user`, and `service` for API keys of that kind.' }),
});

/** Section `auth`: authentication of callers. */
export const auth = z.strictObject({
  developmentKey: z.string().min(32).optional().meta({
    description:
      'Key for development tokens (HS256). Rejected in the production profile. `npm start` and `gatefold token` create one in `.gatefold/`.',
    secret: true,
  }),
  clockToleranceMs: milliseconds(30_000, 300_000, 'Clock difference that is tolerated when expiry times are checked.'),
  policyTimeoutMs: milliseconds(
    1_000,
    60_000,
    'Timeout for the hook that evaluates `@policy`. After it, fields that depend on the policy are denied with `AUTH_UNAVAILABLE`.',
  ),
  owners: owners.prefault({}),
  providers: providers.prefault({}),
});

/** Parsed section. */
export type AuthConfig = Readonly<z.infer<typeof auth>>;

/** Configuration of one issuer of signed tokens. */
export type JwtIssuerConfig = AuthConfig['providers']['jwt'][string];

/** Configuration of the token introspection endpoint. */
export type IntrospectionConfig = NonNullable<AuthConfig['providers']['introspection']>;
