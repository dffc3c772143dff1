import { createPublicKey, createSecretKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { algorithmOf, type SignatureAlgorithm, secretIdOf } from './signature-algorithm.ts';

/** Key that verifies tokens, with its only algorithm. */
export interface VerificationKey {
  readonly key: KeyObject;
  readonly algorithm: SignatureAlgorithm;
}

/** Finds the key with the id of a token (`kid`). Undefined when no trusted key has this id. @throws IdentityRejected `KEYS_UNAVAILABLE` */
export type FindVerificationKey = (keyId: string | undefined) => VerificationKey | undefined | Promise<VerificationKey | undefined>;

/** A JWK Set (RFC 7517, section 5), as the gateway serves it at `/identity/keys`. */
export interface IdentityKeySet {
  readonly keys: readonly object[];
}

/** Minimum length of a secret. @unit characters */
const MIN_SECRET_LENGTH = 32;

/**
 * Trusts shared secrets. A token without an id of a secret is verified with the first one.
 *
 * @throws TypeError when there is no secret, or one is too short
 */
export function trustSecrets(secrets: readonly string[]): FindVerificationKey {
  const keys = secrets.map((secret) => {
    if (typeof secret !== 'string' || secret.length < MIN_SECRET_LENGTH) {
      throw new TypeError(
        `The option "secret" of an identity verifier must have at least ${MIN_SECRET_LENGTH} characters, as identity.secret.`,
      );
    }
    const key = createSecretKey(secret, 'utf8');
    return { id: secretIdOf(key), key, algorithm: 'HS256' } as const;
  });
  const [first] = keys;
  if (first === undefined) throw new TypeError('The option "secret" of an identity verifier must contain at least one secret.');
  return (keyId) => keys.find(({ id }) => id === keyId) ?? first;
}

/**
 * Reads the keys of a JWK Set that can verify identity tokens: Ed25519, P-256 and RSA keys with a `kid`. Private members are ignored.
 *
 * @throws Error with a message that follows the name of the source
 */
export function readIdentityKeySet(set: unknown): ReadonlyMap<string, VerificationKey> {
  const listed = (set as { readonly keys?: unknown } | null | undefined)?.keys;
  if (!Array.isArray(listed)) throw new Error('is not a JWK Set');
  const keys = new Map<string, VerificationKey>();
  for (const jwk of listed as readonly unknown[]) {
    const { kid } = (jwk ?? {}) as JsonWebKey;
    const key = readPublicKey(jwk);
    const algorithm = key === undefined ? undefined : algorithmOf(key);
    if (typeof kid === 'string' && kid !== '' && key !== undefined && algorithm !== undefined) keys.set(kid, { key, algorithm });
  }
  if (keys.size === 0) throw new Error('contains no Ed25519, P-256 or RSA key with a "kid"');
  return keys;
}

function readPublicKey(jwk: unknown): KeyObject | undefined {
  const { kty, crv, x, y, n, e, use } = (jwk ?? {}) as JsonWebKey;
  // A symmetric key has no public part, and a set from a URL must never contain one.
  if (kty === 'oct' || (use !== undefined && use !== 'sig')) return undefined;
  try {
    return createPublicKey({ key: JSON.parse(JSON.stringify({ kty, crv, x, y, n, e })) as JsonWebKey, format: 'jwk' });
  } catch {
    return undefined;
  }
}
