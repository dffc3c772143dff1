import { errors, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { bytesOfText, bytesOfValue } from '../../../gateway/platform/bytes-of-value.ts';
import type { Clock } from '../../../gateway/platform/clock.ts';
import type { Caller } from '../request-context.ts';
import { type IdentityTrust, trustKeys, trustSecret } from './identity-trust.ts';

/** Header with the identity of the caller. Requests without a valid one are rejected. */
export const IDENTITY_HEADER = 'gatefold-identity';

/** Maximum lifetime of a token, so that permissions that were removed end soon. @unit seconds */
const MAX_TOKEN_LIFETIME_SECONDS = 60;
/** Tolerated difference between the clocks of gateway and subgraph. @unit seconds */
const CLOCK_TOLERANCE_SECONDS = 5;
const MAX_HEADER_LENGTH = 8_192;
const MAX_CACHED_TOKENS = 10_000;
/** Maximum memory of the cached tokens and their callers. @unit bytes */
const MAX_CACHED_BYTES = 16_777_216;
/** Size of the objects of an entry and of its cache slot. @unit bytes */
const BYTES_PER_ENTRY = 500;

export interface IdentityVerifierOptions {
  readonly trust: IdentityTrust;
  /** Name of the subgraph. A token for another subgraph is rejected. */
  readonly audience: string;
  readonly clock: Clock;
}

/** Verifies an identity header. Undefined when the header is missing, forged or expired, or belongs to another audience or body. */
export type IdentityVerifier = (header: string | undefined, body: Buffer) => Promise<Caller | undefined>;

const claimsSchema = z.object({
  kind: z.enum(['anonymous', 'user', 'service']),
  /** Older gateways send no issuer; the caller then cannot own objects. */
  issuer: z.string().default(''),
  sub: z.string().default(''),
  owner: z.boolean().default(false),
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

/** Creates a verifier of `<token>.<proof>`: the token identifies the caller, and the proof binds it to the request body. */
export function createIdentityVerifier({ trust, audience, clock }: IdentityVerifierOptions): IdentityVerifier {
  const { algorithms, findKey, isProofRight } = 'secret' in trust ? trustSecret(trust.secret, audience) : trustKeys(trust.keys);
  const verified = new LRUCache<string, VerifiedToken>({
    max: MAX_CACHED_TOKENS,
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ caller }, token) => BYTES_PER_ENTRY + bytesOfText(token) + bytesOfCaller(caller),
  });

  async function verifyToken(token: string): Promise<VerifiedToken | undefined> {
    const known = verified.get(token);
    if (known !== undefined) return known;
    try {
      const { payload } = await jwtVerify(token, findKey, {
        algorithms: [...algorithms],
        issuer: 'gatefold',
        audience,
        requiredClaims: ['iat', 'exp'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        maxTokenAge: MAX_TOKEN_LIFETIME_SECONDS,
        currentDate: new Date(clock.now()),
      });
      const claims = claimsSchema.safeParse(payload);
      if (!claims.success || claims.data.exp - claims.data.iat > MAX_TOKEN_LIFETIME_SECONDS) return undefined;
      const { issuer, kind, sub, owner, roles, scopes, exp } = claims.data;
      if (kind === 'user' && sub === '') return undefined;
      const fresh = {
        caller: {
          issuer,
          kind,
          ...(kind === 'anonymous' ? { id: '', session: sub } : { id: sub }),
          isOwner: owner,
          roles: new Set(roles),
          scopes: new Set(scopes),
        },
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
    // The proof is verified first, because it is cheaper and cannot be made without the key.
    if (!isProofRight(token, header.slice(separator + 1), body)) return undefined;
    const identity = await verifyToken(token);
    if (identity === undefined) return undefined;
    return identity.expiresAt + CLOCK_TOLERANCE_SECONDS > clock.now() / 1_000 ? identity.caller : undefined;
  };
}

function bytesOfCaller({ issuer, id, session = '', roles, scopes }: Caller): number {
  return bytesOfValue([issuer, id, session, roles, scopes]);
}
