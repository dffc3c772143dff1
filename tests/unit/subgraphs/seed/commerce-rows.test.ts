import { describe, expect, it } from '@jest/globals';
import { findBookProblems } from '../../../../subgraphs/catalogue/book-content.ts';
import { createCommerceRows } from '../../../../subgraphs/seed/commerce-rows.ts';

const rows = createCommerceRows();

describe('the seed of the commerce subgraphs', () => {
  it('given no size, when made twice, then it is 500 books, 2,000 orders and 1,000 payments, the same each time', () => {
    expect([rows.books.length, rows.orders.length, rows.payments.length]).toEqual([500, 2_000, 1_000]);
    expect(createCommerceRows()).toEqual(rows);
  });

  it('given the books, when looked at, then each keeps the rules of a book and no title comes twice', () => {
    expect(rows.books.flatMap(({ title, author, price }) => findBookProblems({ title, author, price: Number(price) }, 'book'))).toEqual([]);
    expect(new Set(rows.books.map(({ title }) => title)).size).toBe(500);
  });

  it('given the books, when their titles are read aloud, then each article fits the word behind it', () => {
    const titles = rows.books.map(({ title }) => title);
    expect(titles.filter((title) => /\bA [AEIOU]|\bAn [^AEIOU]/.test(title))).toEqual([]);
    expect(titles.some((title) => /\bAn [AEIOU]/.test(title))).toBe(true);
  });

  it('given the orders, when reckoned, then totals are price times quantity and versions count the moves', () => {
    const cents = (price: string): number => Math.round(Number(price) * 100);
    expect(rows.orders.filter((order) => cents(order.total) !== cents(order.unit_price) * order.qty)).toEqual([]);
    expect(rows.orders.filter((order) => order.status === 'SHIPPED' && order.version !== 3)).toEqual([]);
    expect(rows.orders.filter((order) => order.updated_at < order.created_at)).toEqual([]);
  });

  it('given the orders, when dated, then each is later than its book and all come in the order of their ids', () => {
    const listedAt = new Map(rows.books.map(({ id, created_at }) => [id, created_at]));
    expect(rows.orders.filter((order) => (listedAt.get(order.product_id) ?? '~') > order.created_at)).toEqual([]);
    expect(rows.orders.filter((order, index) => order.created_at <= (rows.orders[index - 1]?.created_at ?? ''))).toEqual([]);
  });

  it('given the first user, when their orders are counted, then there are at least twelve and several are shipped', () => {
    const orders = rows.orders.filter((order) => order.user_id === 1);
    expect(orders.length).toBeGreaterThanOrEqual(12);
    expect(orders.filter(({ status }) => status === 'SHIPPED').length).toBeGreaterThanOrEqual(5);
    expect(new Set(orders.map(({ status }) => status)).size).toBe(4);
  });

  it('given the parcels, when matched, then exactly the shipped orders have one', () => {
    const shipped = rows.orders.filter(({ status }) => status === 'SHIPPED').map(({ id }) => id);
    expect(rows.consignments.map(({ order_id }) => order_id)).toEqual(shipped);
  });

  it('given the payments, when matched, then each belongs to the owner of its order, pays its total and no order is paid twice', () => {
    const orderById = new Map(rows.orders.map((order) => [order.id, order]));
    const paid = rows.payments.filter(({ order_id }) => order_id !== null);
    const wrong = paid.filter(({ order_id, user_id, amount }) => {
      const order = orderById.get(order_id ?? 0);
      return order?.user_id !== user_id || amount !== Math.round(Number(order.total) * 100);
    });
    expect(wrong).toEqual([]);
    expect(new Set(paid.map(({ order_id }) => order_id)).size).toBe(paid.length);
  });

  it('given all that happened, when dated, then it spreads over two years', () => {
    const first = Date.parse(rows.orders[0]?.created_at ?? '');
    const last = Date.parse(rows.orders.at(-1)?.created_at ?? '');
    expect((last - first) / 86_400_000).toBeGreaterThan(700);
  });
});
