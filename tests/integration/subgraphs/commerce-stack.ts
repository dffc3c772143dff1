import { createHmac, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { type Logger, silentLogger } from '../../../gateway/platform/logger.ts';
import { systemClock } from '../../../gateway/platform/clock.ts';
import { createCatalogueSubgraph } from '../../../subgraphs/catalogue/create-catalogue-subgraph.ts';
import type { Database } from '../../../subgraphs/kit/database/database.ts';
import { migrate } from '../../../subgraphs/kit/database/migrate.ts';
import { openEmbeddedDatabase } from '../../../subgraphs/kit/database/open-embedded-database.ts';
import { openServerDatabase } from '../../../subgraphs/kit/database/open-server-database.ts';
import { createMemoryEventBus } from '../../../subgraphs/kit/events/memory-event-bus.ts';
import type { EventBus } from '../../../subgraphs/kit/events/event-bus.ts';
import { type OutboxRelay, startOutboxRelay } from '../../../subgraphs/kit/events/outbox-relay.ts';
import { type RunningSubgraph, startSubgraph } from '../../../subgraphs/kit/server/start-subgraph.ts';
import { readAllMigrations } from '../../../subgraphs/migration-order.ts';
import { createOrdersSubgraph } from '../../../subgraphs/orders/create-orders-subgraph.ts';
import { createPaymentsSubgraph } from '../../../subgraphs/payments/create-payments-subgraph.ts';
import { seedCommerce } from '../../../subgraphs/seed/commerce.ts';
import { createShippingSubgraph } from '../../../subgraphs/shipping/create-shipping-subgraph.ts';
import { createThrowawayDatabase, postgresServerUrl } from '../../support/throwaway-database.ts';

/** Who a test asks as; absent is anonymous. */
export interface Asker {
  readonly id: string;
  readonly roles?: readonly string[];
}

export const ADMIN: Asker = { id: '200', roles: ['ADMIN'] };

export const user = (id: string): Asker => ({ id });

export interface Question {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly as?: Asker | undefined;
}

export interface Answer<Data> {
  readonly data: Data | null;
  /** `extensions.code` of each error, at its path: `FORBIDDEN order`; sorted, for siblings fail in any order. */
  readonly refusals: readonly string[];
  readonly text: string;
}

export type CommerceSubgraph = 'catalogue' | 'orders' | 'payments' | 'shipping';

/** The four commerce subgraphs on one seeded database. */
export interface CommerceStack {
  readonly database: Database;
  readonly events: EventBus;
  readonly relay: OutboxRelay;
  readonly subgraphs: Readonly<Record<CommerceSubgraph, RunningSubgraph>>;
  /** One operation over HTTP, with the identity that a gateway would send. */
  ask<Data>(subgraph: CommerceSubgraph, question: Question): Promise<Answer<Data>>;
  /** The statements that went to the database while `work` ran. */
  statementsOf(work: () => Promise<unknown>): Promise<readonly string[]>;
}

interface OwnedStack extends CommerceStack, AsyncDisposable {}

/** Runs the tests on the embedded database and, where one listens, on a PostgreSQL server. */
export function describeOnCommerce(title: string, body: (stack: () => CommerceStack) => void): void {
  describe.each(['embedded', 'server'] as const)(`${title}, on the %s database`, (kind) => {
    const run = kind === 'server' && missingServer !== undefined ? describe.skip : describe;
    run(kind === 'server' ? (missingServer ?? 'PostgreSQL') : 'PGlite', () => {
      let stack: OwnedStack | undefined;
      beforeAll(async () => {
        stack = await startCommerce(kind);
      });
      afterAll(async () => {
        await stack?.[Symbol.asyncDispose]();
      });
      body(() => {
        if (stack === undefined) throw new Error('The stack is there once the tests run.');
        return stack;
      });
    });
  });
}

const missingServer = await findMissingServer();

/** Why there is no server to test on; undefined when something listens. With CI=true there must be one. */
async function findMissingServer(): Promise<string | undefined> {
  const { hostname, port } = new URL(postgresServerUrl());
  const socket = connect({ host: hostname, port: Number(port || 5432) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(2_000) });
    return undefined;
  } catch {
    const missing = `no PostgreSQL server at ${hostname}:${port || '5432'}`;
    if (process.env['CI'] === 'true') throw new Error(`${missing}: with CI=true these tests must run.`);
    return missing;
  } finally {
    socket.destroy();
  }
}

