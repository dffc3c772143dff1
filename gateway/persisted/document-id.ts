import { GatewayError } from '../platform/errors.ts';
import { readSha256 } from './sha256.ts';

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
