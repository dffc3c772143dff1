import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { describeOnStack, type NewUser } from '../../../support/stack/shared-stack.ts';

type Resource = Record<string, unknown>;

describeOnStack('point 22: the reference graph', ({ http, graphql, tokens, newUser, newOrder }) => {
  const node = (id: string, token?: string) =>
    graphql<{ node: Resource | null }>(
      'query ($id: ID!) { node(id: $id) { __typename id ... on User { name email } ... on Order { total userId } ... on Book { title } } }',
      { variables: { id }, token },
    );

  it('rejects node ids without a type, and finds nothing for unknown ids', async () => {
    for (const id of ['1', 'Order', 'order:1', 'constructor:1', '__proto__:1', 'Query:1', '']) {
      expect((await node(id, tokens.user1)).codes).toEqual(['BAD_USER_INPUT']);
    }
    for (const id of ['Book:999999999', 'Order:x', 'Book:0', `User:${'9'.repeat(30)}`]) {
      const { data, codes } = await node(id, tokens.user1);
      expect([data, codes]).toEqual([{ node: null }, []]);
    }
  });

  it('applies the permissions of types and fields to nodes', async () => {
    const owner = await newUser();
    const order = await newOrder(owner);
    expect((await node(`Order:${order}`)).codes).toContain('UNAUTHENTICATED');
    expect((await node('Order:999999999')).codes).toContain('UNAUTHENTICATED');
    expect((await node(`Order:${order}`, tokens.user1)).codes).toContain('FORBIDDEN');
    expect((await node(`Order:${order}`, owner.token)).data?.node).toMatchObject({ __typename: 'Order', userId: String(owner.id) });
    const user = await node(`User:${owner.id}`, tokens.user1);
    expect([user.data?.node?.['name'], user.data?.node?.['email'], user.codes]).toEqual(['Somebody New', null, ['FORBIDDEN']]);
    expect((await node(`User:${owner.id}`, owner.token)).data?.node?.['email']).toBe(owner.email);
    expect((await node('Book:1')).codes).toContain('UNAUTHENTICATED');
    expect((await node('Book:1', tokens.user1)).data?.node).toMatchObject({ __typename: 'Book', title: expect.any(String) });
  });

  const pay = (owner: NewUser, json: Resource) =>
    http.send<Resource>({ method: 'POST', path: '/payments', json, token: owner.token, headers: { 'idempotency-key': randomUUID() } });
  const priceOf = async (owner: NewUser, order: number): Promise<number> => {
    const { body } = await http.get<{ total: number }>(`/orders/${order}`, { token: owner.token });
    return Math.round(body.total * 100);
  };

  it('rejects a payment of another amount or currency, or for a canceled order', async () => {
    const owner = await newUser();
    const orderId = await newOrder(owner);
    const amount = await priceOf(owner, orderId);
    const responses = [];
    for (const json of [
      { amount: amount - 1, currency: 'EUR', orderId },
      { amount: amount + 1, currency: 'EUR', orderId },
      { amount, currency: 'USD', orderId },
    ])
      responses.push(await pay(owner, json));
    expect(
      responses.map(({ status, body }) => [status, body['error'], (body['details'] as { field: string }[] | undefined)?.[0]?.field]),
    ).toEqual([
      [400, 'BAD_USER_INPUT', 'amount'],
      [400, 'BAD_USER_INPUT', 'amount'],
      [400, 'BAD_USER_INPUT', 'currency'],
    ]);
    await http.send({ method: 'DELETE', path: `/orders/${orderId}`, token: owner.token });
    const late = await pay(owner, { amount, currency: 'EUR', orderId });
    expect([late.status, late.body['error']]).toEqual([409, 'CONFLICT']);
  });

  it('accepts one of many simultaneous payments of an order', async () => {
    const owner = await newUser();
    const orderId = await newOrder(owner);
    const amount = await priceOf(owner, orderId);
    const responses = await Promise.all(Array.from({ length: 8 }, () => pay(owner, { amount, currency: 'EUR', orderId })));
    expect(responses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    expect((await pay(owner, { amount, currency: 'EUR', orderId })).body['error']).toBe('CONFLICT');
    expect((await pay(owner, { amount: 7, currency: 'USD' })).status).toBe(201);
  });
});
