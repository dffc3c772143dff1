import { ownerIdOf } from '../../gateway/platform/principal.ts';
import { isAdmin, ownerOrAdmin, requireUser } from '../kit/access-rules.ts';
import { refusal } from '../kit/refusal.ts';
import type { RequestContext } from '../kit/request-context.ts';
import { ordersById } from './order-lists.ts';
import type { OrderRow } from './tables.ts';

/**
 * An order by id; null when there is none.
 *
 * @throws GraphQLError `UNAUTHENTICATED`, or `FORBIDDEN` when it is somebody else's
 */
export async function readOrder(context: RequestContext, id: string): Promise<OrderRow | null> {
  requireUser(context);
  const order = await context.loaders.load(ordersById, id);
  if (order !== null) ownerOrAdmin(context, order.userId);
  return order;
}

/**
 * Lets administrators list all orders, and everybody else only those of the user they are.
 *
 * @throws GraphQLError `UNAUTHENTICATED` or `FORBIDDEN`
 */
export function checkListAccess(context: RequestContext, userId: string | null | undefined): void {
  const caller = requireUser(context);
  const ownId = ownerIdOf(caller);
  if (isAdmin(caller) || (ownId !== undefined && userId === ownId)) return;
  throw refusal('FORBIDDEN', 'Only administrators list the orders of all users; name yourself as `userId`.');
}
