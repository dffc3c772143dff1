import type { IncomingMessage } from 'node:http';
import type { Principal, WholeAccess } from '../../gateway/index.ts';
import { GatewayError } from '../../gateway/platform/errors.ts';
import type { Route } from '../compile/rest-route.ts';
import type { RestGateway } from '../rest-gateway.ts';

const SIGN_IN = 'Sign in to use this resource.';

/**
 * Who asks, and whether they may. Before anything is said of what was sent: whoever may not see the answer learns nothing by
 * asking for it wrongly.
 *
 * @throws GatewayError `UNAUTHENTICATED`, `FORBIDDEN`, `RATE_LIMITED`
 */
export async function admitCaller(
  gateway: Pick<RestGateway, 'authenticate'>,
  { headers, socket }: IncomingMessage,
  route: Route,
  access: WholeAccess | undefined,
): Promise<Principal> {
  const principal = await gateway.authenticate(headers, socket.remoteAddress ?? '');
  refuseCaller(route, principal, access);
  return principal;
}

/**
 * Refuses a caller who is denied all of a route.
 *
 * @param access of the route
 * @throws GatewayError `UNAUTHENTICATED`, `FORBIDDEN`
 */
export function refuseCaller({ needsCredentials }: Route, principal: Principal, access: WholeAccess | undefined): void {
  if (needsCredentials && principal.kind === 'anonymous') throw new GatewayError('UNAUTHENTICATED', SIGN_IN);
  refuseDenied(access?.(principal));
}

/** @throws GatewayError with the denial, where there is one */
export function refuseDenied(denial: ReturnType<WholeAccess>): void {
  if (denial === undefined) return;
  throw new GatewayError(denial, denial === 'FORBIDDEN' ? 'You may not use this resource in this way.' : SIGN_IN);
}
