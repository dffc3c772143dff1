import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { chromium } from 'playwright-core';
import { type CliProcess, requireBuild, startByNpm } from '../support/process/built-cli.ts';
import { eventually } from '../support/time/eventually.ts';
import { freePort } from '../support/http/free-port.ts';
import { createRestWebhooks, verified } from '../support/webhooks/rest-webhooks.ts';
import { createStack, type Stack } from '../support/stack/shared-stack.ts';
import { readStream } from '../support/streams/stream-reader.ts';
import { SUBSCRIPTION_CLIENTS, type SubscriptionClient, type Wanted } from '../support/streams/subscription-clients.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhook-receiver.ts';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const isMissing = !existsSync(executablePath);
if (isMissing && process.env['CI'] === 'true')
  throw new Error(`Chromium is missing at ${executablePath}. With CI=true these tests must run.`);
if (isMissing) process.stderr.write(`\nNOT TESTED: EventSource of a browser, because Chromium is missing at ${executablePath}.\n`);

const FOLLOW = 'subscription Follow { orderStatusChanged { kind order { id status user { name } product { title } } } }';
const COMMENTS = 'subscription Comments($postId: ID!) { commentAdded(postId: $postId) { comment { body author { name } } } }';
const COMMENT = 'mutation ($id: ID!, $body: String!) { addComment(input: { postId: $id, body: $body }) { comment { id } } }';
const SLOW = 120_000;

