import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { parse, subscribe } from 'graphql';
import { ADMIN, type GraphResponse, type Caller, describeOnSubgraphs, user } from '../../support/stack/subgraphs-stack.ts';

interface Payload {
  readonly payment: { readonly id: string; readonly amount: number; readonly order: { readonly id: string } | null } | null;
  readonly errors: readonly { readonly field: string; readonly code: string }[];
}

const CREATE = `mutation ($input: CreatePaymentInput!, $key: String!) {
  result: createPayment(input: $input, idempotencyKey: $key) { payment { id amount currency status userId order { id } version } errors { field code } }
}`;

describeOnSubgraphs('payments', (stack) => {
  const pay = (input: object, as: Caller | undefined, key: string = randomUUID()) =>
    stack().query<{ result: Payload }>('payments', { query: CREATE, variables: { input, key }, as });
  const read = (id: string, as?: Caller) =>
    stack().query('payments', { query: 'query ($id: ID!) { payment(id: $id) { id userId } }', variables: { id }, as });
  const userErrors = ({ data }: GraphResponse<{ result: Payload }>) => data?.result.errors.map(({ field, code }) => `${code} ${field}`);
  const countOf = async (userId: string): Promise<unknown> => {
    const rows = await stack().database.scripts((session) =>
      session.query('select count(*)::integer as n from payments.payments where user_id = $1', [userId]),
    );
    return rows[0]?.['n'];
  };

  describe('permissions', () => {
    it('returns UNAUTHENTICATED without credentials, for unknown payments too', async () => {
      expect((await pay({ amount: 5, currency: 'EUR' }, undefined)).codes).toEqual(['UNAUTHENTICATED result']);
      for (const id of ['1', '99999999']) {
        const { data, codes } = await read(id);
        expect([data, codes]).toEqual([{ payment: null }, ['UNAUTHENTICATED payment']]);
      }
    });

    it('returns FORBIDDEN for a payment of another user, and null for an unknown one', async () => {
      const { data } = await pay({ amount: 5, currency: 'EUR' }, user('11'));
      const id = data?.result.payment?.id ?? '';
      expect((await read(id, user('12'))).codes).toEqual(['FORBIDDEN payment']);
      for (const unknown of ['99999999', 'x'])
        expect(await read(unknown, user('12'))).toMatchObject({ data: { payment: null }, codes: [] });
      for (const as of [user('11'), ADMIN]) expect((await read(id, as)).data).toEqual({ payment: { id, userId: '11' } });
    });

    it('resolves own and foreign references individually with one statement', async () => {
      const representations = Array.from({ length: 50 }, (_, index) => ({ __typename: 'Payment', id: String(index + 1) }));
      const query = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Payment { id } } }';
      const responses: GraphResponse<{ _entities: readonly unknown[] }>[] = [];
      const statements = await stack().statementsOf(async () => {
        responses.push(await stack().query('payments', { query, variables: { of: representations }, as: user('1') }));
      });
      expect(statements).toHaveLength(1);
      expect(responses[0]?.data?._entities.filter((entity) => entity !== null)).toEqual([{ id: '1' }]);
      expect(responses[0]?.codes).toHaveLength(49);
    });
  });

  describe('paying', () => {
    it.each(['somebody@elsewhere', '99999999'])('returns FORBIDDEN and writes nothing for the unknown user %s', async (id) => {
      const statements = await stack().statementsOf(async () => {
        expect((await pay({ amount: 5, currency: 'EUR' }, user(id))).codes).toEqual(['FORBIDDEN result']);
      });
      expect(statements.filter((text) => text.startsWith('insert into "payments'))).toEqual([]);
    });

    it.each([
      [{ amount: 0, currency: 'EUR' }, ['BAD_USER_INPUT input.amount']],
      [{ amount: 100_000_001, currency: 'EUR' }, ['BAD_USER_INPUT input.amount']],
      [{ amount: -1, currency: 'eur' }, ['BAD_USER_INPUT input.amount', 'BAD_USER_INPUT input.currency']],
      [{ amount: 1, currency: 'EU\u0000' }, ['BAD_USER_INPUT input.currency']],
      [{ amount: 1, currency: 'EUR', orderId: '99999999' }, ['BAD_USER_INPUT input.orderId']],
      [{ amount: 1, currency: 'EUR', orderId: 'x' }, ['BAD_USER_INPUT input.orderId']],
      [{ amount: 1, currency: 'EUR', orderId: '2' }, ['BAD_USER_INPUT input.orderId']],
    ])('%j produces the payload errors %j and no payment', async (input, expected) => {
      const before = await countOf('1');
      const response = await pay(input, user('1'));
      expect([response.data?.result.payment, userErrors(response)]).toEqual([null, expected]);
      expect(await countOf('1')).toBe(before);
    });

    it('an administrator cannot pay for the order of another user', async () => {
      expect(userErrors(await pay({ amount: 1, currency: 'EUR', orderId: '1' }, ADMIN))).toEqual(['BAD_USER_INPUT input.orderId']);
    });

    it.each(['', 'with\ttab', 'x'.repeat(256), 'ünicode'])('returns IDEMPOTENCY_KEY_INVALID for the key %j', async (key) => {
      expect((await pay({ amount: 5, currency: 'EUR' }, user('13'), key)).codes).toEqual(['IDEMPOTENCY_KEY_INVALID result']);
    });

    it('a payment references the paid order of its user', async () => {
      const placed = await stack().query<{ createOrder: { order: { id: string; total: number } } }>('orders', {
        query: 'mutation { createOrder(input: { productId: "1", qty: 2 }) { order { id total } } }',
        as: user('1'),
      });
      const { id: orderId, total } = placed.data?.createOrder.order ?? { id: '', total: 0 };
      const amount = Math.round(total * 100);
      const { data } = await pay({ amount, currency: 'EUR', orderId }, user('1'));
      expect(data?.result).toEqual({
        payment: {
          id: expect.any(String),
          amount,
          currency: 'EUR',
          status: 'SUCCEEDED',
          userId: '1',
          order: { id: orderId },
          version: 1,
        },
        errors: [],
      });
    });
  });

  describe('keys', () => {
    it('creates one payment for 100 concurrent requests, with equal responses', async () => {
      const key = randomUUID();
      const responses = await Promise.all(Array.from({ length: 100 }, () => pay({ amount: 700, currency: 'EUR' }, user('21'), key)));
      expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
      expect(responses[0]?.data?.result.payment?.amount).toBe(700);
    });

    it('creates one payment and rejects another amount among 100 concurrent requests', async () => {
      const key = randomUUID();
      const before = await countOf('22');
      const responses = await Promise.all(
        Array.from({ length: 100 }, (_, index) => pay({ amount: 1 + (index % 2), currency: 'EUR' }, user('22'), key)),
      );
      const results = responses.map((response) => userErrors(response)?.[0] ?? 'paid');
      expect(results.filter((result) => result === 'paid')).toHaveLength(50);
      expect(new Set(results)).toEqual(new Set(['paid', 'IDEMPOTENCY_KEY_REUSED idempotencyKey']));
      expect(await countOf('22')).toBe(Number(before) + 1);
    });

    it('the same key of another user is independent', async () => {
      const key = randomUUID();
      const [mine, theirs] = await Promise.all(['23', '24'].map((id) => pay({ amount: 5, currency: 'EUR' }, user(id), key)));
      expect(mine?.data?.result.payment?.id).not.toBe(theirs?.data?.result.payment?.id);
    });

    it('accepts the corrected request after a rejected payment', async () => {
      const key = randomUUID();
      expect(userErrors(await pay({ amount: 0, currency: 'EUR' }, user('25'), key))).toEqual(['BAD_USER_INPUT input.amount']);
      expect((await pay({ amount: 1, currency: 'EUR', orderId: null }, user('25'), key)).data?.result.payment?.amount).toBe(1);
      expect((await pay({ amount: 1, currency: 'EUR' }, user('25'), key)).data?.result.payment?.amount).toBe(1);
    });
  });

  describe('following', () => {
    /** Subscribes as the gateway does. */
    async function follow(as: Caller | undefined, args = '') {
      const { payments } = stack().subgraphs;
      const kind = as === undefined ? ('anonymous' as const) : ('user' as const);
      return subscribe({
        schema: payments.schema,
        document: parse(`subscription { paymentSucceeded${args} { paymentId amount currency payment { userId } } }`),
        contextValue: payments.createContext({ kind, id: as?.id ?? '', roles: new Set(as?.roles), scopes: new Set() }, 'follow'),
      });
    }

    it.each<[string, Caller | undefined, string, string]>([
      ['an anonymous caller', undefined, '', 'UNAUTHENTICATED'],
      ['a user', user('27'), '(userId: "28")', 'FORBIDDEN'],
    ])('rejects %s without permission before the stream starts', async (_title, as, args, code) => {
      expect(await follow(as, args)).toMatchObject({ errors: [{ extensions: { code } }] });
    });

    it('streams only their own payments to a user', async () => {
      await stack().relay.drain();
      const stream = await follow(user('27'));
      if (!(Symbol.asyncIterator in stream)) throw new Error('The subscription was rejected.');
      const next = stream.next();
      await pay({ amount: 1, currency: 'EUR' }, user('28'));
      await pay({ amount: 2, currency: 'EUR' }, user('27'));
      await stack().relay.drain();
      const seen = { paymentId: expect.any(String), amount: 2, currency: 'EUR', payment: { userId: '27' } };
      expect(await next).toEqual({ done: false, value: { data: { paymentSucceeded: seen } } });
      await stream.return?.();
    });
  });

  it('publishes one event for a payment and its replay', async () => {
    await stack().relay.drain();
    const reported = stack().events.subscribe('payment.succeeded');
    const key = randomUUID();
    for (const _ of ['first', 'again']) await pay({ amount: 42, currency: 'NOK' }, user('26'), key);
    await pay({ amount: 43, currency: 'NOK' }, user('26'));
    await stack().relay.drain();
    const payloads = [await reported.next(), await reported.next()].map(({ value }) => (value as { payload: unknown }).payload);
    const payload = { paymentId: expect.any(String), userId: '26', currency: 'NOK', at: expect.any(String) };
    expect(payloads).toEqual([
      { ...payload, amount: 42 },
      { ...payload, amount: 43 },
    ]);
    await reported.return?.();
  });
});
