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

/** An algorithm with which tokens are signed (RFC 7518, section 3.1); `none` is not among them. */
export type SigningAlgorithm = (typeof ALGORITHMS)[number];

/** Whether both sides hold the same key. */
function isSharedKeyAlgorithm(algorithm: SigningAlgorithm): boolean {
  return (SHARED_KEY_ALGORITHMS as readonly string[]).includes(algorithm);
}

const rolesClaims = names.default(['roles']).meta({
  description: 'Claims in which roles may stand; the first that a token has counts. A dot leads into a claim: `realm_access.roles`.',
});
const scopesClaims = names.default(['scope', 'scp']).meta({ description: 'The same for scopes.' });

const jwtIssuer = z
  .strictObject({
    issuer: z.string().min(1).meta({ description: 'Claim `iss` of its tokens, to the letter.' }),
    audiences: names.min(1).meta({ description: 'Names of this gateway: claim `aud` must have one of them.' }),
    algorithms: z
      .array(z.enum(ALGORITHMS, { error: `expected one of ${ALGORITHMS.join(', ')}` }))
      .min(1)
      .default(['RS256', 'ES256'])
      .meta({ description: `Algorithms with which its tokens may be signed: ${ALGORITHMS.join(', ')}.` }),
    types: names
      .min(1)
      .default(['JWT', 'at+jwt'])
      .meta({ description: 'Types of token that are taken (header `typ`, in any case); `JWT` stands for a token without one, too.' }),
    requiredClaims: names.default([]).meta({ description: 'Claims that a token must have, besides `iss`, `aud`, `exp` and `sub`.' }),
    rolesClaims,
    scopesClaims,
    jwksUrl: z
      .url({ protocol: /^https?$/ })
      .meta({ description: 'Address of its public keys (JWK Set). Production insists on https.' })
      .optional(),
    jwksFile: file('File with its public keys (JWK Set), watched.').optional(),
    secretFile: file('File with the key shared with it, for HS256, HS384 and HS512; watched.').optional(),
    refreshIntervalMs: milliseconds(60_000, 86_400_000, 'Between two looks at `jwksUrl`.'),
    requestTimeoutMs: milliseconds(5_000, 600_000, 'Until the keys must have arrived.'),
    maxStaleMs: milliseconds(86_400_000, 2_592_000_000, 'How long keys are trusted when `jwksUrl` gives no newer ones.'),
  })
  .refine(({ jwksUrl, jwksFile, secretFile }) => [jwksUrl, jwksFile, secretFile].filter((source) => source !== undefined).length === 1, {
    error: 'name one of jwksUrl, jwksFile and secretFile',
  })
  .refine(({ secretFile, algorithms }) => algorithms.every((algorithm) => isSharedKeyAlgorithm(algorithm) === (secretFile !== undefined)), {
    error: 'HS256, HS384 and HS512 go with secretFile, and all other algorithms with jwksUrl or jwksFile',
  });

const providers = z.strictObject({
  jwt: z
    .record(z.string(), jwtIssuer)
    .refine((issuers) => new Set(Object.values(issuers).map(({ issuer }) => issuer)).size === Object.keys(issuers).length, {
      error: 'two of them have the same issuer',
    })
    .default({})
    .meta({ description: 'Issuers of signed bearer tokens (JWT), under names of your choice.' }),
  apiKey: z
    .strictObject({
      file: file('File with the keys that are taken in the header `X-API-Key` or in `Authorization: ApiKey`, as hashes; watched.'),
    })
    .optional(),
  basic: z
    .strictObject({
      file: file('File with the users that may log in by HTTP Basic, their passwords hashed by scrypt; watched.'),
      maxConcurrent: z.int().min(1).max(64).optional().meta({
        description: 'Passwords that are hashed at once. Default: one less than there are processors, 1 at least and 2 at most.',
        unit: 'passwords',
      }),
      maxFailuresPerMinute: z.int().min(1).max(1_000_000).default(10).meta({
        description:
          'Wrong passwords that are looked at, of each user and from each address; further logins are refused with `RATE_LIMITED`.',
        unit: 'logins a minute',
      }),
      maxQueued: z
        .int()
        .min(0)
        .max(10_000)
        .default(20)
        .meta({ description: 'Passwords that wait for it; further ones are refused with `OVERLOADED`.', unit: 'passwords' }),
      rememberMs: milliseconds(60_000, 3_600_000, 'How long a password that was right is not hashed again.'),
    })
    .optional(),
  introspection: z
    .strictObject({
      url: z.url({ protocol: /^https?$/ }).meta({
        description: 'Address that is asked about bearer tokens of no issuer in `jwt` (RFC 7662). Production insists on https.',
      }),
      clientId: z.string().min(1).meta({ description: 'Name under which the gateway asks.' }),
      clientSecretFile: file('File with the secret that goes with it, watched.'),
      issuer: z.string().min(1).optional().meta({
        description:
          'Issuer of its tokens; an answer with another `iss` is refused. Default: `iss` of each answer, and `url` where it has none.',
      }),
      audiences: names
        .default([])
        .meta({ description: 'Names of this gateway: `aud` of the answer must have one of them. Default: not looked at.' }),
      rolesClaims,
      scopesClaims,
      requestTimeoutMs: milliseconds(2_000, 600_000, 'Until an answer must have arrived.'),
      cacheMs: milliseconds(30_000, 3_600_000, 'How long a token that was active is not asked about again, at most to its end.'),
      refusedCacheMs: milliseconds(5_000, 600_000, 'The same for a token that was not.'),
      maxConcurrent: z.int().min(1).max(10_000).default(64).meta({
        description: 'Questions that are under way at once; tokens that would need a further one are refused with `AUTH_UNAVAILABLE`.',
        unit: 'questions',
      }),
    })
    .optional(),
});

const owners = z.strictObject({
  issuers: names.optional().meta({
    description:
      "Issuers whose subjects are ids of the graph's users; of API keys and Basic users the `issuer` in their file counts. Default: the one issuer that is configured in `jwt` or `introspection`, nobody where there are several, and with a `developmentKey` also its tokens.",
  }),
  kinds: z
    .array(z.enum(['user', 'service']))
    .default(['user'])
    .meta({ description: 'Kinds of callers to whom objects can belong: `user`, and `service` for API keys of that kind.' }),
});

/** How callers prove who they are. */
export const auth = z.strictObject({
  developmentKey: z.string().min(32).optional().meta({
    description: 'Key of development tokens (HS256); refused in production. `npm start` and `gatefold token` make one in `.gatefold/`.',
    secret: true,
  }),
  clockToleranceMs: milliseconds(30_000, 300_000, 'Difference between clocks that is forgiven.'),
  policyTimeoutMs: milliseconds(
    1_000,
    60_000,
    'Until the hook that decides `@policy` must have answered. What depends on it is denied after that, with `AUTH_UNAVAILABLE`.',
  ),
  owners: owners.prefault({}),
  providers: providers.prefault({}),
});

/** The section as it was read. */
export type AuthConfig = Readonly<z.infer<typeof auth>>;

/** One issuer of signed tokens. */
export type JwtIssuerConfig = AuthConfig['providers']['jwt'][string];

/** Who is asked about tokens. */
export type IntrospectionConfig = NonNullable<AuthConfig['providers']['introspection']>;
