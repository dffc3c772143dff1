import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { signToken } from '../../tests/support/identity/tokens.ts';
import { startGateways } from './gateways.ts';

export interface Count {
  readonly row: Readonly<Record<string, string | number>>;
  readonly isMissed: boolean;
}

export interface CountOptions {
  readonly directory: string;
  /** Returns the supergraph with another URL of its subgraph. */
  readonly supergraphOf: (url: string) => string;
}

const DEVELOPMENT_KEY = 'a key that only this benchmark knows';
/** Connections of the clients. Each belongs to one worker. */
const CONNECTIONS = 64;
const REQUESTS = 4_000;
const ADMITTED = 1_500;
/** Points of each request. They are many, so that no further request is admitted from the points that the bucket receives meanwhile. */
const POINTS = 1_000;
const KEYS = 300;
const RETRIES = 8;
/** Duration of a mutation, in which its retries arrive. @unit milliseconds */
const MUTATION_MS = 20;

/** Names the worker process in each response. */
const HOOK = "export default { onResponse: () => ({ headers: { 'x-worker-pid': String(process.pid) } }) };";

/** Sends more requests than a budget admits, and concurrent retries with idempotency keys, to two workers. Counts what they execute. */
export async function countAcrossWorkers({ directory, supergraphOf }: CountOptions): Promise<readonly Count[]> {
  await using subgraph = await startCountingSubgraph();
  const supergraphFile = join(directory, 'counting.graphql');
  await writeFile(supergraphFile, supergraphOf(subgraph.url));
  await writeFile(join(directory, 'hook.mjs'), HOOK);
  await using gateways = await startGateways({ directory, supergraphFile, settings: SETTINGS, gateways: 1, workers: 2 });
  const [port = 0] = gateways.ports;
  const client = createClient(port);
  const budget = await countBudget(client);
  const keys = await countKeys(client);
  await client.close();
  const executions = [...subgraph.executions.values()];
  const sum = executions.reduce((total, count) => total + count, 0);
  return [
    toCount('requests that a budget admits', { expected: ADMITTED, counted: budget.admitted, sent: REQUESTS, workers: budget.workers }),
    toCount('executions of mutations with a key', { expected: KEYS, counted: sum, sent: keys.sent, workers: keys.workers }),
    toCount('keys that were executed once', {
      expected: KEYS,
      counted: executions.filter((count) => count === 1).length,
      sent: keys.sent,
      workers: keys.workers,
    }),
  ];
}

const SETTINGS = {
  profile: 'dev',
  auth: { developmentKey: DEVELOPMENT_KEY },
  hooks: { modules: ['./hook.mjs'] },
  logging: { level: 'error' },
  server: { shutdown: { lameDuckMs: 0 } },
  budget: {
    mode: 'enforce',
    weights: { query: POINTS },
    anonymous: { mode: 'enforce', capacity: ADMITTED * POINTS + POINTS / 2, refillPerSecond: 1 },
    signedIn: { capacity: 1_000_000 },
  },
};

interface Client {
  /** Sends a GraphQL request. */
  send(query: string, headers?: Readonly<Record<string, string>>): Promise<{ readonly status: number; readonly worker: string }>;
  close(): Promise<void>;
}

function createClient(port: number): Client {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS, pipelining: 1 });
  return {
    async send(query, headers = {}) {
      const sent = { 'content-type': 'application/json', ...headers };
      const response = await pool.request({ path: '/graphql', method: 'POST', headers: sent, body: JSON.stringify({ query }) });
      await response.body.dump();
      return { status: response.statusCode, worker: String(response.headers['x-worker-pid']) };
    },
    close: () => pool.close(),
  };
}

async function countBudget({ send }: Client) {
  const responses = await Promise.all(Array.from({ length: REQUESTS }, async () => send('{ item { id } }')));
  const admitted = responses.filter(({ status }) => status === 200);
  const other = responses.find(({ status }) => status !== 200 && status !== 429);
  if (other !== undefined) throw new Error(`A request whose budget may be used up was responded to with ${other.status}.`);
  return { admitted: admitted.length, workers: new Set(admitted.map(({ worker }) => worker)).size };
}

/** Each request is repeated until it succeeds, as a client does that has received no response. */
async function countKeys({ send }: Client) {
  const authorization = `Bearer ${signToken({ sub: 'buyer' }, { key: DEVELOPMENT_KEY })}`;
  const workers = new Set<string>();
  let sent = 0;
  const repeat = async (key: string): Promise<void> => {
    for (let status = 0; status !== 200; ) {
      sent += 1;
      const response = await send(`mutation { buy(id: "${key}") { id } }`, { authorization, 'idempotency-key': `"${key}"` });
      ({ status } = response);
      workers.add(response.worker);
      if (status !== 200 && status !== 409) throw new Error(`A mutation with a key was responded to with ${status}.`);
    }
  };
  const retries = Array.from({ length: KEYS * RETRIES }, (_, index) => `key-${index % KEYS}`);
  await Promise.all(retries.map(repeat));
  return { sent, workers: workers.size };
}

/** Starts a subgraph that counts its mutations by key. Each takes a moment, so that retries arrive meanwhile. */
async function startCountingSubgraph() {
  const executions = new Map<string, number>();
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const key = /key-\d+/.exec(body)?.[0];
      if (key !== undefined) {
        executions.set(key, (executions.get(key) ?? 0) + 1);
        await wait(MUTATION_MS);
      }
      const data = key === undefined ? { item: { id: '1' } } : { buy: { id: key } };
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    executions: executions as ReadonlyMap<string, number>,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

interface Counted {
  readonly expected: number;
  readonly counted: number;
  readonly sent: number;
  /** Number of workers that served these requests. */
  readonly workers: number;
}

function toCount(count: string, { expected, counted, sent, workers }: Counted): Count {
  return { row: { count, counted, expected, requests: sent, workers }, isMissed: counted !== expected || workers !== 2 };
}
