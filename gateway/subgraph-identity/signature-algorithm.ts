import { createHmac, createSecretKey, type KeyObject, type SigningOptions, sign, timingSafeEqual, verify } from 'node:crypto';

/** Signature algorithm of an identity token (RFC 7518, section 3.1; RFC 8037). The key alone determines it. */
export type SignatureAlgorithm = 'HS256' | 'EdDSA' | 'ES256' | 'RS256';

/** Minimum length of an RSA modulus (RFC 7518, section 3.3). @unit bits */
const MIN_RSA_BITS = 2_048;

/** Returns the algorithm of a key: a secret, Ed25519, P-256, or RSA with at least 2,048 bits. Undefined for other keys. */
export function algorithmOf(key: KeyObject): SignatureAlgorithm | undefined {
  if (key.type === 'secret') return 'HS256';
  const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === 'ed25519') return 'EdDSA';
  if (key.asymmetricKeyType === 'ec' && namedCurve === 'prime256v1') return 'ES256';
  return key.asymmetricKeyType === 'rsa' && modulusLength >= MIN_RSA_BITS ? 'RS256' : undefined;
}

/** Returns the signature of a text in base64url. */
export function signText(key: KeyObject, algorithm: SignatureAlgorithm, text: string): string {
  if (algorithm === 'HS256') return createHmac('sha256', key).update(text).digest('base64url');
  return sign(digestOf(algorithm), Buffer.from(text), withEncoding(key)).toString('base64url');
}

/** Whether a text is the signature of the bytes in base64url, in its only valid encoding. */
export function isSignatureOf(key: KeyObject, algorithm: SignatureAlgorithm, bytes: Buffer, signature: string): boolean {
  const given = Buffer.from(signature, 'base64url');
  // Decoding ignores invalid characters, so several texts would be equivalent.
  if (given.toString('base64url') !== signature) return false;
  if (algorithm !== 'HS256') return verify(digestOf(algorithm), bytes, withEncoding(key), given);
  const expected = createHmac('sha256', key).update(bytes).digest();
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Returns the key of the proofs for one subgraph. It differs from the key of the tokens, so that a proof is never a token. */
export function proofKeyOf(secret: KeyObject, subgraph: string): KeyObject {
  return createSecretKey(createHmac('sha256', secret).update(`proof:${subgraph}`).digest());
}

/** Length of the id of a secret. @unit characters */
const SECRET_ID_LENGTH = 16;

/** Returns the id of a secret for the header parameter `kid`. It does not reveal the secret. */
export function secretIdOf(secret: KeyObject): string {
  return createHmac('sha256', secret).update('kid').digest('base64url').slice(0, SECRET_ID_LENGTH);
}

function digestOf(algorithm: SignatureAlgorithm): 'sha256' | null {
  return algorithm === 'EdDSA' ? null : 'sha256';
}

/** Signatures of ECDSA are two numbers (RFC 7518, section 3.4), not DER. The option has no effect on other keys. */
function withEncoding(key: KeyObject): { readonly key: KeyObject } & SigningOptions {
  return { key, dsaEncoding: 'ieee-p1363' };
}
