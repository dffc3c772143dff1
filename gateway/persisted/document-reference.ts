import { createHash } from 'node:crypto';
import { GatewayError } from '../platform/errors.ts';

const HEX = /^[\da-f]{64}$/i;

/** Computes the SHA-256 hash of a text in UTF-8, as lower-case hexadecimal digits. */
export function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns the hash in lower case, as it is compared and stored; undefined if the value is not a SHA-256 hash. */
export function readSha256(value: unknown): string | undefined {
  return typeof value === 'string' && HEX.test(value) ? value.toLowerCase() : undefined;
}

/** Maximum length of a document id. @unit UTF-16 code units */
const MAX_LENGTH = 256;
/** Prefix of the SHA-256 hash of the text (GraphQL over HTTP, appendix "Persisted Documents"). */
const HASH_PREFIX = 'sha256:';

/**
 * Normalizes a document id for comparison. Hashes match with or without prefix and in any case; other ids are unchanged.
 *
 * @throws GatewayError `BAD_REQUEST` for a malformed or too long id
 */
export function toDocumentId(given: string): string {
  const hash = readSha256(given.startsWith(HASH_PREFIX) ? given.slice(HASH_PREFIX.length) : given);
  if (hash !== undefined) return hash;
  if (given.startsWith(HASH_PREFIX)) throw new GatewayError('BAD_REQUEST', '"sha256:" must be followed by 64 hexadecimal digits.');
  if (given.length > MAX_LENGTH) throw new GatewayError('BAD_REQUEST', `The id of a document must not exceed ${MAX_LENGTH} characters.`);
  return given;
}

/** Reference to the document that a client wants to execute: by text, by hash or id, or both. At least one is present. */
export interface DocumentReference {
  readonly text?: string;
  /** SHA-256 hash of the text in lower case, from the automatic persisted queries protocol. */
  readonly sha256?: string;
  /** Id of a trusted document: the id in its manifest, or the SHA-256 hash of its text, with or without the prefix `sha256:`. */
  readonly id?: string;
  /**
   * Set by endpoints whose callers send only documents of the gateway itself. The text is executed even if it is not in a manifest. It is
   * never derived from a request.
   */
  readonly isTrusted?: true;
}
