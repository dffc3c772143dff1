import { eq } from 'drizzle-orm';
import { ownerOrAdmin, requireUser } from '../../kit/access-rules.ts';
import type { Sql } from '../../kit/database/database.ts';
import { isRowId } from '../../kit/ids.ts';
import type { RequestContext } from '../../kit/request-context.ts';
import { writeRejected } from '../../kit/writes/user-errors.ts';
import { type EndpointRow, endpoints } from '../tables.ts';
import { endpointsById } from './endpoint-lists.ts';

/**
 * Returns an endpoint by id; null when it does not exist.
 *
 * @throws GraphQLError `UNAUTHENTICATED`, or `FORBIDDEN` when it belongs to another user
 */
export async function readEndpoint(context: RequestContext, id: string): Promise<EndpointRow | null> {
  requireUser(context);
  const endpoint = await context.loaders.load(endpointsById, id);
  if (endpoint !== null) ownerOrAdmin(context, endpoint.ownerId);
  return endpoint;
}

/**
 * Reads and locks the endpoint of a write until the transaction ends.
 *
 * @throws GraphQLError `FORBIDDEN` when it belongs to another user
 * @throws WriteRejected `NOT_FOUND`
 */
export async function lockEndpoint(context: RequestContext, sql: Sql, id: string): Promise<EndpointRow> {
  const [endpoint] = isRowId(id) ? await sql.select().from(endpoints).where(eq(endpoints.id, id)).for('update') : [];
  if (endpoint === undefined) throw writeRejected('NOT_FOUND', 'id', 'No webhook with this id exists.');
  ownerOrAdmin(context, endpoint.ownerId);
  return endpoint;
}
