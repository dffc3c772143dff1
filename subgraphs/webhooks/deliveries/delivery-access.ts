import { ownerOrAdmin, requireUser } from '../../kit/access-rules.ts';
import type { RequestContext } from '../../kit/request-context.ts';
import { endpointsById } from '../endpoints/endpoint-lists.ts';
import type { DeliveryRow, EndpointRow } from '../tables.ts';
import { deliveriesById } from './delivery-lists.ts';

/**
 * Returns a delivery by id; null when it does not exist.
 *
 * @throws GraphQLError `UNAUTHENTICATED`, or `FORBIDDEN` when it belongs to another user
 */
export async function readDelivery(context: RequestContext, id: string): Promise<DeliveryRow | null> {
  requireUser(context);
  const delivery = await context.loaders.load(deliveriesById, id);
  if (delivery !== null) ownerOrAdmin(context, (await endpointOf(context, delivery)).ownerId);
  return delivery;
}

/** Returns the endpoint of a delivery. @throws Error when the endpoint was deleted at this moment, together with the delivery */
export async function endpointOf({ loaders }: RequestContext, { endpointId }: DeliveryRow): Promise<EndpointRow> {
  const endpoint = await loaders.load(endpointsById, endpointId);
  if (endpoint === null) throw new Error('A delivery refers to an endpoint that does not exist.');
  return endpoint;
}
