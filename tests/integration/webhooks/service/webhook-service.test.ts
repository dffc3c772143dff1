import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { createDisposalStack } from '../../../../gateway/platform/disposal-stack.ts';
import { createThrowawayDatabase } from '../../../support/database/throwaway-database.ts';
import { eventually } from '../../../support/time/eventually.ts';
import { type Received, startWebhookReceiver, type WebhookReceiver } from '../../../support/webhooks/webhook-receiver.ts';
import { type OwnGraph, startOwnGraph } from './own-graph.ts';

const CREATE = `mutation ($url: String!) {
  createWebhook(input: { url: $url, events: ["note.added"] }) { webhook { id ownerId owner { name } } secret errors { code field } }
}`;

interface Created {
  readonly createWebhook: {
    readonly webhook: { readonly id: string; readonly ownerId: string; readonly owner: { readonly name: string } } | null;
    readonly secret: string | null;
    readonly errors: readonly object[];
  };
}

describe.each([
  { name: 'PostgreSQL, identities without a proof', isServer: true, form: 'jwt' as const },
  { name: 'the embedded database, identities with a proof', isServer: false, form: 'bound' as const },
])('the webhook service for a separate graph, with $name', ({ isServer, form }) => {
  let graph: OwnGraph;
  let receiver: WebhookReceiver;
  const resources = createDisposalStack();
  beforeAll(async () => {
    receiver = resources.use(await startWebhookReceiver());
    graph = resources.use(await startOwnGraph({ database: await newDatabase(), form }));
  }, 120_000);
  afterAll(async () => resources[Symbol.asyncDispose]());

  async function newDatabase() {
    if (isServer) {
      const { url } = resources.use(await createThrowawayDatabase());
      return { GATEFOLD_WEBHOOKS__DATABASE__URL: url };
    }
    const directory = await mkdtemp(join(tmpdir(), 'gatefold-webhooks-'));
    resources.defer(async () => rm(directory, { recursive: true, force: true }));
    return { GATEFOLD_WEBHOOKS__DATABASE__DIRECTORY: join(directory, 'data') };
  }

  const notesAt = (path: string): readonly Received[] =>
    receiver.received.filter((one) => one.path === path && one.body.includes('note.added'));

  /** Registers a webhook, and waits until it receives events. */
  async function register(path: string, as: string) {
    const { data } = await graph.request<Created>(CREATE, { as, variables: { url: receiver.url + path } });
    const { webhook, secret } = data?.createWebhook ?? {};
    if (webhook == null || secret == null) throw new Error(JSON.stringify(data));
    await eventually(async () => (await addNote('first'), notesAt(path).length > 0), { withinMs: 30_000, everyMs: 300 });
    return { ...webhook, secret };
  }

  const addNote = async (text: string) =>
    graph.request('mutation ($text: String!) { addNote(text: $text) { id } }', { variables: { text } });

  it('rejects anonymous callers, and callers whom the graph does not know', async () => {
    const variables = { url: `${receiver.url}/nobody` };

    const anonymous = await graph.request(CREATE, { variables });
    const unknown = await graph.request(CREATE, { as: 'eve', variables });

    expect(anonymous.errors?.map(({ extensions }) => extensions.code)).toEqual(['UNAUTHENTICATED']);
    expect(unknown.errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN']);
  });

  it.each([
    ['an operation without an identity', '{"query":"{ webhooks { nodes { id } } }"}', 401],
    ['an operation that reads more than the SDL', '{"query":"{ _service { sdl } webhooks { nodes { id } } }"}', 401],
    ['a body that is not JSON', '{', 400],
  ])('rejects %s that did not pass the gateway', async (_what, body, status) => {
    const response = await fetch(`${graph.service.url}/graphql`, { method: 'POST', body });

    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ errors: [expect.objectContaining({ message: expect.any(String) })] });
  });

  it('sends the events of the graph with the permissions of the owner, who is an entity of another subgraph', async () => {
    const { ownerId, owner, secret } = await register('/ada', '7f3a-ada');
    const [message] = notesAt('/ada');

    expect({ ownerId, owner }).toEqual({ ownerId: '7f3a-ada', owner: { name: 'Ada' } });
    const headers = {
      'webhook-id': message?.id ?? '',
      'webhook-timestamp': String(message?.timestamp),
      'webhook-signature': message?.signature ?? '',
    };
    expect(new Webhook(secret).verify(message?.body ?? '', headers)).toMatchObject({
      type: 'note.added',
      data: { noteAdded: { text: 'first', secret: 'secret of first' } },
    });
  });

  it('sends no data for which the owner lacks a scope', async () => {
    await graph.request<Created>(CREATE, { as: 'ben', variables: { url: `${receiver.url}/ben` } });
    const deliveries = async () => {
      const { data } = await graph.request<{ webhooks: { nodes: readonly { deliveries: { nodes: readonly object[] } }[] } }>(
        '{ webhooks { nodes { deliveries(filter: { event: "note.added" }) { nodes { state lastCode } } } } }',
        { as: 'ben' },
      );
      return data?.webhooks.nodes[0]?.deliveries.nodes ?? [];
    };
    await eventually(async () => (await addNote('not for ben'), (await deliveries()).length > 0), { withinMs: 30_000, everyMs: 300 });

    expect(await deliveries()).toContainEqual({ state: 'BLOCKED', lastCode: 'FORBIDDEN' });
    expect(notesAt('/ben')).toEqual([]);
  }, 60_000);

  it('withdraws permissions that the owner has lost in the graph', async () => {
    const { id } = await register('/cara', '7f3a-ada');
    const ada = graph.users.get('7f3a-ada');
    ada?.scopes.splice(0);
    const isBlocked = async () => {
      await addNote('after the withdrawal');
      const { data } = await graph.request<{ webhook: { deliveries: { totalCount: number } } }>(
        'query ($id: ID!) { webhook(id: $id) { deliveries(filter: { event: "note.added", state: BLOCKED }) { totalCount } } }',
        { as: 'olga', variables: { id } },
      );
      return (data?.webhook.deliveries.totalCount ?? 0) > 0;
    };
    await eventually(isBlocked, { withinMs: 30_000, everyMs: 300 });
    await addNote('after the block');
    await eventually(isBlocked);
    // Events from before the withdrawal may still be delivered.
    expect(notesAt('/cara').filter(({ body }) => body.includes('after the block'))).toEqual([]);
    ada?.scopes.push('notes:secret');
  }, 60_000);

  it('disables the webhooks of an owner whom the graph no longer knows', async () => {
    const { id } = await register('/dora', '7f3a-ada');
    const ada = graph.users.get('7f3a-ada');
    graph.users.delete('7f3a-ada');
    await eventually(
      async () => {
        await addNote('for nobody');
        const { data } = await graph.request<{ webhook: { state: string; disabledReason: string } }>(
          'query ($id: ID!) { webhook(id: $id) { state disabledReason } }',
          { as: 'olga', variables: { id } },
        );
        return data?.webhook.disabledReason === 'OWNER_GONE';
      },
      { withinMs: 30_000, everyMs: 300 },
    );
    if (ada !== undefined) graph.users.set(ada.id, ada);
  }, 60_000);

  it('shows the webhooks of all owners only to administrators', async () => {
    const query = '{ webhooks { nodes { ownerId } } }';
    const ofOlga = await graph.request<{ webhooks: { nodes: readonly { ownerId: string }[] } }>(query, { as: 'olga' });
    const ofBen = await graph.request<{ webhooks: { nodes: readonly { ownerId: string }[] } }>(query, { as: 'ben' });

    expect(new Set(ofOlga.data?.webhooks.nodes.map(({ ownerId }) => ownerId))).toEqual(new Set(['7f3a-ada', 'ben']));
    expect(new Set(ofBen.data?.webhooks.nodes.map(({ ownerId }) => ownerId))).toEqual(new Set(['ben']));
  });
});
