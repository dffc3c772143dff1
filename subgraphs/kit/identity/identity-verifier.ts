import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { errors, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Clock } from '../../../gateway/platform/clock.ts';
import type { Caller } from '../request-context.ts';

/** The gateway's word on who is asking; absent or wrong, nothing is answered. */
export const IDENTITY_HEADER = 'gatefold-identity';

/** The longest a token may hold, so that rights which end do end soon. @unit seconds */
const MAX_TOKEN_LIFETIME_SECONDS = 60;
/** Difference between the clocks of gateway and subgraph that is forgiven. @unit seconds */
const CLOCK_TOLERANCE_SECONDS = 5;
const MAX_HEADER_LENGTH = 8_192;
const MAX_CACHED_TOKENS = 10_000;

export interface IdentityVerifierOptions {
  /** `GATEFOLD_IDENTITY_SECRET`, the same as the gateway's. At least 32 characters. */
  readonly secret: string;
  /** Name of the subgraph: a token for another one is refused. */
  readonly audience: string;
  readonly clock: Clock;
}

/** Undefined when the header is missing, forged, for somebody else, for another body, or has expired. */
export type IdentityVerifier = (header: string | undefined, body: Buffer) => Promise<Caller | undefined>;

const claimsSchema = z.object({
  kind: z.enum(['anonymous', 'user', 'service']),
  sub: z.string().default(''),
  roles: z.array(z.string()).default([]),
  scopes: z.array(z.string()).default([]),
  iat: z.number(),
  exp: z.number(),
});

interface VerifiedToken {
  readonly caller: Caller;
  /** @unit seconds since the epoch */
  readonly expiresAt: number;
}

/** Checks `<token>.<proof>`: the token says who, the proof binds it to this very body. */
export function createIdentityVerifier({ secret, audience, clock }: IdentityVerifierOptions): IdentityVerifier {
  const tokenKey = createSecretKey(Buffer.from(secret));
  const proofKey = createHmac('sha256', secret).update(`proof:${audience}`).digest();
  const verified = new LRUCache<string, VerifiedToken>({ max: MAX_CACHED_TOKENS });

  function isProofRight(token: string, proof: string, body: Buffer): boolean {
    const expected = createHmac('sha256', proofKey).update(`${token}.`).update(body).digest();
    const given = Buffer.from(proof, 'base64url');
    // Decoding forgives foreign characters; only the one spelling is right.
    return given.length === expected.length && timingSafeEqual(given, expected) && proof === expected.toString('base64url');
  }

  async function verifyToken(token: string): Promise<VerifiedToken | undefined> {
    const known = verified.get(token);
    if (known !== undefined) return known;
    try {
      const { payload } = await jwtVerify(token, tokenKey, {
        algorithms: ['HS256'],
        issuer: 'gatefold',
        audience,
        requiredClaims: ['iat', 'exp'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        maxTokenAge: MAX_TOKEN_LIFETIME_SECONDS,
        currentDate: new Date(clock.now()),
      });
      const claims = claimsSchema.safeParse(payload);
      if (!claims.success || claims.data.exp - claims.data.iat > MAX_TOKEN_LIFETIME_SECONDS) return undefined;
      const { kind, sub, roles, scopes, exp } = claims.data;
      if (kind === 'user' && sub === '') return undefined;
      const fresh = {
        caller: { kind, id: kind === 'anonymous' ? '' : sub, roles: new Set(roles), scopes: new Set(scopes) },
        expiresAt: exp,
      };
      verified.set(token, fresh);
      return fresh;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  return async (header, body) => {
    if (header === undefined || header.length > MAX_HEADER_LENGTH) return undefined;
    const separator = header.lastIndexOf('.');
    if (separator < 0) return undefined;
    const token = header.slice(0, separator);
    // The proof first: it is the cheaper one, and without the secret nobody gets further.
    if (!isProofRight(token, header.slice(separator + 1), body)) return undefined;
    const identity = await verifyToken(token);
    if (identity === undefined) return undefined;
    return identity.expiresAt + CLOCK_TOLERANCE_SECONDS > clock.now() / 1_000 ? identity.caller : undefined;
  };
}
