import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigurationInvalid } from './configuration-invalid.ts';
import type { GatewayConfig } from './sections.ts';
import { systemErrorCode } from '../platform/file-errors.ts';

/** What the identity towards subgraphs is signed with: a key that they share, or one of which they have the public half. */
export type IdentityKey =
  | { readonly secret: string }
  | {
      /** Ed25519. */
      readonly privateKey: KeyObject;
      /** Names the public half: its thumbprint (RFC 7638). */
      readonly keyId: string;
    };

/**
 * The key of the section `identity`; undefined where none is set, and subgraphs are not told who asks.
 *
 * @throws ConfigurationInvalid when the file cannot be read, or holds no private key of Ed25519
 */
export function readIdentityKey({ secret, privateKeyFile }: GatewayConfig['identity']): IdentityKey | undefined {
  if (privateKeyFile === undefined) return secret === undefined ? undefined : { secret };
  const privateKey = parsePrivateKey(readText(privateKeyFile), privateKeyFile);
  return { privateKey, keyId: thumbprintOf(privateKey) };
}

/** JWK Set (RFC 7517, section 5; RFC 8037) by which subgraphs check what is signed; undefined where they share a key. */
export function publicKeysOf(key: IdentityKey | undefined): { readonly keys: readonly object[] } | undefined {
  if (key === undefined || 'secret' in key) return undefined;
  return { keys: [{ ...publicPartsOf(key.privateKey), kid: key.keyId, alg: 'EdDSA', use: 'sig' }] };
}

function publicPartsOf(privateKey: KeyObject) {
  const { crv, kty, x } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { crv, kty, x }; // in the order of their names, as the thumbprint wants them
}

function thumbprintOf(privateKey: KeyObject): string {
  return createHash('sha256')
    .update(JSON.stringify(publicPartsOf(privateKey)))
    .digest('base64url');
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw invalid(path, systemErrorCode(cause) === 'ENOENT' ? 'there is no such file' : `it cannot be read (${systemErrorCode(cause)})`);
  }
}

function parsePrivateKey(text: string, path: string): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = createPrivateKey(text);
  } catch {
    // told below, without any of the text
  }
  if (key?.asymmetricKeyType !== 'ed25519') throw invalid(path, 'it holds no private key of Ed25519 in PEM form');
  return key;
}

function invalid(path: string, reason: string): ConfigurationInvalid {
  return new ConfigurationInvalid([{ path: 'identity.privateKeyFile', message: `${path}: ${reason}` }]);
}
