import { GatewayError } from '../platform/errors.ts';

// Clients recognize the first two errors by their messages, which are part of the automatic persisted queries protocol.

/** Creates the error that makes the client send the text together with the hash. */
export function notFound(): GatewayError {
  return new GatewayError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
}

/** Creates the error that makes the client send texts without hashes. */
export function notSupported(): GatewayError {
  return new GatewayError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported');
}

/** Creates the error for a document that is not in a manifest. */
export function notInList(): GatewayError {
  return new GatewayError('PERSISTED_QUERY_NOT_IN_LIST', 'The document is not in the list of trusted documents.');
}

/** Creates the error for a text that was sent without its id. */
export function idRequired(): GatewayError {
  return new GatewayError(
    'PERSISTED_QUERY_ID_REQUIRED',
    'Documents are executed by id only. Send the id of the document instead of its text.',
  );
}

export function hashMismatch(): GatewayError {
  return new GatewayError('PERSISTED_QUERY_HASH_MISMATCH', 'The hash does not match the SHA-256 hash of the document.');
}
