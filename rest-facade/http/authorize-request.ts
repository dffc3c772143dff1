import type { Principal, WholeAccess } from '../../gateway/index.ts';
import { GatewayError } from '../../gateway/platform/errors.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import type { RouteTable } from '../compile/route-table.ts';
import { type FieldLimits, readFieldSelection } from '../request/parameters/field-selection.ts';
import type { QueryParameters } from '../request/parameters/query-parameters.ts';
import { createValidationIssues } from '../request/parameters/validation-issues.ts';

const SIGN_IN = 'This resource requires authentication. Send valid credentials.';

/**
 * Rejects a caller who is denied the whole route. This happens before the request is validated, so that a caller without permission learns
 * nothing from validation errors.
 *
 * @param access permissions of the route
 * @throws GatewayError `UNAUTHENTICATED`, `FORBIDDEN`
 */
export function rejectDeniedCaller({ needsCredentials }: RestRoute, principal: Principal, access: WholeAccess | undefined): void {
  if (needsCredentials && principal.kind === 'anonymous') throw new GatewayError('UNAUTHENTICATED', SIGN_IN);
  rejectDenied(access?.(principal));
}

/** Throws the denial if there is one. @throws GatewayError `UNAUTHENTICATED`, `FORBIDDEN` */
function rejectDenied(denial: ReturnType<WholeAccess>): void {
  if (denial === undefined) return;
  throw new GatewayError(denial, denial === 'FORBIDDEN' ? 'You do not have permission to use this resource in this way.' : SIGN_IN);
}

/**
 * Checks the permission for the fields that the client names, before the request is validated and before the resource is read. Permissions
 * that depend on the owner are not known yet. An invalid list of names is reported later, together with other validation errors.
 *
 * @throws GatewayError `UNAUTHENTICATED`, `FORBIDDEN`
 */
export function authorizeFields(
  route: RestRoute,
  { query, principal }: { readonly query: QueryParameters; readonly principal: Principal },
  limits: FieldLimits,
  { fieldAccessOf }: Pick<RouteTable, 'fieldAccessOf'>,
): void {
  // A write is not rejected because of a field in its response; a field without permission is omitted instead.
  if (route.method !== 'GET') return;
  const [names] = query.get('fields') ?? [];
  if (names === undefined) return;
  const fields = readFieldSelection(names, route.result.shape, limits, createValidationIssues(0));
  if (fields !== undefined) rejectDenied(fieldAccessOf(route, fields)?.(principal));
}
