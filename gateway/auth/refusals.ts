import { GatewayError } from '../platform/errors.ts';

const CHALLENGE = 'Bearer realm="gatefold"';

/** A token that is not good: wrong signature, expired, not for us (RFC 6750, section 3.1). */
export function invalidToken(message: string, cause?: unknown): GatewayError {
  return new GatewayError('UNAUTHENTICATED', message, {
    cause,
    headers: { 'www-authenticate': `${CHALLENGE}, error="invalid_token", error_description="${message}"` },
  });
}

/** Credentials that cannot be read at all. */
export function unreadableCredentials(message: string): GatewayError {
  return new GatewayError('UNAUTHENTICATED', message, { headers: { 'www-authenticate': CHALLENGE } });
}
