import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { expectFields, expectJson, expectPage, expectError, ISO_INSTANT, MOUNTS, type Page } from '../../support/rest/rest-expectations.ts';
import { describeOnStack, type NewUser } from '../../support/stack/shared-stack.ts';

interface RestWebhook {
  readonly id: number;
  readonly url: string;
  readonly state: string;
  readonly secret?: string;
}

interface RestDelivery {
  readonly id: number;
  readonly event: string;
  readonly state: string;
}

/** Input of a webhook. No server listens at its address, so the ping gets no response. */
const INPUT = { url: 'http://127.0.0.1:1/hook', events: ['order.created'] };
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

const WEBHOOK = {
  id: expect.any(Number),
  url: INPUT.url,
  events: INPUT.events,
  isOrdered: false,
  state: 'PENDING',
  disabledReason: null,
  lastDeliveredAt: null,
  ownerId: expect.any(Number),
  createdAt: ISO_INSTANT,
  updatedAt: ISO_INSTANT,
};
/** Fields whose value depends on whether the ping was already tried. */
const IN_TIME = ['failingSince'];

describeOnStack('webhooks as resources', ({ http, tokens, newUser }) => {
  describe.each(MOUNTS)('under the mount "%s"', (mount) => {
    const register = ({ token }: Pick<NewUser, 'token'>, json: unknown = INPUT, headers: Record<string, string> = {}) =>
      http.post<RestWebhook>(`${mount}/webhooks`, json, { token, headers });
    const send = <Body = Record<string, unknown>>(method: string, path: string, token?: string, json?: unknown) =>
      http.send<Body>({ method, path: `${mount}${path}`, token, ...(json === undefined ? {} : { json }) });

    it.each([
      ['GET', '/webhooks'],
      ['POST', '/webhooks'],
      ['GET', '/webhooks/1'],
      ['PATCH', '/webhooks/1'],
      ['DELETE', '/webhooks/1'],
      ['POST', '/webhooks/1/secrets'],
      ['GET', '/webhooks/1/deliveries'],
      ['POST', '/webhooks/1/deliveries'],
    ])('%s %s returns 401 without credentials', async (method, path) => {
      expectError(await send(method, path, undefined, method === 'GET' || method === 'DELETE' ? undefined : {}), 401, 'UNAUTHENTICATED');
    });

    it('returns 403 for a webhook of another user, and 404 for an unknown one', async () => {
      const [owner, other] = [await newUser(), await newUser()];
      const { id } = (await register(owner)).body;
      expectError(await send('GET', `/webhooks/${id}`, other.token), 403, 'FORBIDDEN');
      expectError(await send('PATCH', `/webhooks/${id}`, other.token, { isOrdered: true }), 403, 'FORBIDDEN');
      expectError(await send('DELETE', `/webhooks/${id}`, other.token), 403, 'FORBIDDEN');
      expectError(await send('POST', `/webhooks/${id}/secrets`, other.token), 403, 'FORBIDDEN');
      expectError(await send('GET', `/webhooks/${id}/deliveries`, other.token), 403, 'FORBIDDEN');
      expectError(await send('POST', `/webhooks/${id}/deliveries`, other.token, { deliveryId: 1 }), 403, 'FORBIDDEN');
      for (const path of ['/webhooks/99999999', '/webhooks/99999999/deliveries']) {
        expectError(await send('GET', path, other.token), 404, 'NOT_FOUND');
      }
      expectError(await send('POST', '/webhooks/99999999/secrets', other.token), 404, 'NOT_FOUND');
    });

    describe('POST /webhooks', () => {
      it.each<[string, unknown, string]>([
        ['an empty body', {}, 'BAD_USER_INPUT'],
        ['events that are not names', { ...INPUT, events: [1] }, 'BAD_USER_INPUT'],
        ['an unknown event', { ...INPUT, events: ['order.exploded'] }, 'BAD_USER_INPUT'],
        ['a private address', { ...INPUT, url: 'https://10.0.0.1/' }, 'WEBHOOK_URL_FORBIDDEN'],
        ['a metadata address', { ...INPUT, url: 'http://169.254.169.254/latest' }, 'WEBHOOK_URL_FORBIDDEN'],
        ['a relative address', { ...INPUT, url: '/hook' }, 'WEBHOOK_URL_FORBIDDEN'],
      ])('returns 400 for %s', async (_what, json, code) => {
        expectError(await register(await newUser(), json), 400, code);
      });

      it('creates a PENDING webhook and returns its secret only once', async () => {
        const owner = await newUser();
        const made = await register(owner);
        expectJson(made, 201);
        expectFields(made.body, { ...WEBHOOK, ownerId: owner.id, secret: expect.stringMatching(SECRET) }, IN_TIME);
        expect(made.headers['location']).toBe(`${mount}/webhooks/${made.body.id}`);
        expect(made.headers['cache-control']).toBe('no-store');
        const read = await send('GET', `/webhooks/${made.body.id}`, owner.token);
        expectJson(read, 200);
        expectFields(read.body, { ...WEBHOOK, id: made.body.id, ownerId: owner.id }, IN_TIME);
        const list = await http.get<Page<RestWebhook>>(`${mount}/webhooks`, { token: owner.token });
        expectPage(list);
        expect(list.body.data.map(({ id }) => id)).toEqual([made.body.id]);
        for (const { text } of [read, list]) expect(text).not.toContain('whsec_');
      });

      it('replays the webhook and its secret for the same Idempotency-Key', async () => {
        const owner = await newUser();
        const headers = { 'idempotency-key': randomUUID() };
        const first = await register(owner, INPUT, headers);
        const again = await register(owner, INPUT, headers);
        expect([again.status, again.body.id, again.body.secret]).toEqual([201, first.body.id, first.body.secret]);
        expect(again.headers['idempotent-replayed']).toBe('true');
        expectError(await register(owner, { ...INPUT, isOrdered: true }, headers), 422, 'IDEMPOTENCY_KEY_REUSED');
        expect((await http.get<Page<RestWebhook>>(`${mount}/webhooks`, { token: owner.token })).body.totalElements).toBe(1);
      });
    });

    it('an administrator filters webhooks by owner and state', async () => {
      const owner = await newUser();
      const { id } = (await register(owner)).body;
      const of = async (query: string) =>
        (await http.get<Page<RestWebhook>>(`${mount}/webhooks?${query}`, { token: tokens.admin })).body.data.map((webhook) => webhook.id);
      expect(await of(`ownerId=${owner.id}&state=PENDING,ACTIVE`)).toEqual([id]);
      expect(await of(`ownerId=${owner.id}&state=DISABLED`)).toEqual([]);
      expectError(await send('GET', `/webhooks?ownerId=${owner.id}`, tokens.user1), 403, 'FORBIDDEN');
    });

    it('changes and deletes a webhook, and names each invalid field', async () => {
      const { token } = await newUser();
      const { id } = (await register({ token })).body;
      const forbidden = await send('PATCH', `/webhooks/${id}`, token, { url: 'https://[::ffff:10.0.0.1]/' });
      expectError(forbidden, 400, 'WEBHOOK_URL_FORBIDDEN');
      expect(forbidden.body['details']).toEqual([{ field: 'url', message: expect.any(String) }]);
      expectError(await send('PATCH', `/webhooks/${id}`, token, { state: 'PENDING' }), 400, 'BAD_USER_INPUT');
      const off = await send('PATCH', `/webhooks/${id}`, token, { state: 'DISABLED' });
      expectFields(off.body, { ...WEBHOOK, state: 'DISABLED', disabledReason: 'OWNER' }, IN_TIME);
      expect(await send('DELETE', `/webhooks/${id}`, token)).toMatchObject({ status: 204, text: '' });
      expectError(await send('DELETE', `/webhooks/${id}`, token), 404, 'NOT_FOUND');
    });

    it('returns 412 for an If-Match of an outdated version', async () => {
      const { token } = await newUser();
      const { id } = (await register({ token })).body;
      const { etag } = (await send('GET', `/webhooks/${id}`, token)).headers;
      expect((await send('PATCH', `/webhooks/${id}`, token, { isOrdered: true })).status).toBe(200);
      const stale = await http.send({
        method: 'PATCH',
        path: `${mount}/webhooks/${id}`,
        token,
        json: { isOrdered: false },
        headers: { 'if-match': etag },
      });
      expectError(stale, 412, 'VERSION_MISMATCH');
    });

    it('returns the new secret of a rotation and the expiry of the previous one', async () => {
      const { token } = await newUser();
      const { id, secret } = (await register({ token })).body;
      const rotated = await send('POST', `/webhooks/${id}/secrets`, token);
      expectJson(rotated, 201);
      expectFields(rotated.body, { webhookId: id, secret: expect.stringMatching(SECRET), previousExpiresAt: ISO_INSTANT });
      expect(rotated.body['secret']).not.toBe(secret);
      expect(rotated.headers['cache-control']).toBe('no-store');
    });

    it('lists the ping, and redelivers it only when it is not pending', async () => {
      const { token } = await newUser();
      const { id } = (await register({ token })).body;
      const list = await http.get<Page<RestDelivery>>(`${mount}/webhooks/${id}/deliveries?state=PENDING&event=webhook.ping`, { token });
      expectPage(list);
      const [ping] = list.body.data;
      expect(ping).toMatchObject({ webhookId: id, event: 'webhook.ping', state: 'PENDING', messageId: expect.stringMatching(/^msg_/) });
      const again = await send('POST', `/webhooks/${id}/deliveries`, token, { deliveryId: ping?.id });
      expectError(again, 409, 'CONFLICT');
      expectError(await send('POST', `/webhooks/${id}/deliveries`, token, { deliveryId: 99_999_999 }), 400, 'BAD_USER_INPUT');
      await send('PATCH', `/webhooks/${id}`, token, { state: 'DISABLED' });
      await send('PATCH', `/webhooks/${id}`, token, { state: 'ACTIVE' });
      const redelivered = await send<RestDelivery>('POST', `/webhooks/${id}/deliveries`, token, { deliveryId: ping?.id });
      expectJson(redelivered, 202);
      expect(redelivered.body).toMatchObject({ id: ping?.id, state: 'PENDING' });
    });
  });
});
