import { describe, expect, it } from '@jest/globals';
import {
  expectFields,
  expectJson,
  expectPage,
  expectError,
  MOUNTS,
  type Page,
  type RestOrder,
} from '../../support/rest/rest-expectations.ts';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

const ORDER = {
  id: expect.any(Number),
  status: expect.stringMatching(/^(PENDING|CONFIRMED|SHIPPED|CANCELLED)$/),
  productId: expect.any(Number),
  qty: expect.any(Number),
  userId: expect.any(Number),
  total: expect.any(Number),
};
const MORE_OF_ORDER = ['version', 'createdAt', 'updatedAt'];

describeOnStack('orders as resources', ({ http, tokens, newUser, newOrder }) => {
  describe.each(MOUNTS)('under the mount "%s"', (mount) => {
    const at = (id: number) => `${mount}/orders/${String(id)}`;

    describe('GET /orders/{order_id}', () => {
      it('returns 401 without credentials', async () => {
        expectError(await http.get(`${mount}/orders/1`), 401, 'UNAUTHENTICATED');
      });

      it('returns 403 for an order of another user', async () => {
        const [owner, other] = await Promise.all([newUser(), newUser()]);
        expectError(await http.get(at(await newOrder(owner)), { token: other.token }), 403, 'FORBIDDEN');
      });

      it('returns 404 to an administrator for an unknown order', async () => {
        expectError(await http.get(at(999_999_999), { token: tokens.admin }), 404, 'NOT_FOUND');
      });

      it('returns the order to its owner and to an administrator', async () => {
        const owner = await newUser();
        const id = await newOrder(owner, { productId: 7, qty: 3 });
        for (const token of [owner.token, tokens.admin]) {
          const response = await http.get(at(id), { token });
          expectJson(response, 200);
          expectFields(response.body, { ...ORDER, id, status: 'PENDING', productId: 7, qty: 3, userId: owner.id }, MORE_OF_ORDER);
        }
      });
    });

    describe('GET /orders', () => {
      it('returns 401 without credentials', async () => {
        expectError(await http.get(`${mount}/orders`), 401, 'UNAUTHENTICATED');
      });

      it('returns 403 when a user lists all orders', async () => {
        expectError(await http.get(`${mount}/orders`, { token: tokens.user1 }), 403, 'FORBIDDEN');
      });

      it('returns 403 when a user lists the orders of another user', async () => {
        expectError(await http.get(`${mount}/orders?userId=2`, { token: tokens.user1 }), 403, 'FORBIDDEN');
      });

      it('returns orders of several users to an administrator', async () => {
        const response = await http.get<Page<RestOrder>>(`${mount}/orders?size=100`, { token: tokens.admin });
        expectJson(response, 200);
        expect(response.body.pageSize).toBe(100);
        expect(response.body.totalElements).toBeGreaterThanOrEqual(2_000);
        expect(new Set(response.body.data.map(({ userId }) => userId)).size).toBeGreaterThan(1);
        for (const order of response.body.data) expectFields(order, ORDER, MORE_OF_ORDER);
      });

      it("returns the caller's own orders for their `userId`", async () => {
        const user = await newUser();
        const id = await newOrder(user);
        const response = await http.get<Page<RestOrder>>(`${mount}/orders?userId=${String(user.id)}`, { token: user.token });
        expectPage(response);
        expect(response.body.data.map((order) => order.id)).toEqual([id]);
      });
    });

    describe('POST /orders', () => {
      it('returns 401 without credentials', async () => {
        expectError(await http.post(`${mount}/orders`, { productId: 1, qty: 1 }), 401, 'UNAUTHENTICATED');
      });

      it.each<[string, unknown, string]>([
        ['without productId', { qty: 1 }, 'productId'],
        ['without qty', { productId: 1 }, 'qty'],
        ['with qty 0', { productId: 1, qty: 0 }, 'qty'],
        ['with a negative qty', { productId: 1, qty: -1 }, 'qty'],
        ['with qty beyond the limit', { productId: 1, qty: 1_001 }, 'qty'],
        ['with a fractional qty', { productId: 1, qty: 1.5 }, 'qty'],
        ['with qty as text', { productId: 1, qty: '2' }, 'qty'],
        ['with qty beyond 32 bits', { productId: 1, qty: 4_294_967_297 }, 'qty'],
        ['with qty null', { productId: 1, qty: null }, 'qty'],
        ['with productId as an object', { productId: { id: 1 }, qty: 1 }, 'productId'],
        ['with productId that is not a number', { productId: 'abc', qty: 1 }, 'productId'],
        ['with productId true', { productId: true, qty: 1 }, 'productId'],
        ['with an unknown field', { productId: 1, qty: 1, price: 1 }, 'price'],
      ])('returns 400 with the field name and creates nothing for a body %s', async (_title, body, field) => {
        const user = await newUser();
        const response = await http.post(`${mount}/orders`, body, { token: user.token });
        expectError(response, 400, 'BAD_USER_INPUT');
        expect(response.text).toContain(field);
        expect(response.text).not.toMatch(/\$input|Input!|CreateOrder/);
        const { body: page } = await http.get<Page<RestOrder>>(`${mount}/users/${String(user.id)}/orders`, { token: user.token });
        expect(page.totalElements).toBe(0);
      });

      it('rejects an unknown product with a client error', async () => {
        const { token } = await newUser();
        const response = await http.post(`${mount}/orders`, { productId: 999_999_999, qty: 1 }, { token });
        expect([400, 404, 409]).toContain(response.status);
      });

      it('returns 201 with the order and its Location', async () => {
        const user = await newUser();
        const response = await http.post<RestOrder>(`${mount}/orders`, { productId: 3, qty: 2 }, { token: user.token });
        expectJson(response, 201);
        expectFields(response.body, { ...ORDER, status: 'PENDING', productId: 3, qty: 2, userId: user.id }, MORE_OF_ORDER);
        expect(response.headers['location']).toBe(at(response.body.id));
        const again = await http.get<RestOrder>(String(response.headers['location']), { token: user.token });
        expect(again.body).toEqual(response.body);
        const book = await http.get<{ price: number }>(`${mount}/books/3`);
        expect(response.body.total).toBeCloseTo(book.body.price * 2, 2);
      });
    });

    describe('PATCH /orders/{order_id}', () => {
      const patch = (id: number, json: unknown, token?: string) => http.send<RestOrder>({ method: 'PATCH', path: at(id), json, token });

      it('returns 401 without credentials', async () => {
        expectError(await patch(1, { status: 'CONFIRMED' }), 401, 'UNAUTHENTICATED');
      });

      it('returns 403 for an order of another user and changes nothing', async () => {
        const [owner, other] = await Promise.all([newUser(), newUser()]);
        const id = await newOrder(owner);
        expectError(await patch(id, { status: 'CONFIRMED' }, other.token), 403, 'FORBIDDEN');
        expect((await http.get(at(id), { token: owner.token })).body).toMatchObject({ status: 'PENDING' });
      });

      it('returns 404 to an administrator for an unknown order', async () => {
        expectError(await patch(999_999_999, { status: 'CONFIRMED' }, tokens.admin), 404, 'NOT_FOUND');
      });

      it.each([['LOST'], ['confirmed'], [''], [1], [null], [['CONFIRMED']], [{ is: 'CONFIRMED' }]])(
        'returns 400 for the status %j',
        async (status) => {
          const owner = await newUser();
          expectError(await patch(await newOrder(owner), { status }, owner.token), 400, 'BAD_USER_INPUT');
        },
      );

      it('returns 200 with the confirmed order to its owner', async () => {
        const owner = await newUser();
        const id = await newOrder(owner);
        const response = await patch(id, { status: 'CONFIRMED' }, owner.token);
        expectJson(response, 200);
        expectFields(response.body, { ...ORDER, id, status: 'CONFIRMED', qty: 2 }, MORE_OF_ORDER);
        expect((await http.get(at(id), { token: owner.token })).body).toEqual(response.body);
      });

      it('returns 403 when the owner ships the order, and ships it for administrators', async () => {
        const owner = await newUser();
        const id = await newOrder(owner);
        await patch(id, { status: 'CONFIRMED' }, owner.token);
        expectError(await patch(id, { status: 'SHIPPED' }, owner.token), 403, 'FORBIDDEN');
        expect((await patch(id, { status: 'SHIPPED' }, tokens.admin)).body).toMatchObject({ id, status: 'SHIPPED' });
      });

      it('accepts the merge-patch media type', async () => {
        const owner = await newUser();
        const id = await newOrder(owner);
        const headers = { 'content-type': 'application/merge-patch+json' };
        const response = await http.send({ method: 'PATCH', path: at(id), json: { qty: 9 }, headers, token: owner.token });
        expectJson(response, 200);
        expect(response.body).toMatchObject({ qty: 9, status: 'PENDING' });
      });
    });

    describe('PUT /orders/{order_id}', () => {
      const put = (id: number, json: unknown, token?: string) => http.send<RestOrder>({ method: 'PUT', path: at(id), json, token });

      it('returns 401 without credentials', async () => {
        expectError(await put(1, { productId: 1, qty: 1 }), 401, 'UNAUTHENTICATED');
      });

      it('returns 404 for an unknown order and does not create it', async () => {
        expectError(await put(999_999_999, { productId: 1, qty: 1 }, tokens.admin), 404, 'NOT_FOUND');
      });

      it('returns 400 for an incomplete body and changes nothing', async () => {
        const owner = await newUser();
        const id = await newOrder(owner);
        expectError(await put(id, { qty: 5 }, owner.token), 400, 'BAD_USER_INPUT');
        expect((await http.get(at(id), { token: owner.token })).body).toMatchObject({ qty: 2 });
      });

      it('returns 200 with the same content for two equal requests', async () => {
        const owner = await newUser();
        const id = await newOrder(owner);
        for (let round = 0; round < 2; round += 1) {
          const response = await put(id, { productId: 11, qty: 4 }, owner.token);
          expectJson(response, 200);
          expectFields(response.body, { ...ORDER, id, productId: 11, qty: 4, status: 'PENDING', userId: owner.id }, MORE_OF_ORDER);
        }
      });
    });

    describe('DELETE /orders/{order_id}', () => {
      const remove = (id: number, token?: string) => http.send({ method: 'DELETE', path: at(id), token });

      it('returns 401 without credentials', async () => {
        expectError(await remove(1), 401, 'UNAUTHENTICATED');
      });

      it('returns 403 for an order of another user', async () => {
        const [owner, other] = await Promise.all([newUser(), newUser()]);
        expectError(await remove(await newOrder(owner), other.token), 403, 'FORBIDDEN');
      });

      it('returns 404 to an administrator for an unknown order', async () => {
        expectError(await remove(999_999_999, tokens.admin), 404, 'NOT_FOUND');
      });

      it('returns 204 without a body for two requests, and cancels the order', async () => {
        const owner = await newUser();
        const id = await newOrder(owner);
        for (let round = 0; round < 2; round += 1) {
          const response = await remove(id, owner.token);
          expect(response.status).toBe(204);
          expect(response.bytes).toHaveLength(0);
          expect(response.headers['content-type']).toBeUndefined();
          expect(response.headers['content-length']).toBeUndefined();
        }
        const read = await http.get(at(id), { token: owner.token });
        expectJson(read, 200);
        expect(read.body).toMatchObject({ id, status: 'CANCELLED' });
      });

      it('returns 409 for a shipped order, which remains shipped', async () => {
        const owner = await newUser();
        const id = await newOrder(owner);
        for (const status of ['CONFIRMED', 'SHIPPED']) {
          expectJson(await http.send({ method: 'PATCH', path: at(id), json: { status }, token: tokens.admin }), 200);
        }
        expectError(await remove(id, owner.token), 409, 'CONFLICT');
        expect((await http.get(at(id), { token: owner.token })).body).toMatchObject({ status: 'SHIPPED' });
      });
    });
  });
});