async function startCommerce(kind: 'embedded' | 'server', log: Logger = silentLogger): Promise<OwnedStack> {
  const throwaway = kind === 'server' ? await createThrowawayDatabase() : undefined;
  const database = throwaway === undefined ? await openEmbeddedDatabase() : openServerDatabase({ url: throwaway.url, log });
  await migrate(database, await readAllMigrations());
  await database.scripts(seedCommerce);
  const events = createMemoryEventBus();
  const relay = startOutboxRelay({ database, bus: events, clock: systemClock, log });
  const identitySecret = randomBytes(32).toString('hex');
  const setup = { database, events, clock: systemClock, log };
  const runtime = { ...setup, wakeRelay: () => relay.wake(), identitySecret, profile: 'production' as const };
  const [catalogue, orders, payments, shipping] = await Promise.all(
    [createCatalogueSubgraph, createOrdersSubgraph, createPaymentsSubgraph, createShippingSubgraph].map(async (create) =>
      startSubgraph(await create(setup), runtime),
    ),
  );
  if (!catalogue || !orders || !payments || !shipping) throw new Error('Not all subgraphs started.');
  const subgraphs = { catalogue, orders, payments, shipping };

  return {
    database,
    events,
    relay,
    subgraphs,
    async ask<Data>(subgraph: CommerceSubgraph, { query, variables, as }: Question): Promise<Answer<Data>> {
      const body = JSON.stringify({ query, variables });
      const identity = signIdentity({
        secret: identitySecret,
        audience: subgraph,
        body,
        ...(as === undefined ? { kind: 'anonymous' as const } : { kind: 'user' as const, sub: as.id, roles: as.roles ?? [] }),
      });
      const headers = { 'content-type': 'application/json', 'gatefold-identity': identity };
      const response = await fetch(subgraphs[subgraph].url, { method: 'POST', headers, body });
      return readAnswer<Data>(await response.text());
    },
    async statementsOf(work) {
      const statements: string[] = [];
      const observer = database.observe(({ text }) => statements.push(text));
      try {
        await work();
      } finally {
        observer[Symbol.dispose]();
      }
      return statements.filter((text) => !isOfTheRelay(text));
    },
    async [Symbol.asyncDispose]() {
      for (const subgraph of Object.values(subgraphs)) await subgraph.stop();
      await relay.stop();
      await events.close();
      await database.close();
      await throwaway?.[Symbol.asyncDispose]();
    },
  };
}

/** The outbox is looked at whenever time passes, whatever the test does. */
function isOfTheRelay(text: string): boolean {
  return text.includes('pg_try_advisory_xact_lock') || text.includes('"outbox"');
}

interface AnswerBody<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly { readonly path?: readonly (string | number)[]; readonly extensions: { readonly code: string } }[];
}

function readAnswer<Data>(text: string): Answer<Data> {
  const { data = null, errors = [] } = JSON.parse(text) as AnswerBody<Data>;
  return { data, refusals: errors.map(({ path = [], extensions }) => `${extensions.code} ${path.join('.')}`.trim()).toSorted(), text };
}

function signIdentity({
  secret,
  audience,
  body,
  ...claims
}: {
  secret: string;
  audience: string;
  body: string;
  kind: string;
  sub?: string;
  roles?: readonly string[];
}): string {
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Math.floor(Date.now() / 1_000);
  const input = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ iss: 'gatefold', aud: audience, sub: '', roles: [], scopes: [], ...claims, iat, exp: iat + 60 })}`;
  const token = `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  const proofKey = createHmac('sha256', secret).update(`proof:${audience}`).digest();
  return `${token}.${createHmac('sha256', proofKey).update(`${token}.${body}`).digest('base64url')}`;
}
