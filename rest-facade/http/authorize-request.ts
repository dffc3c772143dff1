import type { IncomingMessage } from 'node:http';
import type { Principal, WholeAccess } from '../../gateway/index.ts';
import { GatewayError } from '../../gateway/platform/errors.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import type { RouteTable } from '../compile/route-table.ts';
import { type FieldLimits, readFieldSelection } from '../request/parameters/field-selection.ts';
import type { QueryParameters } from '../request/parameters/query-parameters.ts';
import { createValidationIssues } from '../request/parameters/validation-issues.ts';
import type { RestGateway } from '../rest-gateway.ts';

const SIGN_IN = 'Sign in to use this resource.';

/**
 * Who asks, and whether they may. Before anything is said of what was sent: whoever may not see the answer learns nothing by
 * asking for it wrongly.
 *
 * @throws GatewayError `UNAUTHENTICATED`, `FORBIDDEN`, `RATE_LIMITED`
 */
export async function authorizeCaller(
  gateway: Pick<RestGateway, 'authenticate'>,
  { headers, socket }: IncomingMessage,
  route: RestRoute,
  access: WholeAccess | undefined,
): Promise<Principal> {
  const principal = await gateway.authenticate(headers, socket.remoteAddress ?? '');
  rejectDeniedCaller(route, principal, access);
  return principal;
}

/**
 * Refuses a caller who is denied all of a route.
 *
 * @param access of the route
 * @throws GatewayError `UNAUTHENTICATED`, `FORBIDDEN`
 */
export function rejectDeniedCaller({ needsCredentials }: RestRoute, principal: Principal, access: WholeAccess | undefined): void {
  if (needsCredentials && principal.kind === 'anonymous') throw new GatewayError('UNAUTHENTICATED', SIGN_IN);
  rejectDenied(access?.(principal));
}

/** @throws GatewayError with the denial, where there is one */
function rejectDenied(denial: ReturnType<WholeAccess>): void {
  if (denial === undefined) return;
  throw new GatewayError(denial, denial === 'FORBIDDEN' ? 'You may not use this resource in this way.' : SIGN_IN);
}

/**
 * Whether the caller may see the fields that they name, before anything else is said of the request: neither what is wrong with it
 * nor what there is. What only owners may see is not known yet. A list of names that is at fault is refused later, with all that is.
 *
 * @throws GatewayError `UNAUTHENTICATED`, `FORBIDDEN`
 */
export function authorizeFields(
  route: RestRoute,
  { query, principal }: { readonly query: QueryParameters; readonly principal: Principal },
  limits: FieldLimits,
  { fieldAccessOf }: Pick<RouteTable, 'fieldAccessOf'>,
): void {
  // What was written stays written: a field of it that may not be seen is left out.
  if (route.method !== 'GET') return;
  const [names] = query.get('fields') ?? [];
  if (names === undefined) return;
  const fields = readFieldSelection(names, route.result.shape, limits, createValidationIssues(0));
  if (fields !== undefined) rejectDenied(fieldAccessOf(route, fields)?.(principal));
}
