import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { systemClock } from '../../../gateway/platform/clock.ts';
import type { Database } from '../../../subgraphs/kit/database/database.ts';
import { migrate } from '../../../subgraphs/kit/database/migrate.ts';
import { openServerDatabase } from '../../../subgraphs/kit/database/open-server-database.ts';
import type { EventBus } from '../../../subgraphs/kit/events/event-bus.ts';
import type { OutboxRelay } from '../../../subgraphs/kit/events/outbox-relay.ts';
import type { RunningSubgraph } from '../../../subgraphs/kit/server/start-subgraph.ts';
import { readAllMigrations } from '../../../subgraphs/migration-order.ts';
import { seedDatabase } from '../../../subgraphs/seed/seed-database.ts';
import { type SubgraphName, startSubgraphs } from '../../../subgraphs/start-subgraphs.ts';
import type { ResolveHost } from '../../../subgraphs/webhooks/delivery/resolve-host.ts';
import { signIdentity } from '../identity/sign-identity.ts';
import { createThrowawayDatabase, postgresServerUrl } from '../database/throwaway-database.ts';
import { openSampleDatabase } from '../database/sample-database.ts';

/** Caller of a test. Absent means anonymous. */
export interface Caller {
  readonly id: string;
  readonly roles?: readonly string[];
}

export const ADMIN: Caller = { id: '200', roles: ['ADMIN'] };

export const user = (id: string): Caller => ({ id });

export interface Question {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly as?: Caller | undefined;
}

export interface GraphResponse<Data> {
  readonly data: Data | null;
  /** `extensions.code` of each error with its path, such as `FORBIDDEN order`. Sorted, because siblings fail in any order. */
  readonly codes: readonly string[];
  readonly text: string;
}

/** The subgraphs on a separate seeded database. */
export interface SubgraphsStack {
  readonly database: Database;
  readonly events: EventBus;
  readonly relay: OutboxRelay;
  readonly identitySecret: string;
  readonly subgraphs: Readonly<Record<SubgraphName, RunningSubgraph>>;
  /** URL of the back end of `shipping`. */
  readonly shippingUrl: string;
  /** Sends one operation over HTTP, with the identity that a gateway would send. */
  query<Data>(subgraph: SubgraphName, question: Question): Promise<GraphResponse<Data>>;
  /** Returns the statements that the database received while `work` ran. */
  statementsOf(work: () => Promise<unknown>): Promise<readonly string[]>;
}

interface OwnedStack extends SubgraphsStack, AsyncDisposable {}

/** Runs the tests on the embedded database and, when one is available, on a PostgreSQL server. */
export function describeOnSubgraphs(title: string, body: (stack: () => SubgraphsStack) => void): void {
  describe.each(['embedded', 'server'] as const)(`${title}, on the %s database`, (kind) => {
    const run = kind === 'server' && missingServer !== undefined ? describe.skip : describe;
    run(kind === 'server' ? (missingServer ?? 'PostgreSQL') : 'PGlite', () => {
      let stack: OwnedStack | undefined;
      beforeAll(async () => {
        stack = await startStack(kind);
      });
      afterAll(async () => {
        await stack?.[Symbol.asyncDispose]();
      });
      body(() => {
        if (stack === undefined) throw new Error('The stack exists only while tests run.');
        return stack;
      });
    });
  });
}

/** Runs the tests when a PostgreSQL server is available. Otherwise the title names the missing one. */
export function describeOnServer(title: string, body: () => void): void {
  if (missingServer === undefined) describe(title, body);
  else describe.skip(`${title} (${missingServer})`, body);
}

const missingServer = await findMissingServer();

/** Returns why no server is available for tests, or undefined when the address accepts connections. With CI=true a server is required. */
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

/** Resolves only names of `example.com`, without a name server. */
const resolveForTests: ResolveHost = async (hostname) => {
  if (hostname === 'example.com' || hostname.endsWith('.example.com')) return [{ address: '93.184.215.14', family: 4 }];
  throw new Error(`${hostname} does not resolve.`);
};

const WEBHOOKS_KEY = randomBytes(32).toString('hex');

/** Time limits that a busy machine meets, because these tests do not measure speed. */
const PATIENT = { connectTimeoutMs: 20_000, statementTimeoutMs: 20_000 };

async function openServer(url: string): Promise<Database> {
  const database = openServerDatabase({ url, log: silentLogger, ...PATIENT });
  await migrate(database, await readAllMigrations());
  await seedDatabase(database);
  return database;
}

async function startStack(kind: 'embedded' | 'server'): Promise<OwnedStack> {
  const throwaway = kind === 'server' ? await createThrowawayDatabase() : undefined;
  const database = throwaway === undefined ? await openSampleDatabase() : await openServer(throwaway.url);
  const identitySecret = randomBytes(32).toString('hex');
  const running = await startSubgraphs({
    database,
    identity: { secret: identitySecret },
    profile: 'production',
    clock: systemClock,
    log: silentLogger,
    webhooks: { keys: [WEBHOOKS_KEY], targets: { resolve: resolveForTests } },
  });
  const { subgraphs, events, relay, backEnds } = running;

  return {
    database,
    events,
    relay,
    identitySecret,
    subgraphs,
    shippingUrl: String(backEnds['shipping']?.['legacy']),
    async query<Data>(subgraph: SubgraphName, { query, variables, as }: Question): Promise<GraphResponse<Data>> {
      const body = JSON.stringify({ query, variables });
      const identity = signIdentity({
        secret: identitySecret,
        audience: subgraph,
        body,
        ...(as === undefined ? { kind: 'anonymous' } : { kind: 'user', sub: as.id, roles: as.roles ?? [] }),
      });
      const headers = { 'content-type': 'application/json', 'gatefold-identity': identity };
      const response = await fetch(subgraphs[subgraph].url, { method: 'POST', headers, body });
      return readResponse<Data>(await response.text());
    },
    async statementsOf(work) {
      const statements: string[] = [];
      const observer = database.observe(({ text }) => statements.push(text));
      try {
        await work();
      } finally {
        observer[Symbol.dispose]();
      }
      return statements.filter((text) => !isOfARelay(text));
    },
    async [Symbol.asyncDispose]() {
      await running.stop();
      await database.close();
      await throwaway?.[Symbol.asyncDispose]();
    },
  };
}

/** Whether the statement is a background lookup of the event and shipment relays, independent of the test. */
function isOfARelay(text: string): boolean {
  return ['pg_try_advisory_xact_lock', '"outbox"', '"shipped_orders"', '"consignments"'].some((word) => text.includes(word));
}

interface ResponseBody<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly { readonly path?: readonly (string | number)[]; readonly extensions: { readonly code: string } }[];
}

/** Reads a GraphQL response. */
export function readResponse<Data>(text: string): GraphResponse<Data> {
  const { data = null, errors = [] } = JSON.parse(text) as ResponseBody<Data>;
  return { data, codes: errors.map(({ path = [], extensions }) => `${extensions.code} ${path.join('.')}`.trim()).toSorted(), text };
}
