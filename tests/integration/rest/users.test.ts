import { describe, expect, it } from '@jest/globals';
import {
  expectFields,
  expectJson,
  expectPage,
  expectError,
  ISO_INSTANT,
  MOUNTS,
  type Page,
  type RestOrder,
} from '../../support/rest/rest-expectations.ts';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

interface RestUser {
  readonly id: number;
  readonly name: string;
  readonly email?: string;
  readonly createdAt: string;
}

const PUBLIC_USER = { id: expect.any(Number), name: expect.any(String), createdAt: ISO_INSTANT };
const WHOLE_USER = { ...PUBLIC_USER, email: expect.stringMatching(/^[^@\s]+@[^@\s]+$/) };
const MORE_OF_USER = ['updatedAt', 'version'];

describeOnStack('users as resources', ({ http, tokens, newUser, newOrder }) => {
  describe.each(MOUNTS)('under the mount "%s"', (mount) => {
    describe('GET /users/{user_id}', () => {
      it('returns 404 for an unknown user', async () => {
        expectError(await http.get(`${mount}/users/999999999`), 404, 'NOT_FOUND');
      });

      it('omits private fields for an anonymous caller', async () => {
        const response = await http.get(`${mount}/users/1`);
        expectJson(response, 200);
        expectFields(response.body, { ...PUBLIC_USER, id: 1 }, MORE_OF_USER);
      });

      it('omits private fields for another user', async () => {
        const response = await http.get(`${mount}/users/1`, { token: tokens.user2 });
        expectJson(response, 200);
        expectFields(response.body, { ...PUBLIC_USER, id: 1 }, MORE_OF_USER);
      });

      it.each(['user1', 'admin'] as const)('returns the email address of user 1 to %s', async (who) => {
        const response = await http.get(`${mount}/users/1`, { token: tokens[who] });
        expectJson(response, 200);
        expectFields(response.body, { ...WHOLE_USER, id: 1 }, [...MORE_OF_USER, 'age']);
      });
    });

    describe('GET /users', () => {
      it('returns the first 20 users by ID without parameters', async () => {
        const response = await http.get<Page<RestUser>>(`${mount}/users`);
        expectPage(response);
        expect(response.body.totalElements).toBeGreaterThanOrEqual(200);
        expect(response.body.data.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
        for (const user of response.body.data) expectFields(user, PUBLIC_USER, MORE_OF_USER);
      });

      it("returns only the caller's own email address to a user", async () => {
        const { body } = await http.get<Page<RestUser>>(`${mount}/users?size=3`, { token: tokens.user1 });
        expect(body.data.map(({ email }) => typeof email)).toEqual(['string', 'undefined', 'undefined']);
      });

      it('returns every email address to an administrator', async () => {
        const { body } = await http.get<Page<RestUser>>(`${mount}/users?size=3`, { token: tokens.admin });
        for (const user of body.data) expectFields(user, WHOLE_USER, [...MORE_OF_USER, 'age']);
      });

      it('lists every user on exactly one page', async () => {
        const seen: number[] = [];
        for (let page = 1; page <= 4; page += 1) {
          const response = await http.get<Page<RestUser>>(`${mount}/users?page=${String(page)}&size=50`);
          expectPage(response, { page, pageSize: 50 });
          seen.push(...response.body.data.map(({ id }) => id));
        }
        expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
        expect(seen).toHaveLength(200);
      });
    });

    describe('GET /users/{user_id}/orders', () => {
      const path = `${mount}/users/1/orders`;

      it('returns 401 without credentials', async () => {
        expectError(await http.get(path), 401, 'UNAUTHENTICATED');
      });

      it('returns 403 to another user', async () => {
        expectError(await http.get(path, { token: tokens.user2 }), 403, 'FORBIDDEN');
      });

      it('returns 404 to an administrator for an unknown user', async () => {
        expectError(await http.get(`${mount}/users/999999999/orders`, { token: tokens.admin }), 404, 'NOT_FOUND');
      });

      it('returns an empty page for a user without orders', async () => {
        const user = await newUser();
        const response = await http.get<Page<RestOrder>>(`${mount}/users/${String(user.id)}/orders`, { token: user.token });
        expectPage(response);
        expect(response.body).toEqual({ data: [], page: 1, pageSize: 20, totalPages: 0, totalElements: 0 });
      });

      it.each(['user1', 'admin'] as const)('returns the orders of user 1 to %s', async (who) => {
        const response = await http.get<Page<RestOrder>>(`${path}?size=5`, { token: tokens[who] });
        expectJson(response, 200);
        expect(response.body.data.length).toBeGreaterThan(0);
        for (const order of response.body.data) {
          expect(order).toMatchObject({
            id: expect.any(Number),
            status: expect.stringMatching(/^(PENDING|CONFIRMED|SHIPPED|CANCELLED)$/),
            productId: expect.any(Number),
            qty: expect.any(Number),
            userId: 1,
            total: expect.any(Number),
          });
        }
      });

      it('filters orders by status', async () => {
        const user = await newUser();
        const stored = await newOrder(user);
        const gone = await newOrder(user);
        await http.send({ method: 'DELETE', path: `${mount}/orders/${String(gone)}`, token: user.token });
        const own = `${mount}/users/${String(user.id)}/orders`;
        const ids = async (query: string) =>
          (await http.get<Page<RestOrder>>(`${own}${query}`, { token: user.token })).body.data.map(({ id }) => id);
        expect(await ids('?status=PENDING')).toEqual([stored]);
        expect(await ids('?status=CANCELLED')).toEqual([gone]);
        expect(await ids('?status=PENDING,CANCELLED&sort=id')).toEqual([stored, gone].sort((a, b) => a - b));
        expect(await ids('?status=SHIPPED')).toEqual([]);
      });
    });
  });
});
