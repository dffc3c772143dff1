import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigurationInvalid } from './configuration-invalid.ts';
import type { IdentityConfig } from './sections/identity.ts';
import { systemErrorCode } from '../platform/file-errors.ts';
import { algorithmOf, type SignatureAlgorithm } from '../subgraph-identity/signature-algorithm.ts';

/** Key that signs identity tokens for subgraphs: a shared secret, or a private key whose public key the subgraphs have. */
export type IdentityKey =
  | { readonly secret: string }
  | {
      readonly privateKey: KeyObject;
      readonly algorithm: SignatureAlgorithm;
      /** Id of the public key: its thumbprint (RFC 7638). */
      readonly keyId: string;
      /** Public key that is published in addition: the next or the previous one. */
      readonly additionalKey?: KeyObject;
    };

type KeySettings = Pick<IdentityConfig, 'secret' | 'privateKeyFile' | 'additionalKeyFile'>;

/**
 * Reads the key of the section `identity`. Returns undefined if no key is configured; subgraphs receive no identity tokens then.
 *
 * @throws ConfigurationInvalid when a file cannot be read or does not contain a key of a supported type
 */
export function readIdentityKey({ secret, privateKeyFile, additionalKeyFile }: KeySettings): IdentityKey | undefined {
  if (privateKeyFile === undefined) return secret === undefined ? undefined : { secret };
  const setting = 'identity.privateKeyFile';
  const privateKey = parseKey(createPrivateKey, readText(privateKeyFile, setting));
  const algorithm = privateKey && algorithmOf(privateKey);
  if (privateKey === undefined || algorithm === undefined) {
    throw invalid(setting, privateKeyFile, 'expected an Ed25519, P-256 or RSA (2,048 bits) private key in PEM format');
  }
  return { privateKey, algorithm, keyId: thumbprintOf(privateKey), ...readAdditionalKey(additionalKeyFile) };
}

function readAdditionalKey(file: string | undefined): { readonly additionalKey?: KeyObject } {
  if (file === undefined) return {};
  const setting = 'identity.additionalKeyFile';
  const additionalKey = parseKey(createPublicKey, readText(file, setting));
  if (additionalKey !== undefined && algorithmOf(additionalKey) !== undefined) return { additionalKey };
  throw invalid(setting, file, 'expected an Ed25519, P-256 or RSA (2,048 bits) key in PEM format');
}

/** Returns the JWK Set (RFC 7517, section 5; RFC 8037) with which subgraphs verify identity tokens. Undefined for a shared secret. */
export function publicKeysOf(key: IdentityKey | undefined): { readonly keys: readonly object[] } | undefined {
  if (key === undefined || 'secret' in key) return undefined;
  return { keys: [key.privateKey, ...(key.additionalKey === undefined ? [] : [key.additionalKey])].map(toPublicJwk) };
}

function toPublicJwk(key: KeyObject): object {
  return { ...publicPartsOf(key), kid: thumbprintOf(key), alg: algorithmOf(key), use: 'sig' };
}

/** Returns the required members of a public key in lexicographic order, as the thumbprint requires them (RFC 7638, section 3.2). */
function publicPartsOf(key: KeyObject): object {
  const { crv, e, kty, n, x, y } = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' });
  return Object.fromEntries(Object.entries({ crv, e, kty, n, x, y }).filter(([, value]) => value !== undefined));
}

function thumbprintOf(key: KeyObject): string {
  return createHash('sha256')
    .update(JSON.stringify(publicPartsOf(key)))
    .digest('base64url');
}

function readText(path: string, setting: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const code = systemErrorCode(cause);
    throw invalid(setting, path, code === 'ENOENT' ? 'the file does not exist' : `the file cannot be read (${code})`);
  }
}

/** Returns undefined instead of an error, which could contain a part of the key. */
function parseKey(create: (text: string) => KeyObject, text: string): KeyObject | undefined {
  try {
    return create(text);
  } catch {
    return undefined;
  }
}

function invalid(setting: string, path: string, reason: string): ConfigurationInvalid {
  return new ConfigurationInvalid([{ path: setting, message: `${path}: ${reason}` }]);
}
