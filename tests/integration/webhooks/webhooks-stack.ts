import { randomBytes } from 'node:crypto';
import type { RunningGateway } from '../../../cli/start-gateway.ts';
import type { GatewayConfigInput } from '../../../gateway/config/sections.ts';
import { systemClock } from '../../../gateway/platform/clock.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import type { Database } from '../../../subgraphs/kit/database/database.ts';
import { startSubgraphs } from '../../../subgraphs/start-subgraphs.ts';
import { openStorage } from '../../../subgraphs/storage/open-storage.ts';
import { cursors } from '../../../subgraphs/webhooks/tables.ts';
import { startReferenceGateway } from '../../support/stack/reference-gateway.ts';
import { signToken } from '../../support/identity/tokens.ts';

/** The reference graph in one process, with a webhook sender and a gateway that tests can stop and replace. */
export interface WebhooksStack extends AsyncDisposable {
  readonly database: Database;
  readonly identitySecret: string;
  readonly serviceSecret: string;
  readonly developmentKey: string;
  /** Gateway to which `request` sends its requests. */
  gateway: RunningGateway;
  /** Counts the streams whose position is stored. Later events of these streams are delivered even after an interruption. */
  cursors(): Promise<number>;
  /** Starts another gateway for the same subgraphs. The caller stops it. */
  startAnother(config?: GatewayConfigInput): Promise<RunningGateway>;
  request<Data>(query: string, options: { readonly as: string; readonly variables?: object }): Promise<Data>;
  /** @returns the ID of a PENDING order of user `as` */
  newOrder(as: string): Promise<string>;
  /** Registers an address and waits until it is ACTIVE. */
  register(url: string, options: { readonly as: string; readonly events: readonly string[] }): Promise<{ id: string; secret: string }>;
}

export interface WebhooksStackOptions {
  /** URL of a PostgreSQL server. @defaultValue a database in this process */
  readonly databaseUrl?: string;
  /** Key that seals secrets. @defaultValue a random key */
  readonly key?: string;
  /** Whether this process sends queued messages. @defaultValue true */
  readonly sends?: boolean;
}

export async function startWebhooksStack({ databaseUrl, key, sends = true }: WebhooksStackOptions = {}): Promise<WebhooksStack> {
  const storage = await openStorage({ databaseUrl, log: silentLogger });
  const [identitySecret, serviceSecret, developmentKey] = Array.from({ length: 3 }, () => randomBytes(32).toString('hex')) as [
    string,
    string,
    string,
  ];
  let report: (url: string) => void = () => undefined;
  const url = new Promise<string>((resolve) => {
    report = resolve;
  });
  const running = await startSubgraphs({
    database: storage.database,
    identity: { secret: identitySecret },
    profile: 'dev',
    webhooks: {
      keys: [key ?? randomBytes(32).toString('hex')],
      targets: { allowedPrivateHosts: ['127.0.0.1'] },
      ...(sends ? { gateway: { url, serviceSecret } } : {}),
    },
    clock: systemClock,
    log: silentLogger,
  });
  const subgraphUrls = Object.fromEntries(Object.entries(running.subgraphs).map(([name, subgraph]) => [name, subgraph.url]));
  const start = (config: GatewayConfigInput) =>
    startReferenceGateway({ subgraphUrls, developmentKey, identitySecret, serviceSecret, config });
  const stack: WebhooksStack = {
    database: storage.database,
    identitySecret,
    serviceSecret,
    developmentKey,
    gateway: await start({}),
    cursors: async () => (await storage.database.sql.select().from(cursors)).length,
    startAnother: (config = {}) => start(config),
    async request<Data>(query: string, { as, variables }: { readonly as: string; readonly variables?: object }) {
      const response = await fetch(`${stack.gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${signToken({ sub: as }, { key: developmentKey })}` },
        body: JSON.stringify({ query, variables }),
      });
      const { data, errors } = (await response.json()) as { readonly data?: Data; readonly errors?: unknown };
      if (errors !== undefined || data === undefined) throw new Error(JSON.stringify(errors));
      return data;
    },
    async newOrder(as) {
      const query = 'mutation ($input: CreateOrderInput!) { createOrder(input: $input) { order { id } errors { message } } }';
      const data = await stack.request<{ createOrder: { order: { id: string } | null } }>(query, {
        as,
        variables: { input: { productId: '1', qty: 1 } },
      });
      if (data.createOrder.order === null) throw new Error(JSON.stringify(data));
      return data.createOrder.order.id;
    },
    async register(address, { as, events }) {
      const query = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } secret errors { message } } }';
      const { createWebhook } = await stack.request<{ createWebhook: { webhook: { id: string } | null; secret: string } }>(query, {
        as,
        variables: { input: { url: address, events } },
      });
      if (createWebhook.webhook === null) throw new Error(JSON.stringify(createWebhook));
      const { id } = createWebhook.webhook;
      const patience = AbortSignal.timeout(20_000);
      for (;;) {
        patience.throwIfAborted();
        const { webhook } = await stack.request<{ webhook: { state: string } }>('query ($id: ID!) { webhook(id: $id) { state } }', {
          as,
          variables: { id },
        });
        if (webhook.state === 'ACTIVE') return { id, secret: createWebhook.secret };
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async [Symbol.asyncDispose]() {
      await stack.gateway[Symbol.asyncDispose]();
      await running.stop();
      await storage.close();
    },
  };
  report(stack.gateway.internalUrl);
  return stack;
}
