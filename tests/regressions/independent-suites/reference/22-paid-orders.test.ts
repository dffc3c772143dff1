import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { describeOnStack, type NewUser } from '../../../support/stack/shared-stack.ts';

type Resource = Record<string, unknown>;

const RACES = 10;

describeOnStack('point 22: paid orders', ({ http, graphql, newUser, newOrder }) => {
  const read = async (owner: NewUser, order: number): Promise<Resource> =>
    (await http.get<Resource>(`/orders/${order}`, { token: owner.token })).body;

  async function pay(owner: NewUser, orderId: number, amount: number): Promise<number> {
    const json = { amount, currency: 'EUR', orderId };
    const headers = { 'idempotency-key': randomUUID() };
    return (await http.send({ method: 'POST', path: '/payments', json, token: owner.token, headers })).status;
  }

  async function newPaidOrder(owner: NewUser): Promise<number> {
    const order = await newOrder(owner);
    expect(await pay(owner, order, centsOf(await read(owner, order)))).toBe(201);
    return order;
  }

  const centsOf = ({ total }: Resource): number => Math.round(Number(total) * 100);

  const replace = (owner: NewUser, id: number, input: Resource) =>
    graphql<{ replaceOrder: { errors: readonly Resource[] } }>(
      'mutation ($id: ID!, $input: ReplaceOrderInput!) { replaceOrder(id: $id, input: $input) { order { id } errors { field code } } }',
      { variables: { id, input }, token: owner.token },
    );
  const change = (owner: NewUser, order: number, json: Resource) =>
    http.send<Resource>({ method: 'PATCH', path: `/orders/${order}`, json, token: owner.token });

  it('retain product and quantity, by PATCH and by replacement', async () => {
    const owner = await newUser();
    const order = await newPaidOrder(owner);
    const before = await read(owner, order);
    const patched = await change(owner, order, { qty: 9 });
    expect([patched.status, patched.body['error']]).toEqual([409, 'CONFLICT']);
    const { data } = await replace(owner, order, { productId: '8', qty: 9 });
    expect(data?.replaceOrder.errors).toEqual([
      { field: 'input.productId', code: 'CONFLICT' },
      { field: 'input.qty', code: 'CONFLICT' },
    ]);
    expect(await read(owner, order)).toEqual(before);
  });

  it('can change status, be replaced with equal content, and be canceled', async () => {
    const owner = await newUser();
    const order = await newPaidOrder(owner);
    const { productId, qty } = await read(owner, order);
    expect((await replace(owner, order, { productId: String(productId), qty })).data?.replaceOrder.errors).toEqual([]);
    expect((await change(owner, order, { status: 'CONFIRMED' })).status).toBe(200);
    await http.send({ method: 'DELETE', path: `/orders/${order}`, token: owner.token });
    expect((await read(owner, order))['status']).toBe('CANCELLED');
  });

  it('cost what was paid when payment and change arrive at the same time', async () => {
    const owner = await newUser();
    for (let race = 0; race < RACES; race += 1) {
      const order = await newOrder(owner);
      const paid = centsOf(await read(owner, order));
      const [payment, changed] = await Promise.all([pay(owner, order, paid), change(owner, order, { qty: 7 })]);
      const due = centsOf(await read(owner, order));
      // Either the payment comes first and the change is rejected, or the change comes first.
      expect([payment, changed.status, due === paid]).toEqual(payment === 201 ? [201, 409, true] : [400, 200, false]);
    }
  });
});
