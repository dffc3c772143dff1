import type { Principal } from '../../gateway/index.ts';
import type { RouteTable } from '../compile/route-table.ts';
import type { Route } from '../compile/rest-route.ts';
import { createFaults } from '../request/faults.ts';
import type { QueryParameters } from '../request/query-parameters.ts';
import { type FieldLimits, readFields } from '../request/read-fields.ts';
import { refuseDenied } from './admit-caller.ts';

/**
 * Whether the caller may see the fields that they name, before anything else is said of the request: neither what is wrong with it
 * nor what there is. What only owners may see is not known yet. A list of names that is at fault is refused later, with all that is.
 *
 * @throws GatewayError `UNAUTHENTICATED`, `FORBIDDEN`
 */
export function admitFields(
  route: Route,
  { query, principal }: { readonly query: QueryParameters; readonly principal: Principal },
  limits: FieldLimits,
  { fieldAccessOf }: Pick<RouteTable, 'fieldAccessOf'>,
): void {
  // What was written stays written: a field of it that may not be seen is left out.
  if (route.method !== 'GET') return;
  const [names] = query.get('fields') ?? [];
  if (names === undefined) return;
  const fields = readFields(names, route.result.shape, limits, createFaults(0));
  if (fields !== undefined) refuseDenied(fieldAccessOf(route, fields)?.(principal));
}
