import type { AuthConfig } from '../config/sections/auth.ts';
import { GatewayError } from '../platform/errors.ts';

/** Of bearer tokens (RFC 6750, section 3). */
export const BEARER_CHALLENGE = 'Bearer realm="gatefold"';
/** Of names and passwords (RFC 7617, section 2). */
const BASIC_CHALLENGE = 'Basic realm="gatefold", charset="UTF-8"';
/** There is no registered scheme for keys (RFC 9110, section 16.4.1), so the challenge names the header. */
const API_KEY_CHALLENGE = 'ApiKey realm="gatefold", header="X-API-Key"';

/** All by which callers may prove who they are, for those who have not tried to: a value of `WWW-Authenticate` (RFC 9110, section 11.6.1). */
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
 * A token that is not good (RFC 6750, section 3.1). Whoever forges one learns nothing of what was wrong with it.
 *
 * @param cause what was wrong, for the log
 */
export function invalidToken(cause?: unknown): GatewayError {
  return new GatewayError('UNAUTHENTICATED', 'The bearer token is not valid here.', {
    cause,
    headers: { 'www-authenticate': `${BEARER_CHALLENGE}, error="invalid_token"` },
  });
}

/** A key that is not good. */
export function invalidApiKey(): GatewayError {
  return new GatewayError('UNAUTHENTICATED', 'The API key is not valid here.', {
    headers: { 'www-authenticate': API_KEY_CHALLENGE },
  });
}

/** A name or a password that is not right; which of them is not told (RFC 7617, section 2). */
export function invalidPassword(): GatewayError {
  return new GatewayError('UNAUTHENTICATED', 'Name or password are not right.', {
    headers: { 'www-authenticate': BASIC_CHALLENGE },
  });
}

/** More than one credential in one request: whichever we took, somebody else may take the other. */
export function severalCredentials(): GatewayError {
  return new GatewayError(
    'BAD_REQUEST',
    'A request has one credential: either the header Authorization or X-API-Key, once; a key in both must be the same.',
  );
}

/** Credentials that cannot be read at all. */
export function unreadableCredentials(message: string): GatewayError {
  return new GatewayError('UNAUTHENTICATED', message, { headers: { 'www-authenticate': BEARER_CHALLENGE } });
}

/** Nobody can say at the moment whether the credentials are good. */
export function cannotTell(cause?: unknown): GatewayError {
  return new GatewayError('AUTH_UNAVAILABLE', 'Credentials cannot be checked at the moment; try again later.', {
    cause,
    headers: { 'retry-after': '1' },
  });
}
