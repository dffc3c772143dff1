import { ownerIdOf } from '../../gateway/platform/principal.ts';
import { isAdmin, ownerOrAdmin, requireUser } from '../kit/access-rules.ts';
import type { BusEvent } from '../kit/events/event-bus.ts';
import { clientError } from '../kit/client-error.ts';
import type { RequestContext } from '../kit/request-context.ts';
import { readOrder } from './order-access.ts';
import { readOrderEvent } from './order-events.ts';

/** Arguments of a subscription to orders. */
export interface OrderEventFilter {
  readonly orderId?: string | null;
  readonly userId?: string | null;
}

/**
 * Checks that the caller may receive the requested events, and returns the filter for each event. Callers who are not administrators
 * receive only events of orders that belong to them, with any arguments.
 *
 * @throws GraphQLError `UNAUTHENTICATED`, `FORBIDDEN`, or `NOT_FOUND` for an order that does not exist
 */
export async function admitOrderSubscriber(
  context: RequestContext,
  { orderId = null, userId = null }: OrderEventFilter,
): Promise<(event: BusEvent) => boolean> {
  const caller = requireUser(context);
  if (userId !== null) ownerOrAdmin(context, userId);
  if (orderId !== null && (await readOrder(context, orderId)) === null) throw clientError('NOT_FOUND', 'No order with this id exists.');
  const visibleUserId = isAdmin(caller) ? userId : ownerIdOf(caller);
  return (event) => {
    const reported = readOrderEvent(event);
    return (orderId === null || reported.orderId === orderId) && (visibleUserId === null || reported.userId === visibleUserId);
  };
}
