import { eq, sql as raw } from 'drizzle-orm';
import { isAdmin, ownerOrAdmin, requireUser, requireUserId } from '../kit/access-rules.ts';
import type { Sql } from '../kit/database/database.ts';
import { onlyRow } from '../kit/database/only-row.ts';
import { isRowId } from '../kit/ids.ts';
import { requireKnownUser } from '../kit/known-users.ts';
import { clientError } from '../kit/client-error.ts';
import type { RequestContext } from '../kit/request-context.ts';
import { type WriteResult, type WriteScope, performWrite } from '../kit/writes/perform-write.ts';
import { type UserError, type WriteRejected, checkVersion, refuseIfAny, writeRejected } from '../kit/writes/user-errors.ts';
import { type OrderContent, changesGoods, isSameContent, refuseChange, ships } from './order-change.ts';
import { ORDERS_TOPIC, toOrderPayload } from './order-events.ts';
import { type OrderPatch, findQtyProblems, readOrderPatch } from './order-input.ts';
import { orderTotal } from './order-total.ts';
import { type OrderRow, orders, paidOrders, productPrices } from './tables.ts';

/** Order that a write changes, and the version that the caller has read. */
export interface OrderTarget {
  readonly id: string;
  readonly expectedVersion?: number | null | undefined;
}

/**
 * Creates an order of the caller.
 *
 * @throws GraphQLError `UNAUTHENTICATED` or `FORBIDDEN`
 */
export async function createOrder(
  context: RequestContext,
  input: { readonly productId: string; readonly qty: number },
  idempotencyKey: string | null | undefined,
): Promise<WriteResult<OrderRow>> {
  const userId = requireUserId(context);
  return performWrite(context, {
    once: { operation: 'createOrder', input, key: idempotencyKey },
    async effect({ sql, now, emit }) {
      await requireKnownUser(sql, userId);
      const { productId, qty } = input;
      refuseIfAny(findQtyProblems(qty, 'input.qty'));
      const unitPrice = await priceOf(sql, productId);
      const total = orderTotal(unitPrice, qty);
      const row = { userId, productId, qty, unitPrice, total, status: 'PENDING', createdAt: now, updatedAt: now, version: 1 } as const;
      const order = onlyRow(await sql.insert(orders).values(row).returning());
      emit(ORDERS_TOPIC, toOrderPayload('order.created', order));
      return order;
    },
  });
}

/**
 * Writes the fields of a patch. A patch without changes does not increment the version.
 *
 * @throws GraphQLError `UNAUTHENTICATED`; `FORBIDDEN` for an order of another user, and when a user who is not an administrator ships
 */
export async function updateOrder(context: RequestContext, target: OrderTarget, patch: OrderPatch): Promise<WriteResult<OrderRow>> {
  const { changes, problems } = readOrderPatch(patch);
  return writeContent(context, { argument: 'patch', target, problems, contentOver: (before) => ({ ...before, ...changes }) });
}

/** Replaces all fields; the permissions are those of `updateOrder`. */
export async function replaceOrder(context: RequestContext, target: OrderTarget, input: OrderContent): Promise<WriteResult<OrderRow>> {
  const { productId, qty, status } = input;
  return writeContent(context, {
    argument: 'input',
    target,
    problems: findQtyProblems(qty, 'input.qty'),
    contentOver: () => ({ productId, qty, status }),
  });
}

/** Cancels an order, also a paid one, because the reference graph has no refunds. The permissions are those of `updateOrder`. */
export async function cancelOrder(context: RequestContext, target: OrderTarget): Promise<WriteResult<OrderRow>> {
  requireUser(context);
  return performWrite(context, {
    async effect(scope) {
      const before = await lockOrder(scope.sql, target.id);
      if (before === undefined) throw unknownOrder();
      ownerOrAdmin(context, before.userId);
      // RFC 9110 section 13.1.1: a change that was already applied may be confirmed, whatever version was expected.
      if (before.status === 'CANCELLED') return before;
      checkVersion(target.expectedVersion, before.version);
      const after: OrderContent = { ...before, status: 'CANCELLED' };
      refuseIfAny(refuseChange(before, after).map(({ message, code }) => ({ field: '', message, code })));
      return storeContent(scope, before, after);
    },
  });
}

interface ContentWrite {
  /** Argument that contains the content. */
  readonly argument: 'patch' | 'input';
  readonly target: OrderTarget;
  readonly problems: readonly UserError[];
  readonly contentOver: (before: OrderContent) => OrderContent;
}

async function writeContent(context: RequestContext, write: ContentWrite): Promise<WriteResult<OrderRow>> {
  const caller = requireUser(context);
  const { argument, target, problems, contentOver } = write;
  return performWrite(context, {
    async effect(scope) {
      const before = await lockOrder(scope.sql, target.id);
      // A caller without permission for the order receives only that error, even when the input has further errors.
      if (before !== undefined) ownerOrAdmin(context, before.userId);
      if (before !== undefined && ships(before, contentOver(before)) && !isAdmin(caller)) {
        throw clientError('FORBIDDEN', 'Only administrators can ship orders.');
      }
      refuseIfAny(problems);
      if (before === undefined) throw unknownOrder();
      checkVersion(target.expectedVersion, before.version);
      const after = contentOver(before);
      const isPaid = changesGoods(before, after) && (await hasPayment(scope.sql, before.id));
      const rejections = refuseChange(before, after, isPaid);
      refuseIfAny(rejections.map(({ field, message, code }) => ({ field: `${argument}.${field}`, message, code })));
      return storeContent(scope, before, after);
    },
  });
}

async function storeContent({ sql, now, emit }: WriteScope, before: OrderRow, after: OrderContent): Promise<OrderRow> {
  if (isSameContent(before, after)) return before;
  const { productId, qty, status } = after;
  const unitPrice = productId === before.productId ? before.unitPrice : await priceOf(sql, productId);
  const rows = await sql
    .update(orders)
    .set({ productId, qty, status, unitPrice, total: orderTotal(unitPrice, qty), updatedAt: now, version: raw`${orders.version} + 1` })
    .where(eq(orders.id, before.id))
    .returning();
  const order = onlyRow(rows);
  if (order.status !== before.status) emit(ORDERS_TOPIC, toOrderPayload('order.status_changed', order));
  return order;
}

/** Reads and locks an order until the transaction ends, so that of two writers with the same version the second one gets a conflict. */
async function lockOrder(sql: Sql, id: string): Promise<OrderRow | undefined> {
  const [order] = isRowId(id) ? await sql.select().from(orders).where(eq(orders.id, id)).for('update') : [];
  return order;
}

/** Whether a payment of the order has succeeded. Call it while the order is locked, because a payment takes the same lock. */
async function hasPayment(sql: Sql, orderId: string): Promise<boolean> {
  const paid = await sql.select().from(paidOrders).where(eq(paidOrders.orderId, orderId)).limit(1);
  return paid.length > 0;
}

/** Returns the current price of a product. @throws WriteRejected when the product does not exist or is out of stock */
async function priceOf(sql: Sql, productId: string): Promise<number> {
  const [product] = isRowId(productId) ? await sql.select().from(productPrices).where(eq(productPrices.productId, productId)) : [];
  if (product === undefined) throw writeRejected('BAD_USER_INPUT', 'input.productId', 'No product with this id exists.');
  if (!product.inStock) throw writeRejected('CONFLICT', 'input.productId', 'This product is out of stock.');
  return product.price;
}

function unknownOrder(): WriteRejected {
  return writeRejected('NOT_FOUND', 'id', 'No order with this id exists.');
}
