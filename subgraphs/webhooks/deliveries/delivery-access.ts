import { ownerOrAdmin, requireUser } from '../../kit/access-rules.ts';
import type { RequestContext } from '../../kit/request-context.ts';
import { endpointsById } from '../endpoints/endpoint-lists.ts';
import type { DeliveryRow, EndpointRow } from '../tables.ts';
import { deliveriesById } from './delivery-lists.ts';

/**
 * A delivery by id; null when there is none.
 *
 * @throws GraphQLError `UNAUTHENTICATED`, or `FORBIDDEN` when it is somebody else's
 */
export async function readDelivery(context: RequestContext, id: string): Promise<DeliveryRow | null> {
  requireUser(context);
  const delivery = await context.loaders.load(deliveriesById, id);
  if (delivery !== null) ownerOrAdmin(context, (await endpointOf(context, delivery)).ownerId);
  return delivery;
}

/** The endpoint to which it goes. @throws Error when that was deleted in this very moment, and the delivery with it */
export async function endpointOf({ loaders }: RequestContext, { endpointId }: DeliveryRow): Promise<EndpointRow> {
  const endpoint = await loaders.load(endpointsById, endpointId);
  if (endpoint === null) throw new Error('A delivery goes to an endpoint that does not exist.');
  return endpoint;
}
