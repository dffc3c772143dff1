import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { parseCredentialJson } from './parse-credential-json.ts';

/** The public keys of an issuer, as one reading of them gave them. */
export interface KeySet {
  /** @throws errors.JWKSNoMatchingKey where there is none for the header of a token */
  readonly find: JWTVerifyGetKey;
  /** Each key in full. */
  readonly keys: ReadonlySet<string>;
}

/**
 * A JWK Set (RFC 7517, section 5).
 *
 * @throws Error when the text is none, or has no key: an issuer without keys would refuse everybody
 */
export function parseKeySet(text: string): KeySet {
  const set = parseCredentialJson(text) as JSONWebKeySet;
  const find = createLocalJWKSet(set);
  if (set.keys.length === 0) throw new Error('there is no key in it');
  return { find, keys: new Set(set.keys.map((key) => JSON.stringify(key))) };
}

/** Whether tokens that the one set vouched for may be without a key in the other. */
export function hasLostKeys(before: KeySet, after: KeySet): boolean {
  return [...before.keys].some((key) => !after.keys.has(key));
}
