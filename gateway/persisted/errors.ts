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

export function hashMismatch(): GatewayError {
  return new GatewayError('PERSISTED_QUERY_HASH_MISMATCH', 'The hash is not the SHA-256 of the text that was sent.');
}
