import { type AllowedOrigins, compileAllowedOrigins, isOwnOrigin } from '../platform/http/request/allowed-origins.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';

/** Whether web pages of an origin may connect. A browser opens WebSockets to any host for any page, without a preflight request. */
export type OriginCheck = (origin: string, headers: RequestHeaders) => boolean;

/** @param allowed origins in addition to the origin of the gateway itself */
export function createOriginCheck(allowed: AllowedOrigins): OriginCheck {
  const isAllowed = compileAllowedOrigins(allowed);
  return (origin, { host }) => isAllowed(origin) || isOwnOrigin(origin, host);
}
