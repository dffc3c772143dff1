import { GatewayError } from '../platform/errors.ts';
import type { Principal } from '../platform/principal.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import type { Budgets } from './budgets.ts';

/**
 * Credentials of one request to the caller's principal.
 *
 * @param remoteAddress who pays for credentials that are not good; nobody where it is absent
 * @throws GatewayError `UNAUTHENTICATED`; `RATE_LIMITED` in its place to an address whose budget is used up
 */
export type Authenticate = (headers: RequestHeaders, remoteAddress?: string) => Promise<Principal>;

/** An authenticator of which each failure costs the address that it comes from. */
export function chargeFailedLogins(authenticate: Authenticate, budgets: Budgets): Authenticate {
  return (headers, remoteAddress) => {
    const principal = authenticate(headers, remoteAddress);
    const hasCredentials = headers.authorization !== undefined || headers['x-api-key'] !== undefined;
    if (remoteAddress === undefined || !hasCredentials) return principal; // nobody to charge, or nothing that could fail
    return principal.catch(async (error: unknown) => {
      const isFailedLogin = error instanceof GatewayError && error.code === 'UNAUTHENTICATED';
      if (isFailedLogin) await budgets.ofAddress({ headers, remoteAddress }).payFailedLogin();
      throw error;
    });
  };
}
