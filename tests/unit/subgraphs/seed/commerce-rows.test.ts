import { describe, expect, it } from '@jest/globals';
import { findBookProblems } from '../../../../subgraphs/catalogue/book-content.ts';
import { createCommerceRows } from '../../../../subgraphs/seed/commerce-rows.ts';

const rows = createCommerceRows();

describe('the seed of the commerce subgraphs', () => {
  it('has 500 books, 2,000 orders and 1,000 payments, identical in each run', () => {
    expect([rows.books.length, rows.orders.length, rows.payments.length]).toEqual([500, 2_000, 1_000]);
    expect(createCommerceRows()).toEqual(rows);
  });

  it('has valid books with unique titles', () => {
    expect(rows.books.flatMap(({ title, author, price }) => findBookProblems({ title, author, price: Number(price) }, 'book'))).toEqual([]);
    expect(new Set(rows.books.map(({ title }) => title)).size).toBe(500);
  });

  it('has book titles with the correct indefinite article', () => {
    const titles = rows.books.map(({ title }) => title);
    expect(titles.filter((title) => /\bA [AEIOU]|\bAn [^AEIOU]/.test(title))).toEqual([]);
    expect(titles.some((title) => /\bAn [AEIOU]/.test(title))).toBe(true);
  });

  it('has orders whose total is price times quantity and whose version counts the changes', () => {
    const cents = (price: string): number => Math.round(Number(price) * 100);
    expect(rows.orders.filter((order) => cents(order.total) !== cents(order.unit_price) * order.qty)).toEqual([]);
    expect(rows.orders.filter((order) => order.status === 'SHIPPED' && order.version !== 3)).toEqual([]);
    expect(rows.orders.filter((order) => order.updated_at < order.created_at)).toEqual([]);
  });

  it('has orders that are later than their book and in the order of their IDs', () => {
    const listedAt = new Map(rows.books.map(({ id, created_at }) => [id, created_at]));
    expect(rows.orders.filter((order) => (listedAt.get(order.product_id) ?? '~') > order.created_at)).toEqual([]);
    expect(rows.orders.filter((order, index) => order.created_at <= (rows.orders[index - 1]?.created_at ?? ''))).toEqual([]);
  });

  it('has at least twelve orders of the first user, several of them shipped', () => {
    const orders = rows.orders.filter((order) => order.user_id === 1);
    expect(orders.length).toBeGreaterThanOrEqual(12);
    expect(orders.filter(({ status }) => status === 'SHIPPED').length).toBeGreaterThanOrEqual(5);
    expect(new Set(orders.map(({ status }) => status)).size).toBe(4);
  });

  it('has a parcel for exactly the shipped orders', () => {
    const shipped = rows.orders.filter(({ status }) => status === 'SHIPPED').map(({ id }) => id);
    expect(rows.consignments.map(({ order_id }) => order_id)).toEqual(shipped);
  });

  it('has payments of the order owner and total, at most one per order', () => {
    const orderById = new Map(rows.orders.map((order) => [order.id, order]));
    const paid = rows.payments.filter(({ order_id }) => order_id !== null);
    const wrong = paid.filter(({ order_id, user_id, amount }) => {
      const order = orderById.get(order_id ?? 0);
      return order?.user_id !== user_id || amount !== Math.round(Number(order.total) * 100);
    });
    expect(wrong).toEqual([]);
    expect(new Set(paid.map(({ order_id }) => order_id)).size).toBe(paid.length);
  });

  it('has dates that cover two years', () => {
    const first = Date.parse(rows.orders[0]?.created_at ?? '');
    const last = Date.parse(rows.orders.at(-1)?.created_at ?? '');
    expect((last - first) / 86_400_000).toBeGreaterThan(700);
  });
});
