import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from '@jest/globals';
import { ADMIN, type Caller, describeOnSubgraphs, user } from '../../support/stack/subgraphs-stack.ts';
import { type Payload, type Webhook, queryWebhooks } from './query-webhooks.ts';

describeOnSubgraphs('deliveries of webhooks', (stack) => {
  const { query: request, mutate, userErrors, rows, newWebhook, activate, newDelivery } = queryWebhooks(stack);
  let webhook: Webhook;
  beforeAll(async () => {
    webhook = await newWebhook(user('51'));
    await activate(webhook);
  });
  const REDELIVER = `mutation ($id: ID!, $deliveryId: ID!, $key: String) {
    result: redeliverWebhook(id: $id, input: { deliveryId: $deliveryId }, idempotencyKey: $key) { delivery { id messageId state attempts nextAttemptAt finishedAt } errors { field code } }
  }`;
  const redeliver = (deliveryId: string, as: Caller = user('51'), { id = webhook.id, key }: { id?: string; key?: string } = {}) =>
    request<{ result: Payload & { delivery: { messageId: string } | null } }>(REDELIVER, as, { id, deliveryId, key });

  it('are filtered and authorized, and only pending ones have a next attempt', async () => {
    const target = await newWebhook(user('52'));
    await activate(target);
    for (const state of ['DEAD', 'BLOCKED', 'PENDING']) await newDelivery(target, state);
    const query = `query ($id: ID!, $filter: WebhookDeliveryFilter) { webhook(id: $id) {
      deliveries(filter: $filter, first: 2) { nodes { state nextAttemptAt ownerId webhookId webhook { id } } totalCount pageInfo { hasNextPage } } } }`;
    const all = await request<{ webhook: { deliveries: { nodes: { state: string; nextAttemptAt: string | null }[] } } }>(
      query,
      user('52'),
      {
        id: target.id,
      },
    );
    const of = { ownerId: '52', webhookId: target.id, webhook: { id: target.id } };
    expect(all.data?.webhook.deliveries).toEqual({
      nodes: [
        { state: 'PENDING', nextAttemptAt: expect.any(String), ...of },
        { state: 'BLOCKED', nextAttemptAt: null, ...of },
      ],
      totalCount: 4,
      pageInfo: { hasNextPage: true },
    });
    const some = await request<{ webhook: { deliveries: { totalCount: number } } }>(query, ADMIN, {
      id: target.id,
      filter: { state: ['DEAD', 'DELIVERED'], event: 'order.created' },
    });
    expect(some.data?.webhook.deliveries.totalCount).toBe(1);
    const none = await request<{ webhook: { deliveries: { totalCount: number } } }>(query, ADMIN, {
      id: target.id,
      filter: { event: '\0' },
    });
    expect(none.data?.webhook.deliveries.totalCount).toBe(0);
  });

  it('are not redelivered when pending, unknown or of another webhook', async () => {
    const waiting = await newDelivery(webhook, 'PENDING');
    const foreign = await newDelivery(await newWebhook(user('53')), 'DEAD');
    expect(userErrors(await redeliver(waiting))).toEqual(['CONFLICT input.deliveryId']);
    for (const unknown of ['99999999', 'x', foreign])
      expect(userErrors(await redeliver(unknown))).toEqual(['BAD_USER_INPUT input.deliveryId']);
    expect((await redeliver(waiting, user('53'))).codes).toEqual(['FORBIDDEN result']);
    expect(userErrors(await redeliver(waiting, user('51'), { id: '99999999' }))).toEqual(['NOT_FOUND id']);
  });

  it.each([
    ['DEAD', { code: 'RECEIVER_TIMEOUT' }],
    ['DELIVERED', {}],
    ['BLOCKED', { code: 'WEBHOOK_URL_FORBIDDEN' }],
    ['CANCELLED', { code: 'ENDPOINT_DISABLED' }],
    ['CANCELLED', { code: 'ENDPOINT_DISABLED', attempts: 0 }],
  ])('in state %s with %j are redelivered under the same message ID', async (state, past) => {
    const id = await newDelivery(webhook, state, past);
    const [row] = await rows('select message_id from webhooks.deliveries where id = $1', [id]);
    const key = randomUUID();
    const { data } = await redeliver(id, user('51'), { key });
    expect(data?.result).toEqual({
      delivery: {
        id,
        messageId: row?.['message_id'],
        state: 'PENDING',
        attempts: 0,
        nextAttemptAt: expect.any(String),
        finishedAt: null,
      },
      errors: [],
    });
    expect((await redeliver(id, user('51'), { key })).data).toEqual(data);
  });

  it.each([
    ['the owner has lost a role that they were made with', 'BLOCKED', { code: 'FORBIDDEN' }],
    ['the owner may see them only in part', 'BLOCKED', { code: 'UNAUTHENTICATED', attempts: 0 }],
    ['their owner was deleted', 'BLOCKED', { code: 'OWNER_GONE' }],
    ['their body was too long', 'DEAD', { code: 'PAYLOAD_TOO_LARGE', attempts: 0 }],
    ['their body could not be computed', 'DEAD', { code: 'SUBGRAPH_UNREACHABLE', attempts: 0 }],
  ])('are not redelivered when %s, and remain unchanged', async (_why, state, past) => {
    const id = await newDelivery(webhook, state, past);
    const stored = async () => rows('select * from webhooks.deliveries where id = $1', [id]);
    const before = await stored();
    expect(userErrors(await redeliver(id))).toEqual(['CONFLICT input.deliveryId']);
    expect(await stored()).toEqual(before);
  });

  it('are not redelivered to an inactive webhook, except for pings', async () => {
    const pending = await newWebhook(user('54'));
    const id = await newDelivery(pending, 'DEAD');
    expect(userErrors(await redeliver(id, user('54'), { id: pending.id }))).toEqual(['CONFLICT id']);
    const [ping] = await rows(
      `update webhooks.deliveries set state = 'DEAD', last_attempt_at = now(), finished_at = now() where endpoint_id = $1 and event = 'webhook.ping' returning id::text as id`,
      [pending.id],
    );
    expect(userErrors(await redeliver(String(ping?.['id']), user('54'), { id: pending.id }))).toEqual([]);
    await mutate('update', { id: pending.id, patch: { state: 'DISABLED' } }, user('54'));
    expect(userErrors(await redeliver(String(ping?.['id']), user('54'), { id: pending.id }))).toEqual(['CONFLICT id']);
  });
});
