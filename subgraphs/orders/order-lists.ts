import { type SQL, and, eq, inArray, sql as raw } from 'drizzle-orm';
import { isRowId } from '../kit/ids.ts';
import { rowsById } from '../kit/loaders.ts';
import { defineChildConnection, defineConnection } from '../kit/pagination/connection.ts';
import type { OrderStatus } from './order-status.ts';
import { orders, productPrices } from './tables.ts';

/** Filter of a list of orders. */
export interface OrderFilter {
  readonly status?: readonly OrderStatus[] | null;
  readonly userId?: string | null;
}

/** Loads orders by id within one request. */
export const ordersById = rowsById(orders, orders.id);

/** Loads available products by id within one request. */
export const productsById = rowsById(productPrices, productPrices.productId);

const source = {
  table: orders,
  id: orders.id,
  sortable: { ID: orders.id, CREATED_AT: orders.createdAt, TOTAL: orders.total, STATUS: orders.status },
  where: (filter: OrderFilter | null | undefined) => and(isOf(filter?.userId), isAt(filter?.status)),
};

export const orderList = defineConnection<typeof orders, OrderFilter>(source);

/** Orders of each of many users, loaded with one statement. */
export const ordersOfUser = defineChildConnection<typeof orders, OrderFilter>({ ...source, parent: orders.userId });

function isOf(userId: string | null | undefined): SQL | undefined {
  if (userId === null || userId === undefined) return undefined;
  return isRowId(userId) ? eq(orders.userId, userId) : raw`false`;
}

function isAt(statuses: readonly OrderStatus[] | null | undefined): SQL | undefined {
  return statuses === null || statuses === undefined ? undefined : inArray(orders.status, [...new Set(statuses)]);
}
