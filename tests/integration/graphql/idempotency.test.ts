import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

interface Paid {
  readonly createPayment: {
    readonly payment: { readonly id: string; readonly amount: number } | null;
    readonly errors: readonly unknown[];
  };
}

const PAY = 'mutation Pay($input: CreatePaymentInput!) { createPayment(input: $input) { payment { id amount } errors { code } } }';
const PAY_WITH_KEY =
  'mutation ($input: CreatePaymentInput!, $key: String!) { createPayment(input: $input, idempotencyKey: $key) { payment { id amount } errors { code } } }';
const CHANGE =
  'mutation ($id: ID!, $patch: UpdateOrderInput!) { updateOrder(id: $id, patch: $patch) { order { qty version } errors { code } } }';

const input = { amount: 1_999, currency: 'EUR' };

describeOnStack('Idempotency-Key by POST /graphql', ({ graphql, http, newUser, newOrder }) => {
  const keyed = (key: string, more: Readonly<Record<string, string>> = {}) => ({ headers: { 'idempotency-key': key, ...more } });

  describe('rejected requests', () => {
    it('a payment without header and argument is an invalid document', async () => {
      const { token } = await newUser();
      const response = await graphql(PAY, { token, variables: { input } });
      expect(response.codes).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    });

    it.each(['', 'one two', 'x'.repeat(256), 'one, two'])('returns 400 for the header %j', async (key) => {
      const { token } = await newUser();
      const response = await graphql(PAY, { token, variables: { input }, ...keyed(key) });
      expect([response.status, response.codes]).toEqual([400, ['IDEMPOTENCY_KEY_INVALID']]);
      expect(response.headers['link']).toContain('rel="describedby"');
    });

    it.each([
      'mutation { one: createPayment(input: { amount: 1, currency: "EUR" }) { errors { code } } two: cancelOrder(id: "1") { errors { code } } }',
      'mutation { ...F } fragment F on Mutation { createPayment(input: { amount: 1, currency: "EUR" }) { errors { code } } }',
    ])('returns 400 and does nothing for several root fields, or one in a fragment', async (query) => {
      const { token } = await newUser();
      const response = await graphql(query, { token, ...keyed(randomUUID()) });
      expect([response.status, response.codes]).toEqual([400, ['BAD_REQUEST']]);
    });

    it('returns 400 for a header and another key as argument', async () => {
      const { token } = await newUser();
      const variables = { input, key: randomUUID() };
      const response = await graphql(PAY_WITH_KEY, { token, variables, ...keyed(randomUUID()) });
      expect([response.status, response.codes]).toEqual([400, ['IDEMPOTENCY_KEY_INVALID']]);
    });

    it('returns 422 for a key that was used with other variables, and the first remains', async () => {
      const { token } = await newUser();
      const key = randomUUID();
      const first = await graphql(PAY, { token, variables: { input }, ...keyed(key) });
      const other = await graphql(PAY, { token, variables: { input: { ...input, amount: 1 } }, ...keyed(key) });
      expect([other.status, other.codes]).toEqual([422, ['IDEMPOTENCY_KEY_REUSED']]);
      expect((await graphql(PAY, { token, variables: { input }, ...keyed(key) })).text).toBe(first.text);
    });

    it('returns 401 without credentials for a mutation that takes no key, and does nothing', async () => {
      const response = await graphql(CHANGE, { variables: { id: '1', patch: { qty: 1 } }, ...keyed(randomUUID()) });
      expect([response.status, response.codes]).toEqual([401, ['UNAUTHENTICATED']]);
    });

    it('an invalid document has the same error with a key as without one', async () => {
      const { token } = await newUser();
      const response = await graphql('mutation { createPaymint { id } }', { token, ...keyed(randomUUID()) });
      expect(response.codes).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    });
  });

  describe('mutations with one effect', () => {
    it('charges once for the header alone, and the second response says so', async () => {
      const { token } = await newUser();
      const key = randomUUID();
      const first = await graphql<Paid>(PAY, { token, variables: { input }, ...keyed(key) });
      const again = await graphql<Paid>(PAY, { token, variables: { input: { currency: 'EUR', amount: 1_999 } }, ...keyed(key) });
      expect(first.data?.createPayment).toEqual({ payment: { id: expect.any(String), amount: 1_999 }, errors: [] });
      expect(again.text).toBe(first.text);
      expect([first, again].map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true']);
      expect(again.headers['x-correlation-id']).not.toBe(first.headers['x-correlation-id']);
    });

    it('recognizes a key as header and as argument of another document', async () => {
      const { token } = await newUser();
      const key = randomUUID();
      const first = await graphql<Paid>(PAY, { token, variables: { input }, ...keyed(key) });
      const byArgument = await graphql<Paid>(PAY_WITH_KEY, { token, variables: { input, key } });
      expect(byArgument.data?.createPayment.payment?.id).toBe(first.data?.createPayment.payment?.id);
      const both = await graphql<Paid>(PAY_WITH_KEY, { token, variables: { input, key }, ...keyed(randomUUID()) });
      expect(both.codes).toEqual(['IDEMPOTENCY_KEY_INVALID']);
    });

    it('fills an omitted variable for the key from the header', async () => {
      const { token } = await newUser();
      const key = randomUUID();
      const [first, again] = [
        await graphql<Paid>(PAY_WITH_KEY, { token, variables: { input }, ...keyed(key) }),
        await graphql<Paid>(PAY_WITH_KEY, { token, variables: { input, key }, ...keyed(key) }),
      ];
      expect(first.data?.createPayment.payment).not.toBeNull();
      expect(again.text).toBe(first.text);
      expect(again.headers['idempotent-replayed']).toBe('true');
    });

    it('recognizes a document that is named by its hash', async () => {
      const { token } = await newUser();
      const query = `${PAY} # ${randomUUID()}`;
      const extensions = { persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') } };
      const post = (body: object, key: string) => http.post<{ data: Paid }>('/graphql', body, { token, ...keyed(key) });
      const key = randomUUID();
      const unknown = await post({ extensions, variables: { input } }, key);
      expect(unknown.text).toContain('PERSISTED_QUERY_NOT_FOUND');
      const first = await post({ query, extensions, variables: { input } }, key);
      const again = await post({ extensions, variables: { input } }, key);
      expect(first.body.data.createPayment.payment).not.toBeNull();
      expect(again.text).toBe(first.text);
    });

    it('executes a mutation once that takes no key', async () => {
      const owner = await newUser();
      const id = String(await newOrder(owner));
      const key = randomUUID();
      const change = (qty: number, more = {}) => graphql(CHANGE, { token: owner.token, variables: { id, patch: { qty } }, ...more });
      const first = await change(5, keyed(key));
      await change(6);
      const again = await change(5, keyed(key));
      expect(again.text).toBe(first.text);
      expect((await graphql(`{ order(id: "${id}") { qty } }`, { token: owner.token })).data).toEqual({ order: { qty: 6 } });
    });

    it('charges once for a client that accepts only events', async () => {
      const { token } = await newUser();
      const options = { token, ...keyed(randomUUID(), { accept: 'text/event-stream' }) };
      const first = await http.post('/graphql', { query: PAY, variables: { input } }, options);
      const again = await http.post('/graphql', { query: PAY, variables: { input } }, options);
      expect(first.text).toContain('"amount":1999');
      expect(again.text).toBe(first.text);
    });

    it('executes ten equal mutations at the same time once', async () => {
      const { token } = await newUser();
      const key = randomUUID();
      const responses = await Promise.all(
        Array.from({ length: 10 }, () => graphql<Paid>(PAY, { token, variables: { input }, ...keyed(key) })),
      );
      const made = responses.filter(({ status }) => status === 200);
      expect(new Set(made.map(({ text }) => text)).size).toBe(1);
      for (const { status, codes } of responses) if (status !== 200) expect(codes).toEqual(['IDEMPOTENCY_IN_PROGRESS']);
    });
  });

  describe('requests that ignore the key', () => {
    it('executes a query each time, even with an invalid key', async () => {
      const { token, id } = await newUser();
      const key = 'one two';
      const query = `{ user(id: "${id}") { name } }`;
      const responses = [await graphql(query, { token, ...keyed(key) }), await graphql('{ me { id } }', { token, ...keyed(key) })];
      for (const { status, headers, codes } of responses) {
        expect([status, codes, headers['idempotent-replayed']]).toEqual([200, [], undefined]);
      }
    });
  });
});
