import type { RequestHeaders } from '../platform/request-headers.ts';

/** Whether pages of an origin may connect. A browser opens a WebSocket to anybody for any page, without asking first. */
export type OriginCheck = (origin: string, headers: RequestHeaders) => boolean;

/** @param origins to the letter, besides the one under which the gateway is reached itself */
export function createOriginCheck(origins: readonly string[]): OriginCheck {
  const allowed = new Set(origins);
  return (origin, { host }) => {
    if (allowed.has(origin)) return true;
    if (host === undefined || !URL.canParse(origin)) return false;
    // The scheme is a proxy's affair, who may speak TLS in front of us.
    return new URL(origin).host === host.toLowerCase();
  };
}