describe('subscription clients with `npm start`', () => {
  const stops: (() => void)[] = [];
  let npm: CliProcess;
  let stack: Stack;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    await requireBuild();
    receiver = await startWebhookReceiver();
    const [port, developmentKey] = [await freePort(2), randomBytes(32).toString('hex')];
    npm = startByNpm({ PORT: String(port), GATEFOLD_DATA_DIR: 'memory', GATEFOLD_AUTH__DEVELOPMENT_KEY: developmentKey });
    await npm.waitFor(/Ctrl-C stops everything/);
    const url = `http://127.0.0.1:${port}`;
    stack = createStack({ url, unlimitedUrl: url, apolloUrl: '', internalUrl: '', subgraphUrls: {}, developmentKey, identitySecret: '' });
  }, SLOW);
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
  });
  afterAll(async () => {
    await npm[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  }, SLOW);

  /** Records every message of a client. */
  function listen(client: SubscriptionClient, wanted: Wanted, token?: string): string[] {
    const heard: string[] = [];
    const hear = (one: unknown): void => void heard.push(one instanceof Error ? `failed: ${one.message}` : JSON.stringify(one));
    stops.push(client.subscribe(stack.url, wanted, { next: hear, complete: () => hear('complete'), error: hear }, token));
    return heard;
  }

  /** Triggers events until each client has received one, because a subscription sends nothing before its first event. */
  async function untilAllHear(all: readonly string[][], text: string, happen: () => Promise<unknown>): Promise<void> {
    const endsAt = Date.now() + 15_000;
    while (!all.every((heard) => heard.some((one) => one.includes(text)))) {
      if (Date.now() > endsAt) throw new Error(`Not all clients received ${text}: ${JSON.stringify(all)}`);
      await happen();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async function newPost(token: string): Promise<string> {
    const { data } = await stack.graphql<{ readonly createPost: { readonly id: string } }>(
      'mutation { createPost(input: { title: "Momo", body: "By Ende" }) { id } }',
      { token },
    );
    if (!data) throw new Error('The post was not created.');
    return data.createPost.id;
  }

  it(
    'an order change reaches all clients with a token, REST streams and webhooks',
    async () => {
      const owner = await stack.newUser();
      const webhook = await createRestWebhooks(stack.http).activate(owner, `${receiver.url}/orders`);
      const clients = SUBSCRIPTION_CLIENTS.filter(({ takesToken }) => takesToken);
      expect(clients).toHaveLength(6);
      const all = clients.map((client) => listen(client, { query: FOLLOW }, owner.token));
      await untilAllHear(all, '"kind":"CREATED"', () => stack.newOrder(owner));
      // Webhook deliveries start with the first event that is read.
      await eventually(async () => {
        await stack.newOrder(owner);
        return receiver.received.length > 1;
      });
      const order = await stack.newOrder(owner);
      await using events = await readStream(`${stack.url}/orders/${order}/events`, {
        headers: { accept: 'text/event-stream', authorization: `Bearer ${owner.token}` },
      });
      await events.until(/^id: .+\n\n/m); // The first bookmark. The stream has all later events.

      await stack.http.send({ method: 'PATCH', path: `/orders/${order}`, json: { status: 'CONFIRMED' }, token: owner.token });

      await untilAllHear(all, '"kind":"STATUS_CHANGED"', async () => undefined);
      for (const heard of all) {
        const reported = heard.filter((one) => one.includes('STATUS_CHANGED')).map((one) => JSON.parse(one) as unknown);
        expect(reported).toEqual([
          expect.objectContaining({
            data: {
              orderStatusChanged: expect.objectContaining({
                kind: 'STATUS_CHANGED',
                order: expect.objectContaining({
                  id: String(order),
                  status: 'CONFIRMED',
                  user: expect.objectContaining({ name: expect.any(String) }),
                  product: expect.objectContaining({ title: expect.any(String) }),
                }),
              }),
            },
          }),
        ]);
      }
      const reported = /^data: (.*)$/m.exec(await events.until(/^data: .*\n/m))?.[1] ?? '';
      expect(JSON.parse(reported)).toMatchObject({ kind: 'STATUS_CHANGED', orderId: order, status: 'CONFIRMED', version: 2 });
      const moves = () => receiver.received.filter(({ body }) => body.includes('"order.status_changed"'));
      await eventually(async () => moves().length > 0);
      expect(moves().map((message) => verified(message, webhook.secret))).toEqual([
        {
          type: 'order.status_changed',
          timestamp: expect.stringMatching(/Z$/),
          data: { orderStatusChanged: expect.objectContaining({ orderId: String(order), status: 'CONFIRMED', version: 2 }) },
        },
      ]);
    },
    SLOW,
  );

  it(
    'every client receives comments without a token, as EventSource requires',
    async () => {
      const { token } = await stack.newUser();
      const id = await newPost(token);
      const all = SUBSCRIPTION_CLIENTS.map((client) => listen(client, { query: COMMENTS, variables: { postId: id } }));
      await untilAllHear(all, 'Well said', () => stack.graphql(COMMENT, { variables: { id, body: 'Well said' }, token }));
    },
    SLOW,
  );

  (isMissing ? it.skip : it)(
    'EventSource in a browser receives a comment with an event ID for resuming',
    async () => {
      const { token } = await stack.newUser();
      const id = await newPost(token);
      await using browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
      const page = await browser.newPage();
      await page.goto(`${stack.url}/health`);
      const target = `/graphql?${new URLSearchParams({ query: COMMENTS, variables: JSON.stringify({ postId: id }) }).toString()}`;
      await page.evaluate(`(${LISTEN})(${JSON.stringify(target)})`);
      const heard = async () => page.evaluate<readonly EventOfPage[]>('globalThis.heard');
      await eventually(async () => {
        await stack.graphql(COMMENT, { variables: { id, body: 'Well said — “ja”' }, token });
        return (await heard()).length > 0;
      });
      expect((await heard())[0]).toEqual({
        data: { data: { commentAdded: { comment: { body: 'Well said — “ja”', author: { name: 'Somebody New' } } } } },
        lastEventId: expect.stringMatching(/./),
      });
    },
    SLOW,
  );
});

interface EventOfPage {
  readonly data: unknown;
  readonly lastEventId: string;
}

/** Function that runs in the page. */
const LISTEN = `(target) => {
  globalThis.heard = [];
  const source = new EventSource(target);
  source.addEventListener('next', ({ data, lastEventId }) => globalThis.heard.push({ data: JSON.parse(data), lastEventId }));
  return new Promise((resolve) => source.addEventListener('open', () => resolve()));
}`;
