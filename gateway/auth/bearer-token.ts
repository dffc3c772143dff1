import { unreadableCredentials } from './refusals.ts';

/** One scheme, one token of its alphabet (RFC 6750, section 2.1). Two headers, which Node joins with a comma, do not match. */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/** The token of an `Authorization` header. @throws GatewayError `UNAUTHENTICATED` */
export function readBearerToken(authorization: string): string {
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw unreadableCredentials('The Authorization header must be one bearer token: "Bearer <token>".');
  return token;
}
