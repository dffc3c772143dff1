import { createHash } from 'node:crypto';
import { GatewayError } from '../platform/errors.ts';

const HEX = /^[\da-f]{64}$/i;

/** SHA-256 of the UTF-8 of a text, in lower-case hexadecimal digits. */
export function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** In lower case, as it is compared and kept; undefined for what is none. */
export function readSha256(value: unknown): string | undefined {
  return typeof value === 'string' && HEX.test(value) ? value.toLowerCase() : undefined;
}

/** Longest id of a document. @unit UTF-16 code units */
const MAX_LENGTH = 256;
/** What follows is the SHA-256 of the text (GraphQL over HTTP, appendix "Persisted Documents"). */
const HASH_PREFIX = 'sha256:';

/**
 * An id as it is compared: a hash is the same one with and without its prefix, and in upper case; any other is taken as it is.
 *
 * @throws GatewayError `BAD_REQUEST`
 */
export function toDocumentId(given: string): string {
  const hash = readSha256(given.startsWith(HASH_PREFIX) ? given.slice(HASH_PREFIX.length) : given);
  if (hash !== undefined) return hash;
  if (given.startsWith(HASH_PREFIX)) throw new GatewayError('BAD_REQUEST', '"sha256:" must be followed by 64 hexadecimal digits.');
  if (given.length > MAX_LENGTH) throw new GatewayError('BAD_REQUEST', `The id of a document has ${MAX_LENGTH} characters at most.`);
  return given;
}

/** Which document a client wants to have executed: by its text, or by what it is known by, or by both. At least one is there. */
export interface DocumentReference {
  readonly text?: string;
  /** SHA-256 of the text in lower case, by the protocol of automatic persisted queries. */
  readonly sha256?: string;
  /** The id of a trusted document: what its manifest calls it, or the SHA-256 of its text, with `sha256:` before it or without. */
  readonly id?: string;
  /** Said by a door whose callers bring no documents but our own: the text is served though it stands in no manifest. Nothing of a request says it. */
  readonly isTrusted?: true;
}
