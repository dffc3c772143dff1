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

  describe('what is refused', () => {
    it('given neither header nor argument, when paying, then the document is not valid', async () => {
      const { token } = await newUser();
      const answer = await graphql(PAY, { token, variables: { input } });
      expect(answer.codes).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    });

    it.each(['', 'one two', 'x'.repeat(256), 'one, two'])('given the header %j, when sent, then the answer is 400', async (key) => {
      const { token } = await newUser();
      const answer = await graphql(PAY, { token, variables: { input }, ...keyed(key) });
      expect([answer.status, answer.codes]).toEqual([400, ['IDEMPOTENCY_KEY_INVALID']]);
      expect(answer.headers['link']).toContain('rel="describedby"');
    });

    it.each([
      'mutation { one: createPayment(input: { amount: 1, currency: "EUR" }) { errors { code } } two: cancelOrder(id: "1") { errors { code } } }',
      'mutation { ...F } fragment F on Mutation { createPayment(input: { amount: 1, currency: "EUR" }) { errors { code } } }',
    ])('given several root fields, or one in a fragment, when sent, then the answer is 400 and nothing is done', async (query) => {
      const { token } = await newUser();
      const answer = await graphql(query, { token, ...keyed(randomUUID()) });
      expect([answer.status, answer.codes]).toEqual([400, ['BAD_REQUEST']]);
    });

    it('given a header and another key as argument, when sent, then the answer is 400', async () => {
      const { token } = await newUser();
      const variables = { input, key: randomUUID() };
      const answer = await graphql(PAY_WITH_KEY, { token, variables, ...keyed(randomUUID()) });
      expect([answer.status, answer.codes]).toEqual([400, ['IDEMPOTENCY_KEY_INVALID']]);
    });

    it('given a key that was used with other variables, when sent, then the answer is 422 and the first one stands', async () => {
      const { token } = await newUser();
      const key = randomUUID();
      const first = await graphql(PAY, { token, variables: { input }, ...keyed(key) });
      const other = await graphql(PAY, { token, variables: { input: { ...input, amount: 1 } }, ...keyed(key) });
      expect([other.status, other.codes]).toEqual([422, ['IDEMPOTENCY_KEY_REUSED']]);
      expect((await graphql(PAY, { token, variables: { input }, ...keyed(key) })).text).toBe(first.text);
    });

    it('given no credentials for a mutation that takes no key, when sent, then it is refused and nothing is done', async () => {
      const answer = await graphql(CHANGE, { variables: { id: '1', patch: { qty: 1 } }, ...keyed(randomUUID()) });
      expect([answer.status, answer.codes]).toEqual([401, ['UNAUTHENTICATED']]);
    });

    it('given a document that is not valid, when sent with a key, then it is told as without one', async () => {
      const { token } = await newUser();
      const answer = await graphql('mutation { createPaymint { id } }', { token, ...keyed(randomUUID()) });
      expect(answer.codes).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    });
  });

  describe('what is made once', () => {
    it('given the header alone, when paid twice, then it is charged once and the second answer says so', async () => {
      const { token } = await newUser();
      const key = randomUUID();
      const first = await graphql<Paid>(PAY, { token, variables: { input }, ...keyed(key) });
      const again = await graphql<Paid>(PAY, { token, variables: { input: { currency: 'EUR', amount: 1_999 } }, ...keyed(key) });
      expect(first.data?.createPayment).toEqual({ payment: { id: expect.any(String), amount: 1_999 }, errors: [] });
      expect(again.text).toBe(first.text);
      expect([first, again].map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true']);
      expect(again.headers['x-correlation-id']).not.toBe(first.headers['x-correlation-id']);
    });

    it('given the same key as header and as argument of another document, when paid, then the graph knows it as one', async () => {
      const { token } = await newUser();
      const key = randomUUID();
      const first = await graphql<Paid>(PAY, { token, variables: { input }, ...keyed(key) });
      const byArgument = await graphql<Paid>(PAY_WITH_KEY, { token, variables: { input, key } });
      expect(byArgument.data?.createPayment.payment?.id).toBe(first.data?.createPayment.payment?.id);
      const both = await graphql<Paid>(PAY_WITH_KEY, { token, variables: { input, key }, ...keyed(randomUUID()) });
      expect(both.codes).toEqual(['IDEMPOTENCY_KEY_INVALID']);
    });

    it('given a variable for the key that is left out, when sent with the header, then the header fills it', async () => {
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

    it('given a document that is named by its hash, when paid with a key, then it is kept by that hash', async () => {
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

    it('given a mutation that takes no key, when sent twice, then it is made once', async () => {
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

    it('given a client that takes events alone, when paid twice, then it is charged once', async () => {
      const { token } = await newUser();
      const options = { token, ...keyed(randomUUID(), { accept: 'text/event-stream' }) };
      const first = await http.post('/graphql', { query: PAY, variables: { input } }, options);
      const again = await http.post('/graphql', { query: PAY, variables: { input } }, options);
      expect(first.text).toContain('"amount":1999');
      expect(again.text).toBe(first.text);
    });

    it('given ten equal mutations at once, when sent, then they have one effect', async () => {
      const { token } = await newUser();
      const key = randomUUID();
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => graphql<Paid>(PAY, { token, variables: { input }, ...keyed(key) })),
      );
      const made = answers.filter(({ status }) => status === 200);
      expect(new Set(made.map(({ text }) => text)).size).toBe(1);
      for (const { status, codes } of answers) if (status !== 200) expect(codes).toEqual(['IDEMPOTENCY_IN_PROGRESS']);
    });
  });

  describe('what takes no notice of it', () => {
    it('given a query, when sent twice with what is no key at all, then it is answered each time', async () => {
      const { token, id } = await newUser();
      const key = 'one two';
      const query = `{ user(id: "${id}") { name } }`;
      const answers = [await graphql(query, { token, ...keyed(key) }), await graphql('{ me { id } }', { token, ...keyed(key) })];
      for (const { status, headers, codes } of answers) {
        expect([status, codes, headers['idempotent-replayed']]).toEqual([200, [], undefined]);
      }
    });
  });
});
