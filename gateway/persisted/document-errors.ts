import { GatewayError } from '../platform/errors.ts';

// Clients tell the first two by their messages, which are part of the protocol of automatic persisted queries.

/** The client is to send the text along with the hash. */
export function notFound(): GatewayError {
  return new GatewayError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
}

/** The client is to send texts alone. */
export function notSupported(): GatewayError {
  return new GatewayError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported');
}

/** No manifest has the document. */
export function notInList(): GatewayError {
  return new GatewayError('PERSISTED_QUERY_NOT_IN_LIST', 'The document is not one of those that are served here.');
}

/** A text came without the id that it goes by. */
export function idRequired(): GatewayError {
  return new GatewayError('PERSISTED_QUERY_ID_REQUIRED', 'Documents are served by their ids here; send the id in place of the text.');
}

export function hashMismatch(): GatewayError {
  return new GatewayError('PERSISTED_QUERY_HASH_MISMATCH', 'The hash is not the SHA-256 of the text that was sent.');
}
