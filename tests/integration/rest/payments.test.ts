import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { expectFields, expectJson, expectError, ISO_INSTANT, MOUNTS } from '../../support/rest/rest-expectations.ts';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

interface RestPayment {
  readonly id: number;
  readonly amount: number;
  readonly currency: string;
  readonly status: string;
}

const PAYMENT = { id: expect.any(Number), amount: 1_999, currency: 'EUR' };
const MORE_OF_PAYMENT = ['status', 'userId', 'orderId', 'createdAt', 'updatedAt', 'version'];

describeOnStack('payments as resources', ({ http, tokens, newUser, newOrder }) => {
  describe.each(MOUNTS)('under the mount "%s"', (mount) => {
    const pay = (json: unknown, { token, key }: { token?: string; key?: string }) =>
      http.post<RestPayment>(`${mount}/payments`, json, { token, headers: key === undefined ? {} : { 'idempotency-key': key } });

    describe('POST /payments', () => {
      it('returns 401 without credentials', async () => {
        expectError(await pay({ amount: 1, currency: 'EUR' }, { key: randomUUID() }), 401, 'UNAUTHENTICATED');
      });

      it('returns 400 without an Idempotency-Key', async () => {
        const { token } = await newUser();
        expectError(await pay({ amount: 1, currency: 'EUR' }, { token }), 400, 'IDEMPOTENCY_KEY_REQUIRED');
      });

      it.each([
        ['', 'empty'],
        ['x'.repeat(256), 'too long'],
        ['with\ttab', 'not printable'],
      ])('returns 400 for the Idempotency-Key %j (%s)', async (key) => {
        const { token } = await newUser();
        const response = await pay({ amount: 1, currency: 'EUR' }, { token, key });
        expect(response.status).toBe(400);
        expect(['IDEMPOTENCY_KEY_INVALID', 'IDEMPOTENCY_KEY_REQUIRED']).toContain(response.body['error' as never]);
      });

      it.each<[string, unknown]>([
        ['no amount', { currency: 'EUR' }],
        ['no currency', { amount: 100 }],
        ['the amount 0', { amount: 0, currency: 'EUR' }],
        ['a negative amount', { amount: -5, currency: 'EUR' }],
        ['a fractional amount', { amount: 19.99, currency: 'EUR' }],
        ['an amount that is text', { amount: '1999', currency: 'EUR' }],
        ['an amount beyond the limit', { amount: 100_000_001, currency: 'EUR' }],
        ['an amount beyond 32 bits', { amount: 2 ** 40, currency: 'EUR' }],
        ['a currency in lowercase letters', { amount: 100, currency: 'eur' }],
        ['a currency of two letters', { amount: 100, currency: 'EU' }],
        ['a currency with a new line', { amount: 100, currency: 'EUR\n' }],
        ['an unknown field', { amount: 100, currency: 'EUR', userId: 2 }],
      ])('returns 400 for %s', async (_title, body) => {
        const { token } = await newUser();
        expectError(await pay(body, { token, key: randomUUID() }), 400, 'BAD_USER_INPUT');
      });

      it('returns 201 with the payment and its Location', async () => {
        const { token } = await newUser();
        const response = await pay({ amount: 1_999, currency: 'EUR' }, { token, key: randomUUID() });
        expectJson(response, 201);
        expectFields(response.body, PAYMENT, MORE_OF_PAYMENT);
        expect(response.headers['location']).toBe(`${mount}/payments/${String(response.body.id)}`);
        const read = await http.get(String(response.headers['location']), { token });
        expectJson(read, 200);
        expect(read.body).toMatchObject({ id: response.body.id, amount: 1_999, currency: 'EUR' });
      });

      it('returns the first result for the same key and body', async () => {
        const { token } = await newUser();
        const key = randomUUID();
        const first = await pay({ amount: 1_999, currency: 'EUR' }, { token, key });
        const second = await pay({ amount: 1_999, currency: 'EUR' }, { token, key });
        expectJson(second, 201);
        expect(second.body).toEqual(first.body);
        expect(second.headers['location']).toBe(first.headers['location']);
      });

      it('returns the first result when member order and white space differ', async () => {
        const { token } = await newUser();
        const key = randomUUID();
        const first = await pay({ amount: 1_999, currency: 'EUR' }, { token, key });
        const headers = { 'idempotency-key': key, 'content-type': 'application/json' };
        const body = '{ "currency" : "EUR",\n  "amount" : 1999 }';
        const second = await http.send({ method: 'POST', path: `${mount}/payments`, body, headers, token });
        expect(second.body).toEqual(first.body);
      });

      it('accepts a quoted key that contains a space', async () => {
        const { token } = await newUser();
        const key = `"order ${randomUUID()}"`;
        const responses = [
          await pay({ amount: 5, currency: 'EUR' }, { token, key }),
          await pay({ amount: 5, currency: 'EUR' }, { token, key }),
        ];
        for (const response of responses) expectJson(response, 201);
        expect(responses[1]?.body).toEqual(responses[0]?.body);
      });

      it('returns 422 for the same key with another body', async () => {
        const { token } = await newUser();
        const key = randomUUID();
        await pay({ amount: 1_999, currency: 'EUR' }, { token, key });
        expectError(await pay({ amount: 2_999, currency: 'EUR' }, { token, key }), 422, 'IDEMPOTENCY_KEY_REUSED');
      });

      it('creates a separate payment for the same key of another user', async () => {
        const [one, other] = await Promise.all([newUser(), newUser()]);
        const key = randomUUID();
        const first = await pay({ amount: 1_999, currency: 'EUR' }, { token: one.token, key });
        const second = await pay({ amount: 1_999, currency: 'EUR' }, { token: other.token, key });
        expectJson(second, 201);
        expect(second.body.id).not.toBe(first.body.id);
      });

      it('creates one payment for twenty equal concurrent requests', async () => {
        const { token } = await newUser();
        const key = randomUUID();
        const responses = await Promise.all(Array.from({ length: 20 }, () => pay({ amount: 777, currency: 'EUR' }, { token, key })));
        const made = responses.filter(({ status }) => status === 201);
        expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
        for (const { status } of responses) expect([201, 409]).toContain(status);
      });

      it('rejects a payment for an order of another user', async () => {
        const [owner, other] = await Promise.all([newUser(), newUser()]);
        const orderId = await newOrder(owner);
        const response = await pay({ amount: 500, currency: 'EUR', orderId }, { token: other.token, key: randomUUID() });
        expect([400, 403, 404]).toContain(response.status);
      });
    });

    describe('GET /payments/{payment_id}', () => {
      it('returns 401 without credentials', async () => {
        expectError(await http.get(`${mount}/payments/1`), 401, 'UNAUTHENTICATED');
      });

      it('returns 403 for a payment of another user', async () => {
        const [owner, other] = await Promise.all([newUser(), newUser()]);
        const { body } = await pay({ amount: 5, currency: 'EUR' }, { token: owner.token, key: randomUUID() });
        expectError(await http.get(`${mount}/payments/${String(body.id)}`, { token: other.token }), 403, 'FORBIDDEN');
      });

      it('returns 404 to an administrator for an unknown payment', async () => {
        expectError(await http.get(`${mount}/payments/999999999`, { token: tokens.admin }), 404, 'NOT_FOUND');
      });

      it('returns the payment to an administrator', async () => {
        const response = await http.get(`${mount}/payments/1`, { token: tokens.admin });
        expectJson(response, 200);
        expect(response.body).toMatchObject({ id: 1, amount: expect.any(Number), currency: expect.stringMatching(/^[A-Z]{3}$/) });
        if ('createdAt' in response.body) expect(response.body['createdAt']).toEqual(ISO_INSTANT);
      });
    });
  });
});
