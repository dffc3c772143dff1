import { ownerIdOf } from '../../gateway/platform/principal.ts';
import { isAdmin, ownerOrAdmin, requireUser } from '../kit/access-rules.ts';
import { dateTimeScalar } from '../kit/date-time-scalar.ts';
import type { BusEvent } from '../kit/events/event-bus.ts';
import { subscribeToTopic } from '../kit/events/subscribe-to-topic.ts';
import { rowsById } from '../kit/loaders.ts';
import type { RequestContext } from '../kit/request-context.ts';
import { createPayment } from './create-payment.ts';
import type { Resolvers } from './generated/resolver-types.ts';
import { PAYMENT_SUCCEEDED, readPaymentEvent } from './payment-events.ts';
import { type PaymentRow, payments } from './tables.ts';

const paymentsById = rowsById(payments, payments.id);

export const resolvers: Resolvers = {
  DateTime: dateTimeScalar,
  Query: {
    payment: (_root, { id }, context) => readPayment(context, id),
  },
  Mutation: {
    async createPayment(_root, { input, idempotencyKey }, context) {
      const { value, errors } = await createPayment(context, input, idempotencyKey);
      return { payment: value, errors };
    },
  },
  Subscription: {
    paymentSucceeded: {
      subscribe(_root, { userId }, context) {
        const accepts = admitPaymentSubscriber(context, userId ?? null);
        return subscribeToTopic(context, 'paymentSucceeded', { topic: PAYMENT_SUCCEEDED, accepts, toPayload: readPaymentEvent });
      },
    },
  },
  Payment: {
    __resolveReference: ({ id }, context) => readPayment(context, id),
    user: ({ userId }) => ({ id: userId }),
    order: ({ orderId }) => (orderId === null ? null : { id: orderId }),
  },
  PaymentSucceeded: {
    async payment({ paymentId }, _args, context) {
      const payment = await readPayment(context, paymentId);
      if (payment === null) throw new Error('An event refers to a payment that does not exist.');
      return payment;
    },
  },
};

/**
 * Returns a payment by id; null when it does not exist.
 *
 * @throws GraphQLError `UNAUTHENTICATED`, or `FORBIDDEN` when it belongs to another user
 */
async function readPayment(context: RequestContext, id: string): Promise<PaymentRow | null> {
  requireUser(context);
  const payment = await context.loaders.load(paymentsById, id);
  if (payment !== null) ownerOrAdmin(context, payment.userId);
  return payment;
}

/**
 * Returns the filter of a subscriber. Only administrators receive events of other users.
 *
 * @throws GraphQLError `UNAUTHENTICATED`, `FORBIDDEN`
 */
function admitPaymentSubscriber(context: RequestContext, userId: string | null): (event: BusEvent) => boolean {
  const caller = requireUser(context);
  if (userId !== null) ownerOrAdmin(context, userId);
  const visibleUserId = isAdmin(caller) ? userId : ownerIdOf(caller);
  return (event) => visibleUserId === null || readPaymentEvent(event).userId === visibleUserId;
}
