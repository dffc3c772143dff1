import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { requireBuild } from '../support/process/built-cli.ts';
import { eventually } from '../support/time/eventually.ts';
import { type EventSubgraph, startEventSubgraph } from '../support/workers/event-subgraph.ts';
import { sendToWorker, type ServedWorkers, serveWorkers } from '../support/workers/served-workers.ts';

const SLOW = 120_000;
/** Name in the certificate of the tests. */
const TLS_NAME = 'stock.test';
const certificate = (name: string): string =>
  fileURLToPath(new URL(`../unit/gateway/subgraph-client/certificates/${name}.pem`, import.meta.url));

beforeAll(requireBuild, SLOW);

const query = async ({ url }: ServedWorkers, ca?: string) =>
  sendToWorker(`${url}/graphql?query={note{text}}`, {
    headers: { 'apollo-require-preflight': '1' },
    ...(ca === undefined ? {} : { ca }),
  });

/** A WebSocket client that reconnects at once, and stores the events of its subscription. */
function subscribe(url: string) {
  const events: string[] = [];
  let connections = 0;
  const client: Client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    lazy: false,
    shouldRetry: () => true,
    retryAttempts: 1_000,
    retryWait: async () => sleep(50),
    on: { connected: () => (connections += 1) },
  });
  const failed: unknown[] = [];
  client.subscribe<{ readonly signed: { readonly text: string } }>(
    { query: 'subscription { signed { text } }' },
    {
      next: ({ data }) => void events.push(data?.signed.text ?? ''),
      error: (error) => void failed.push(error),
      complete: () => {},
    },
  );
  return { events, failed, connections: () => connections, [Symbol.asyncDispose]: async () => client.dispose() };
}

/** Publishes events until all clients have received one of them. */
async function untilReceived(subgraph: EventSubgraph, clients: readonly ReturnType<typeof subscribe>[], text: string): Promise<void> {
  await eventually(
    () => {
      subgraph.publish(text);
      return clients.every(({ events }) => events.includes(text));
    },
    { everyMs: 20 },
  );
}

describe('gatefold serve --workers auto', () => {
  it(
    'starts as many workers as the machine can run in parallel',
    async () => {
      await using subgraph = await startEventSubgraph();
      await using workers = await serveWorkers({ supergraph: subgraph.supergraph, workers: 'auto' });
      // On a machine with one core, one process serves everything.
      expect(await workers.pids()).toHaveLength(availableParallelism() === 1 ? 0 : availableParallelism());
      expect((await query(workers)).status).toBe(200);
    },
    SLOW,
  );
});

describe('gatefold serve --workers 2 with TLS', () => {
  it(
    'exits with the reason when the certificate cannot be read',
    async () => {
      await using subgraph = await startEventSubgraph();
      const tls = { certificateFile: '/does/not/exist.pem', keyFile: certificate('server-key') };
      const started = serveWorkers({ supergraph: subgraph.supergraph, config: { server: { tls } }, scheme: 'https' });
      await expect(started).rejects.toThrow('/does/not/exist.pem');
    },
    SLOW,
  );

  it(
    'serves HTTPS with both workers, resumes sessions, and serves no plain HTTP',
    async () => {
      await using subgraph = await startEventSubgraph();
      const tls = { certificateFile: certificate('server'), keyFile: certificate('server-key') };
      await using workers = await serveWorkers({ supergraph: subgraph.supergraph, config: { server: { tls } }, scheme: 'https' });
      const ca = await readFile(certificate('ca'), 'utf8');
      const responses = await Promise.all(Array.from({ length: 8 }, async () => query(workers, ca)));
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(responses.map(({ pid }) => pid))).toEqual(new Set(await workers.pids()));
      const plain = await sendToWorker(`${workers.url.replace('https', 'http')}/graphql`).then(
        ({ status }) => status,
        () => 'closed',
      );
      expect(plain).not.toBe(200);
      const port = Number(new URL(workers.url).port);
      const connect = async (session?: Buffer) => {
        const socket = connectTls({ port, host: '127.0.0.1', ca, servername: TLS_NAME, ...(session === undefined ? {} : { session }) });
        const received = once(socket, 'session');
        await once(socket, 'secureConnect');
        return { socket, received };
      };
      const first = await connect();
      const [session] = (await first.received) as [Buffer];
      const later = await Promise.all(Array.from({ length: 4 }, async () => connect(session)));
      expect(later.map(({ socket }) => socket.authorized)).toEqual([true, true, true, true]);
      expect(later.some(({ socket }) => socket.isSessionReused())).toBe(true);
      for (const { socket } of [first, ...later]) socket.destroy();
    },
    SLOW,
  );
});

describe('subscriptions over WebSocket at gatefold serve --workers 2', () => {
  let subgraph: EventSubgraph;
  let workers: ServedWorkers;
  beforeAll(async () => {
    subgraph = await startEventSubgraph();
    workers = await serveWorkers({ supergraph: subgraph.supergraph });
  }, SLOW);
  afterAll(async () => {
    await workers[Symbol.asyncDispose]();
    await subgraph[Symbol.asyncDispose]();
  });

  it(
    'are spread over the workers, and survive the restart of each',
    async () => {
      await using clients = subscribeMany(workers.url, 4);
      await untilReceived(subgraph, clients.all, 'before');
      // Clients of one worker share the stream of the subgraph.
      expect(subgraph.subscriptions()).toBe(2);
      const before = await workers.pids();
      workers.gatefold.signal('SIGHUP');
      await workers.gatefold.waitFor(/All workers have been restarted/);
      await untilReceived(subgraph, clients.all, 'after the restart');
      expect((await workers.pids()).filter((pid) => before.includes(pid))).toEqual([]);
      expect(clients.all.flatMap(({ failed }) => failed)).toEqual([]);
    },
    SLOW,
  );

  it(
    'of a worker that is killed are opened again, the others are not interrupted',
    async () => {
      await using clients = subscribeMany(workers.url, 4);
      await untilReceived(subgraph, clients.all, 'before');
      const [victim = 0] = await workers.pids();
      process.kill(victim, 'SIGKILL');
      await eventually(() => clients.all.some(({ connections }) => connections() > 1));
      await untilReceived(subgraph, clients.all, 'after the crash');
      expect(clients.all.filter(({ connections }) => connections() === 1)).not.toEqual([]);
      expect(clients.all.flatMap(({ failed }) => failed)).toEqual([]);
    },
    SLOW,
  );
});

/** Opens clients. The primary hands their connections to the workers. */
function subscribeMany(url: string, count: number) {
  const all = Array.from({ length: count }, () => subscribe(url));
  return {
    all,
    async [Symbol.asyncDispose]() {
      for (const client of all) await client[Symbol.asyncDispose]();
    },
  };
}
