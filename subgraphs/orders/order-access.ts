import { ownerIdOf } from '../../gateway/platform/principal.ts';
import { isAdmin, ownerOrAdmin, requireUser } from '../kit/access-rules.ts';
import { clientError } from '../kit/client-error.ts';
import type { RequestContext } from '../kit/request-context.ts';
import { ordersById } from './order-lists.ts';
import type { OrderRow } from './tables.ts';

/**
 * Returns an order by id; null when it does not exist.
 *
 * @throws GraphQLError `UNAUTHENTICATED`, or `FORBIDDEN` when it belongs to another user
 */
export async function readOrder(context: RequestContext, id: string): Promise<OrderRow | null> {
  requireUser(context);
  const order = await context.loaders.load(ordersById, id);
  if (order !== null) ownerOrAdmin(context, order.userId);
  return order;
}

/**
 * Allows administrators to list all orders, and other users only their own.
 *
 * @throws GraphQLError `UNAUTHENTICATED` or `FORBIDDEN`
 */
export function checkListAccess(context: RequestContext, userId: string | null | undefined): void {
  const caller = requireUser(context);
  const ownId = ownerIdOf(caller);
  if (isAdmin(caller) || (ownId !== undefined && userId === ownId)) return;
  throw clientError('FORBIDDEN', 'Only administrators can list the orders of all users; set `userId` to your own id.');
}
