import { unreadableCredentials } from './refusals.ts';

/** One scheme, one token of its alphabet (RFC 6750, section 2.1). Two headers, which our listeners join with a comma, do not match. */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/** Nothing longer is looked at; Node's parser lets no longer header through. @unit UTF-16 code units */
const MAX_LENGTH = 16_384;

/** The token of an `Authorization` header. @throws GatewayError `UNAUTHENTICATED` */
export function readBearerToken(authorization: string): string {
  const token = authorization.length > MAX_LENGTH ? undefined : BEARER.exec(authorization)?.[1];
  if (token === undefined) throw unreadableCredentials('The Authorization header must be one bearer token: "Bearer <token>".');
  return token;
}
