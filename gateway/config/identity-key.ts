import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigurationInvalid } from './configuration-invalid.ts';
import type { GatewayConfig } from './sections.ts';
import { systemErrorCode } from '../platform/file-errors.ts';

/** Key that signs identity tokens for subgraphs: a shared secret, or a private key whose public key the subgraphs have. */
export type IdentityKey =
  | { readonly secret: string }
  | {
      /** Ed25519 private key. */
      readonly privateKey: KeyObject;
      /** Id of the public key: its thumbprint (RFC 7638). */
      readonly keyId: string;
    };

/**
 * Reads the key of the section `identity`. Returns undefined if no key is configured; subgraphs receive no identity tokens then.
 *
 * @throws ConfigurationInvalid when the file cannot be read or does not contain an Ed25519 private key
 */
export function readIdentityKey({ secret, privateKeyFile }: GatewayConfig['identity']): IdentityKey | undefined {
  if (privateKeyFile === undefined) return secret === undefined ? undefined : { secret };
  const privateKey = parsePrivateKey(readText(privateKeyFile), privateKeyFile);
  return { privateKey, keyId: thumbprintOf(privateKey) };
}

/** Returns the JWK Set (RFC 7517, section 5; RFC 8037) with which subgraphs verify identity tokens. Undefined for a shared secret. */
export function publicKeysOf(key: IdentityKey | undefined): { readonly keys: readonly object[] } | undefined {
  if (key === undefined || 'secret' in key) return undefined;
  return { keys: [{ ...publicPartsOf(key.privateKey), kid: key.keyId, alg: 'EdDSA', use: 'sig' }] };
}

function publicPartsOf(privateKey: KeyObject) {
  const { crv, kty, x } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { crv, kty, x }; // The thumbprint requires the members in lexicographic order.
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
    throw invalid(
      path,
      systemErrorCode(cause) === 'ENOENT' ? 'the file does not exist' : `the file cannot be read (${systemErrorCode(cause)})`,
    );
  }
}

function parsePrivateKey(text: string, path: string): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = createPrivateKey(text);
  } catch {
    // The error is thrown below, without any part of the key text.
  }
  if (key?.asymmetricKeyType !== 'ed25519') throw invalid(path, 'expected an Ed25519 private key in PEM format');
  return key;
}

function invalid(path: string, reason: string): ConfigurationInvalid {
  return new ConfigurationInvalid([{ path: 'identity.privateKeyFile', message: `${path}: ${reason}` }]);
}
