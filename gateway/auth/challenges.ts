import type { AuthConfig } from '../config/sections/auth.ts';

/** Of bearer tokens (RFC 6750, section 3). */
export const BEARER_CHALLENGE = 'Bearer realm="gatefold"';
/** Of names and passwords (RFC 7617, section 2). */
export const BASIC_CHALLENGE = 'Basic realm="gatefold", charset="UTF-8"';
/** There is no registered scheme for keys (RFC 9110, section 16.4.1), so the challenge names the header. */
export const API_KEY_CHALLENGE = 'ApiKey realm="gatefold", header="X-API-Key"';

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
