import type { AuthConfig } from '../config/sections/auth.ts';
import { GatewayError } from '../platform/errors.ts';

/** Challenge for bearer tokens (RFC 6750, section 3). */
export const BEARER_CHALLENGE = 'Bearer realm="gatefold"';
/** Challenge for HTTP Basic (RFC 7617, section 2). */
const BASIC_CHALLENGE = 'Basic realm="gatefold", charset="UTF-8"';
/** Challenge for API keys. No scheme is registered for API keys (RFC 9110, section 16.4.1), so the challenge names the header. */
const API_KEY_CHALLENGE = 'ApiKey realm="gatefold", header="X-API-Key"';

/**
 * Returns the challenges of all configured providers for requests without credentials, as a `WWW-Authenticate` value (RFC 9110, section
 * 11.6.1).
 */
export function challengesOf({ developmentKey, providers }: AuthConfig): string {
  const { jwt, introspection, basic, apiKey } = providers;
  const takesTokens = developmentKey !== undefined || introspection !== undefined || Object.keys(jwt).length > 0;
  const challenges = [
    ...(takesTokens ? [BEARER_CHALLENGE] : []),
    ...(basic === undefined ? [] : [BASIC_CHALLENGE]),
    ...(apiKey === undefined ? [] : [API_KEY_CHALLENGE]),
  ];
  return challenges.length === 0 ? BEARER_CHALLENGE : challenges.join(', ');
}

/**
 * Creates the error for an invalid bearer token (RFC 6750, section 3.1). The response does not reveal the reason, so that forgers gain no
 * information.
 *
 * @param cause reason, for the log
 */
export function invalidToken(cause?: unknown): GatewayError {
  return new GatewayError('UNAUTHENTICATED', 'The bearer token is invalid.', {
    cause,
    headers: { 'www-authenticate': `${BEARER_CHALLENGE}, error="invalid_token"` },
  });
}

/** Creates the error for an invalid API key. */
export function invalidApiKey(): GatewayError {
  return new GatewayError('UNAUTHENTICATED', 'The API key is invalid.', {
    headers: { 'www-authenticate': API_KEY_CHALLENGE },
  });
}

/** Creates the error for an invalid user name or password. It does not reveal which of them is wrong (RFC 7617, section 2). */
export function invalidPassword(): GatewayError {
  return new GatewayError('UNAUTHENTICATED', 'The user name or password is invalid.', {
    headers: { 'www-authenticate': BASIC_CHALLENGE },
  });
}

/** Creates the error for several credentials in one request. Another server could use a different one than the gateway. */
export function severalCredentials(): GatewayError {
  return new GatewayError(
    'BAD_REQUEST',
    'The request has several credentials. Send either the Authorization or the X-API-Key header, or the same API key in both.',
  );
}

/** Creates the error for credentials that cannot be parsed. */
export function unreadableCredentials(message: string): GatewayError {
  return new GatewayError('UNAUTHENTICATED', message, { headers: { 'www-authenticate': BEARER_CHALLENGE } });
}

/** Creates the error for credentials that cannot be checked at the moment. */
export function credentialsUnverified(cause?: unknown): GatewayError {
  return new GatewayError('AUTH_UNAVAILABLE', 'Credentials cannot be checked at the moment. Try again later.', {
    cause,
    headers: { 'retry-after': '1' },
  });
}
