import type { RequestHeaders } from '../platform/request-headers.ts';

/** Whether web pages of an origin may connect. A browser opens WebSockets to any host for any page, without a preflight request. */
export type OriginCheck = (origin: string, headers: RequestHeaders) => boolean;

/** @param origins allowed origins, compared exactly, in addition to the origin of the gateway itself */
export function createOriginCheck(origins: readonly string[]): OriginCheck {
  const allowed = new Set(origins);
  return (origin, { host }) => {
    if (allowed.has(origin)) return true;
    if (host === undefined || !URL.canParse(origin)) return false;
    // The scheme is not compared, because a proxy in front of the gateway may terminate TLS.
    return new URL(origin).host === host.toLowerCase();
  };
}
