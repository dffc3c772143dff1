import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { expectJson, expectError, type Page, type RestOrder } from '../../support/rest/rest-expectations.ts';
import { describeOnStack, type NewUser } from '../../support/stack/shared-stack.ts';

const STATUSES = ['PENDING', 'CONFIRMED', 'SHIPPED', 'CANCELLED'] as const;
type Status = (typeof STATUSES)[number];

/**
 * Status transitions that an administrator may make by PATCH. DELETE cancels the order, and a PATCH with the current status changes
 * nothing.
 */
const POSSIBLE: ReadonlySet<string> = new Set(['PENDING>CONFIRMED', 'CONFIRMED>SHIPPED']);
const MOVES = STATUSES.flatMap((from) => STATUSES.filter((to) => to !== from).map((to) => [from, to] as const));

describeOnStack('order rules', ({ http, tokens, newUser, newOrder }) => {
  const at = (id: number) => `/orders/${String(id)}`;
  const patch = (id: number, json: unknown, token: string = tokens.admin) =>
    http.send<RestOrder>({ method: 'PATCH', path: at(id), json, token });
  const read = async (id: number) => (await http.get<RestOrder>(at(id), { token: tokens.admin })).body;

  async function orderThatIs(status: Status, owner: NewUser): Promise<number> {
    const id = await newOrder(owner);
    const path: Readonly<Record<Status, readonly Status[]>> = {
      PENDING: [],
      CONFIRMED: ['CONFIRMED'],
      SHIPPED: ['CONFIRMED', 'SHIPPED'],
      CANCELLED: [],
    };
    for (const step of path[status]) expectJson(await patch(id, { status: step }), 200);
    if (status === 'CANCELLED') await http.send({ method: 'DELETE', path: at(id), token: tokens.admin });
    return id;
  }

  it.each(MOVES)('a %s order moves to %s only when the transition is allowed', async (from, to) => {
    const id = await orderThatIs(from, await newUser());
    const response = await patch(id, { status: to });
    if (POSSIBLE.has(`${from}>${to}`)) {
      expectJson(response, 200);
      expect((await read(id)).status).toBe(to);
    } else if (to === 'CANCELLED' && (from === 'PENDING' || from === 'CONFIRMED') && response.status === 200) {
      expect((await read(id)).status).toBe(to);
    } else {
      expectError(response, 409, 'CONFLICT');
      expect((await read(id)).status).toBe(from);
    }
  });

  it.each(STATUSES)('canceling a %s order conflicts only after it was shipped', async (from) => {
    const id = await orderThatIs(from, await newUser());
    const response = await http.send({ method: 'DELETE', path: at(id), token: tokens.admin });
    if (from === 'SHIPPED') expectError(response, 409, 'CONFLICT');
    else expect(response.status).toBe(204);
    expect((await read(id)).status).toBe(from === 'SHIPPED' ? 'SHIPPED' : 'CANCELLED');
  });

  it('changing the quantity of a confirmed order is a conflict', async () => {
    const id = await orderThatIs('CONFIRMED', await newUser());
    expectError(await patch(id, { qty: 5 }), 409, 'CONFLICT');
    expect((await read(id)).qty).toBe(2);
  });

  it('a patch of status and quantity changes neither when one is invalid', async () => {
    const id = await orderThatIs('PENDING', await newUser());
    expect((await patch(id, { status: 'SHIPPED', qty: 7 })).status).toBe(409);
    expect((await patch(id, { status: 'CONFIRMED', qty: 0 })).status).toBe(400);
    expect(await read(id)).toMatchObject({ status: 'PENDING', qty: 2 });
  });

  it('ten equal concurrent transitions confirm the order once', async () => {
    const owner = await newUser();
    const id = await newOrder(owner);
    const responses = await Promise.all(Array.from({ length: 10 }, () => patch(id, { status: 'CONFIRMED' }, owner.token)));
    for (const { status } of responses) expect([200, 409]).toContain(status);
    const after = await read(id);
    expect(after.status).toBe('CONFIRMED');
  });

  it('confirming and canceling concurrently leaves the order canceled', async () => {
    const owner = await newUser();
    const id = await newOrder(owner);
    const [moved, removed] = await Promise.all([
      patch(id, { status: 'CONFIRMED' }, owner.token),
      http.send({ method: 'DELETE', path: at(id), token: owner.token }),
    ]);
    expect([200, 409]).toContain(moved.status);
    expect(removed.status).toBe(204);
    expect((await read(id)).status).toBe('CANCELLED');
  });

  it('a reused key returns the same order, or 422 for another body', async () => {
    const owner = await newUser();
    const headers = { 'idempotency-key': randomUUID() };
    const order = (qty: number) => http.post<RestOrder>('/orders', { productId: 1, qty }, { token: owner.token, headers });
    const first = await order(1);
    const second = await order(1);
    expectJson(second, 201);
    expect(second.body).toEqual(first.body);
    expectError(await order(2), 422, 'IDEMPOTENCY_KEY_REUSED');
    const { body } = await http.get<Page<RestOrder>>(`/users/${String(owner.id)}/orders`, { token: owner.token });
    expect(body.totalElements).toBe(1);
  });

  it('a key of a rejected request accepts or rejects the corrected request', async () => {
    const owner = await newUser();
    const headers = { 'idempotency-key': randomUUID() };
    expectError(await http.post('/orders', { productId: 1, qty: 0 }, { token: owner.token, headers }), 400, 'BAD_USER_INPUT');
    const response = await http.post('/orders', { productId: 1, qty: 1 }, { token: owner.token, headers });
    expect([201, 422]).toContain(response.status);
  });
});
