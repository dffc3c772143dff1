import { ownerOrAdmin } from '../kit/access-rules.ts';
import { dateTimeScalar } from '../kit/date-time-scalar.ts';
import { subscribeToTopic } from '../kit/events/subscribe-to-topic.ts';
import type { WriteResult } from '../kit/writes/perform-write.ts';
import type { UserError } from '../kit/writes/user-errors.ts';
import type { Resolvers } from './generated/resolver-types.ts';
import { checkListAccess, readOrder } from './order-access.ts';
import { ORDERS_TOPIC, readOrderEvent } from './order-events.ts';
import { orderList, ordersOfUser, productsById } from './order-lists.ts';
import { admitOrderSubscriber } from './order-subscription.ts';
import { cancelOrder, createOrder, replaceOrder, updateOrder } from './order-writes.ts';
import { shippingCost } from './shipping-cost.ts';
import type { OrderRow } from './tables.ts';

export const resolvers: Resolvers = {
  DateTime: dateTimeScalar,
  Query: {
    order: (_root, { id }, context) => readOrder(context, id),
    orders(_root, args, context) {
      checkListAccess(context, args.filter?.userId);
      return orderList.list(context, args);
    },
  },
  Mutation: {
    createOrder: async (_root, { input, idempotencyKey }, context) => toPayload(await createOrder(context, input, idempotencyKey)),
    updateOrder: async (_root, { id, expectedVersion, patch }, context) =>
      toPayload(await updateOrder(context, { id, expectedVersion }, patch)),
    replaceOrder: async (_root, { id, expectedVersion, input }, context) =>
      toPayload(await replaceOrder(context, { id, expectedVersion }, { ...input, status: input.status ?? 'PENDING' })),
    cancelOrder: async (_root, { id, expectedVersion }, context) => toPayload(await cancelOrder(context, { id, expectedVersion })),
  },
  Subscription: {
    orderStatusChanged: {
      async subscribe(_root, args, context) {
        const accepts = await admitOrderSubscriber(context, args);
        return subscribeToTopic(context, 'orderStatusChanged', { topic: ORDERS_TOPIC, accepts, toPayload: readOrderEvent });
      },
    },
  },
  User: {
    // The users subgraph resolves the user. Here the id is sufficient to list the orders.
    __resolveReference: ({ id }) => ({ id }),
    orders(user, args, context) {
      ownerOrAdmin(context, user.id);
      return ordersOfUser.listOf(context, user.id, args);
    },
  },
  Order: {
    __resolveReference: ({ id }, context) => readOrder(context, id),
    user: ({ userId }) => ({ id: userId }),
    shippingCost(order, { express }, context) {
      ownerOrAdmin(context, order.userId);
      return shippingCost(order, express ?? false);
    },
    async product({ productId }, _args, { loaders }) {
      const product = await loaders.load(productsById, productId);
      return product === null ? null : { id: productId };
    },
  },
  OrderStatusChanged: {
    async order({ orderId }, _args, context) {
      const order = await readOrder(context, orderId);
      if (order === null) throw new Error('An event refers to an order that does not exist.');
      return order;
    },
  },
};

function toPayload({ value, errors }: WriteResult<OrderRow>): { readonly order: OrderRow | null; readonly errors: readonly UserError[] } {
  return { order: value, errors };
}
