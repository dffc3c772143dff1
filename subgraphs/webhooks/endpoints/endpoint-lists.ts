import { ownerIdOf } from '../../../gateway/platform/principal.ts';
import { type SQL, and, eq, inArray, sql as raw } from 'drizzle-orm';
import { isAdmin, requireUser } from '../../kit/access-rules.ts';
import { rowsById } from '../../kit/loaders.ts';
import { type Connection, type FilteredArguments, defineConnection } from '../../kit/pagination/connection.ts';
import { clientError } from '../../kit/client-error.ts';
import type { RequestContext } from '../../kit/request-context.ts';
import { isStorable } from '../../kit/storable-text.ts';
import { type EndpointRow, type EndpointState, endpoints } from '../tables.ts';

/** Filter of a list of endpoints. */
export interface EndpointFilter {
  readonly state?: readonly EndpointState[] | null | undefined;
  readonly ownerId?: string | null | undefined;
}

/** Loads endpoints by id within one request. */
export const endpointsById = rowsById(endpoints, endpoints.id);

const endpointList = defineConnection<typeof endpoints, EndpointFilter>({
  table: endpoints,
  id: endpoints.id,
  sortable: { ID: endpoints.id, CREATED_AT: endpoints.createdAt },
  where: (filter) => and(isOf(filter?.ownerId), isAt(filter?.state)),
});

/**
 * Lists the endpoints of the caller. Administrators can list all endpoints, or those of one owner.
 *
 * @throws GraphQLError `UNAUTHENTICATED`, or `FORBIDDEN` when another caller requests the endpoints of a different owner
 */
export function listEndpoints(context: RequestContext, args: FilteredArguments<EndpointFilter>): Connection<EndpointRow> {
  const caller = requireUser(context);
  if (isAdmin(caller)) return endpointList.list(context, args);
  const ownerId = args.filter?.ownerId ?? ownerIdOf(caller);
  if (ownerId === undefined || ownerId !== ownerIdOf(caller))
    throw clientError('FORBIDDEN', 'Only administrators can list the webhooks of other users.');
  return endpointList.list(context, { ...args, filter: { ...args.filter, ownerId } });
}

function isOf(ownerId: string | null | undefined): SQL | undefined {
  if (ownerId === null || ownerId === undefined) return undefined;
  return isStorable(ownerId) ? eq(endpoints.ownerId, ownerId) : raw`false`;
}

function isAt(states: readonly EndpointState[] | null | undefined): SQL | undefined {
  return states === null || states === undefined ? undefined : inArray(endpoints.state, [...new Set(states)]);
}
