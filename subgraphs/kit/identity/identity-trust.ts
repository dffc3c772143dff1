import { createHmac, createPublicKey, createSecretKey, type JsonWebKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import { decodeProtectedHeader, errors, type JWTVerifyGetKey } from 'jose';

/** Gateways whose identity tokens are trusted: those with the shared secret, or those with the private key of a listed public key. */
export type IdentityTrust =
  | {
      /** Value of `GATEFOLD_IDENTITY_SECRET`, the same as in the gateway. At least 32 characters. */
      readonly secret: string;
    }
  | {
      /** Public keys of gateways, by key id. */
      readonly keys: ReadonlyMap<string, KeyObject>;
    };

/** Verification of tokens and proofs. */
export interface TrustedSignature {
  readonly algorithms: readonly string[];
  readonly findKey: JWTVerifyGetKey;
  readonly isProofRight: (token: string, proof: string, body: Buffer) => boolean;
}

/** Verifies HS256 tokens, and proofs with a key that is derived for this subgraph. */
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

/** Verifies Ed25519 tokens and proofs (RFC 8037). */
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

/** Whether a proof has the canonical encoding. Decoding ignores invalid characters, so several texts would be equivalent. */
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
 * Reads the keys of a JWK Set, as a gateway serves it at `/identity/keys` of its internal listener.
 *
 * @throws Error with a message that follows the name of a setting
 */
export function readIdentityKeys(text: string): ReadonlyMap<string, KeyObject> {
  const keys = new Map<string, KeyObject>();
  for (const jwk of parseSet(text)) {
    const { kty, crv, kid } = jwk;
    if (kty !== 'OKP' || crv !== 'Ed25519' || typeof kid !== 'string' || kid === '') continue;
    const { d: _never, ...publicParts } = jwk;
    keys.set(kid, createPublicKey({ key: publicParts, format: 'jwk' }));
  }
  if (keys.size === 0) throw new Error('contains no Ed25519 key with a "kid"');
  return keys;
}

function parseSet(text: string): readonly JsonWebKey[] {
  let set: unknown;
  try {
    set = JSON.parse(text);
  } catch {
    // reported below
  }
  const keys = (set as { readonly keys?: unknown } | null | undefined)?.keys;
  if (!Array.isArray(keys)) throw new Error('is not a JWK Set');
  return keys.filter((key): key is JsonWebKey => typeof key === 'object' && key !== null);
}
