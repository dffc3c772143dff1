import { createHmac, createPublicKey, createSecretKey, type JsonWebKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import { decodeProtectedHeader, errors, type JWTVerifyGetKey } from 'jose';

/** Whose word on callers is taken: that of whoever shares a secret with us, or of whoever has the private half of a key. */
export type IdentityTrust =
  | {
      /** `GATEFOLD_IDENTITY_SECRET`, the same as the gateway's. At least 32 characters. */
      readonly secret: string;
    }
  | {
      /** Public keys of gateways, by their ids. */
      readonly keys: ReadonlyMap<string, KeyObject>;
    };

/** How tokens and proofs are checked. */
export interface TrustedSignature {
  readonly algorithms: readonly string[];
  readonly findKey: JWTVerifyGetKey;
  readonly isProofRight: (token: string, proof: string, body: Buffer) => boolean;
}

/** HS256, and proofs by a key of this subgraph's own. */
export function trustSecret(secret: string, audience: string): TrustedSignature {
  const tokenKey = createSecretKey(Buffer.from(secret));
  const proofKey = createHmac('sha256', secret).update(`proof:${audience}`).digest();
  return {
    algorithms: ['HS256'],
    findKey: () => tokenKey,
    isProofRight(token, proof, body) {
      const expected = createHmac('sha256', proofKey).update(`${token}.`).update(body).digest();
      const given = Buffer.from(proof, 'base64url');
      return given.length === expected.length && timingSafeEqual(given, expected) && isOnlySpelling(proof, expected);
    },
  };
}

/** Ed25519 (RFC 8037), for tokens and proofs. */
export function trustKeys(keys: ReadonlyMap<string, KeyObject>): TrustedSignature {
  return {
    algorithms: ['EdDSA'],
    findKey({ kid }) {
      const key = keys.get(kid ?? '');
      if (key === undefined) throw new errors.JWKSNoMatchingKey();
      return key;
    },
    isProofRight(token, proof, body) {
      const key = keys.get(keyIdOf(token) ?? '');
      const given = Buffer.from(proof, 'base64url');
      return key !== undefined && isOnlySpelling(proof, given) && verify(null, Buffer.concat([Buffer.from(`${token}.`), body]), key, given);
    },
  };
}

/** Decoding forgives foreign characters; only the one spelling is right. */
function isOnlySpelling(proof: string, bytes: Buffer): boolean {
  return proof === bytes.toString('base64url');
}

function keyIdOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
}

/**
 * The keys of a JWK Set, as a gateway has it at `/identity/keys` of its internal listener.
 *
 * @throws Error in words that follow a name
 */
export function readIdentityKeys(text: string): ReadonlyMap<string, KeyObject> {
  const keys = new Map<string, KeyObject>();
  for (const jwk of parseSet(text)) {
    const { kty, crv, kid } = jwk;
    if (kty !== 'OKP' || crv !== 'Ed25519' || typeof kid !== 'string' || kid === '') continue;
    const { d: _never, ...publicParts } = jwk;
    keys.set(kid, createPublicKey({ key: publicParts, format: 'jwk' }));
  }
  if (keys.size === 0) throw new Error('has no key of Ed25519 with an id');
  return keys;
}

function parseSet(text: string): readonly JsonWebKey[] {
  let set: unknown;
  try {
    set = JSON.parse(text);
  } catch {
    // told below
  }
  const keys = (set as { readonly keys?: unknown } | null | undefined)?.keys;
  if (!Array.isArray(keys)) throw new Error('is no JWK Set');
  return keys.filter((key): key is JsonWebKey => typeof key === 'object' && key !== null);
}
