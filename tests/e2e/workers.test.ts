import { EventEmitter, once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request as startRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEVELOPMENT_KEY, librarySupergraph } from '../fixtures/library-graph.ts';
import { freePort } from '../support/http/free-port.ts';
import { signToken } from '../support/identity/tokens.ts';
import { childrenOf, type CliProcess, isRunning, requireBuild, startCli } from '../support/process/built-cli.ts';
import { eventually } from '../support/time/eventually.ts';

const SLOW = 120_000;
const MAINTENANCE_KEY = 'a key that only this test knows, for maintenance';
/** Kills each worker process before it loads the modules of the gateway. */
const CRASH_OF_WORKERS = "if (process.send !== undefined) process.kill(process.pid, 'SIGKILL');";
/** Names the worker process in each response. */
const HOOK = "export default { onResponse: () => ({ headers: { 'x-worker-pid': String(process.pid) } }) };";

let directory: string;
beforeAll(async () => {
  await requireBuild();
  directory = await mkdtemp(join(tmpdir(), 'gatefold-workers-'));
}, SLOW);
afterAll(async () => rm(directory, { recursive: true, force: true }));

/** Subgraph that counts the mutations that it executes. Each runs until the test releases them. */
async function startCountingSubgraph() {
  let mutations = 0;
  const released = new EventEmitter();
  let isReleased = false;
  const book = { __typename: 'Book', id: '1', title: 'Momo' };
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const isMutation = body.includes('mutation');
      if (isMutation) {
        mutations += 1;
        if (!isReleased) await once(released, 'released');
      }
      const data = isMutation ? { renameBook: book } : { book };
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    mutations: () => mutations,
    release() {
      isReleased = true;
      released.emit('released');
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

interface WorkerResponse {
  readonly status: number;
  readonly pid: number;
  readonly body: string;
  readonly rateLimit: string;
}

/** Sends a request on a new connection, which is the unit that is balanced. */
async function send(url: string, headers: Readonly<Record<string, string>> = {}, body?: string): Promise<WorkerResponse> {
  const sent = startRequest(url, { agent: false, method: body === undefined ? 'GET' : 'POST', headers });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { 'x-worker-pid': pid, ratelimit } = response.headers;
  return { status: response.statusCode ?? 0, pid: Number(pid), body: await text(response), rateLimit: String(ratelimit) };
}

interface Running extends AsyncDisposable {
  readonly gatefold: CliProcess;
  /** Working directory, with the configuration. */
  readonly cwd: string;
  readonly url: string;
  readonly internalUrl: string;
  readonly mutations: () => number;
  /** Lets all mutations end. */
  readonly releaseMutations: () => void;
  readonly query: () => Promise<WorkerResponse>;
  /** Numbers of the workers that are ready. */
  readonly ready: () => Promise<readonly number[]>;
  /** Process ids of the workers. */
  readonly pids: () => Promise<readonly number[]>;
}

async function serve(config: object = {}, env: Readonly<Record<string, string>> = {}): Promise<Running> {
  const subgraph = await startCountingSubgraph();
  const port = await freePort(2);
  const cwd = await mkdtemp(join(directory, 'serve-'));
  await writeFile(join(cwd, 'supergraph.graphql'), librarySupergraph(subgraph.url));
  await writeFile(join(cwd, 'hook.mjs'), HOOK);
  const settings = {
    hooks: { modules: ['./hook.mjs'] },
    server: { shutdown: { lameDuckMs: 300 } },
    maintenance: { key: MAINTENANCE_KEY },
    telemetry: { metrics: { prometheus: true } },
    ...config,
  };
  await writeFile(join(cwd, 'gatefold.yaml'), JSON.stringify(settings));
  const options = ['--supergraph', 'supergraph.graphql', '--port', String(port), '--internal-port', String(port + 1)];
  const gatefold = startCli(['serve', '--workers', '2', ...options], { cwd, env });
  await gatefold.waitFor(/Gatefold serves/);
  const [url, internalUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${port + 1}`];
  return {
    gatefold,
    cwd,
    url,
    internalUrl,
    mutations: subgraph.mutations,
    releaseMutations: subgraph.release,
    query: async () => send(`${url}/graphql?query={book(id:1){title}}`, { 'apollo-require-preflight': '1' }),
    async ready() {
      const { workers } = JSON.parse((await send(`${internalUrl}/health/ready`)).body) as { workers: { worker: number; status: string }[] };
      return workers.filter(({ status }) => status === 'ok').map(({ worker }) => worker);
    },
    pids: async () => childrenOf(gatefold.pid),
    async [Symbol.asyncDispose]() {
      await gatefold[Symbol.asyncDispose]();
      await subgraph[Symbol.asyncDispose]();
    },
  };
}

/** Sends queries one after another until it is stopped. Returns their statuses, and errors of the connection. */
function keepQuerying({ query }: Running) {
  const stopped = new AbortController();
  const results: unknown[] = [];
  const done = (async () => {
    while (!stopped.signal.aborted) {
      results.push(
        await query().then(
          ({ status }) => status,
          (error: unknown) => String(error),
        ),
      );
    }
    return results;
  })();
  return {
    count: () => results.length,
    async stop() {
      stopped.abort();
      return done;
    },
  };
}

describe('gatefold serve with an unusable number of workers', () => {
  it.each(['0', '1.5', 'many', '1000'])('explains the values of --workers (%s)', async (value) => {
    const gatefold = startCli(['serve', '--workers', value], { cwd: directory });
    expect(await gatefold.exit).toEqual({ code: 2, signal: null });
    expect(gatefold.output()).toContain('Use a whole number from 1 to 256, or auto.');
  });

  it('exits with the reason, printed once, when workers cannot start', async () => {
    const port = await freePort(2);
    const cwd = await mkdtemp(join(directory, 'serve-'));
    await writeFile(join(cwd, 'supergraph.graphql'), 'type Query { notASupergraph: Int }');
    const options = ['--supergraph', 'supergraph.graphql', '--port', String(port), '--internal-port', String(port + 1)];
    const gatefold = startCli(['serve', '--workers', '2', ...options], { cwd });
    expect(await gatefold.exit).toEqual({ code: 1, signal: null });
    expect(gatefold.output()).toMatch(/first worker process ended before it served, with exit code 1/);
    expect(gatefold.output().match(/The supergraph cannot be served/g)).toHaveLength(1);
  });

  it(
    'exits with the reason when each worker crashes at its start',
    async () => {
      const port = await freePort(2);
      const cwd = await mkdtemp(join(directory, 'serve-'));
      await writeFile(join(cwd, 'supergraph.graphql'), librarySupergraph('http://127.0.0.1:9/'));
      await writeFile(join(cwd, 'crash.cjs'), CRASH_OF_WORKERS);
      const options = ['--supergraph', 'supergraph.graphql', '--port', String(port), '--internal-port', String(port + 1)];
      const gatefold = startCli(['serve', '--workers', '2', ...options], { cwd, env: { NODE_OPTIONS: '--require ./crash.cjs' } });
      expect(await gatefold.exit).toEqual({ code: 1, signal: null });
      expect(gatefold.output()).toContain('5 worker processes in a row ended before they served, the last one by the signal SIGKILL');
      expect(gatefold.output()).not.toContain('Gatefold serves');
    },
    SLOW,
  );
});

describe('gatefold serve --workers 2', () => {
  let running: Running;
  beforeAll(async () => {
    running = await serve({ profile: 'dev', auth: { developmentKey: DEVELOPMENT_KEY } });
  }, SLOW);
  afterAll(async () => running[Symbol.asyncDispose]());

  it(
    'serves requests with both workers, and adds their metrics',
    async () => {
      const responses = await Promise.all(Array.from({ length: 10 }, async () => running.query()));
      expect(new Set(responses.map(({ pid }) => pid))).toEqual(new Set(await running.pids()));
      const { status, body } = await send(`${running.internalUrl}/metrics`);
      expect(status).toBe(200);
      expect(body).toMatch(/^http_server_request_duration_seconds_count\{.*http_route="\/graphql".*\} 10$/m);
      expect(body).toMatch(/^nodejs_eventloop_utilization_ratio\{worker="1"\} /m);
      expect(body).toMatch(/^nodejs_eventloop_utilization_ratio\{worker="2"\} /m);
      expect(body).toContain('\ngatefold_workers 2\n');
    },
    SLOW,
  );

  it(
    'does not replace its workers at SIGHUP while the configuration is invalid',
    async () => {
      const before = await running.pids();
      const file = join(running.cwd, 'gatefold.yaml');
      const valid = await readFile(file);
      await writeFile(file, JSON.stringify({ server: { drainTimeoutMs: 'long' } }));
      running.gatefold.signal('SIGHUP');
      await running.gatefold.waitFor(/The workers are not restarted and continue with the previous one/);
      expect(running.gatefold.output()).toContain('server.drainTimeoutMs');
      expect(await running.pids()).toEqual(before);
      expect((await running.query()).status).toBe(200);
      await writeFile(file, valid);
    },
    SLOW,
  );

  it(
    'executes a request with one idempotency key once across its workers',
    async () => {
      const body = JSON.stringify({ query: 'mutation { renameBook(id: 1, title: "Momo") { title } }' });
      const authorization = `Bearer ${signToken({ sub: 'alice' }, { key: DEVELOPMENT_KEY })}`;
      const headers = { 'content-type': 'application/json', 'idempotency-key': '"one-key"', authorization };
      let rejected = 0;
      const first = Array.from({ length: 10 }, async () => {
        const response = await send(`${running.url}/graphql`, headers, body);
        if (response.status !== 200) rejected += 1;
        return response;
      });
      await eventually(() => rejected === 9);
      running.releaseMutations();
      expect((await Promise.all(first)).filter(({ status }) => status === 200)).toHaveLength(1);
      const later = await Promise.all(Array.from({ length: 10 }, async () => send(`${running.url}/graphql`, headers, body)));
      expect(new Set(later.map((response) => response.body)).size).toBe(1);
      expect(new Set(later.map(({ status }) => status))).toEqual(new Set([200]));
      expect(running.mutations()).toBe(1);
    },
    SLOW,
  );

  it(
    'restarts its workers at SIGHUP without a failed request',
    async () => {
      const before = await running.pids();
      const querying = keepQuerying(running);
      running.gatefold.signal('SIGHUP');
      await running.gatefold.waitFor(/All workers have been restarted/);
      expect(new Set(await querying.stop())).toEqual(new Set([200]));
      const after = await running.pids();
      expect(after).toHaveLength(2);
      expect(after.filter((pid) => before.includes(pid))).toEqual([]);
    },
    SLOW,
  );

  it(
    'replaces a worker that was killed, and fails no later request',
    async () => {
      const [victim = 0] = await running.pids();
      process.kill(victim, 'SIGKILL');
      await running.gatefold.waitFor(/A worker ended unexpectedly/);
      const querying = keepQuerying(running);
      await eventually(async () => (await running.ready()).length === 2);
      const before = querying.count();
      await eventually(() => querying.count() > before + 10);
      expect(new Set(await querying.stop())).toEqual(new Set([200]));
      const pids = await running.pids();
      expect(pids).toHaveLength(2);
      expect(pids).not.toContain(victim);
    },
    SLOW,
  );

  it(
    'switches maintenance in all workers, also in one that is started later',
    async () => {
      const statuses = async () => {
        const responses = await Promise.all(Array.from({ length: 6 }, async () => running.query()));
        return [...new Set(responses.map(({ status }) => status))];
      };
      const change = async (method: string) => {
        const response = await fetch(`${running.internalUrl}/maintenance`, {
          method,
          headers: { authorization: `Bearer ${MAINTENANCE_KEY}` },
        });
        return response.status;
      };
      expect(await change('PUT')).toBe(200);
      expect(await statuses()).toEqual([503]);
      const [victim = 0] = await running.pids();
      process.kill(victim, 'SIGKILL');
      await eventually(async () => !(await running.pids()).includes(victim));
      await eventually(async () => (await running.ready()).length === 2);
      expect(await statuses()).toEqual([503]);
      expect(await change('DELETE')).toBe(200);
      expect(await statuses()).toEqual([200]);
    },
    SLOW,
  );
});

describe('gatefold serve --workers 2 that ends or has a budget', () => {
  it(
    'finishes requests at SIGTERM, exits with 0 and leaves no process',
    async () => {
      await using running = await serve();
      const pids = await running.pids();
      const { gatefold, url, internalUrl } = running;
      const body = JSON.stringify({ query: 'mutation { renameBook(id: 1, title: "Momo") { title } }' });
      const pending = send(`${url}/graphql`, { 'content-type': 'application/json' }, body);
      await eventually(() => running.mutations() === 1);
      gatefold.signal('SIGTERM');
      await eventually(async () => (await send(`${internalUrl}/health/ready`)).status === 503);
      running.releaseMutations();
      expect((await pending).status).toBe(200);
      expect(await gatefold.exit).toEqual({ code: 0, signal: null });
      for (const pid of pids) expect(await isRunning(pid)).toBe(false);
    },
    SLOW,
  );

  it(
    'ends at once at a second signal, and so do its workers',
    async () => {
      await using running = await serve({ server: { shutdown: { lameDuckMs: 60_000 } } });
      const pids = await running.pids();
      running.gatefold.signal('SIGTERM');
      await eventually(async () => (await send(`${running.internalUrl}/health/ready`)).status === 503);
      await sleep(400); // Signals within 300 ms are the same key press.
      running.gatefold.signal('SIGTERM');
      expect(await running.gatefold.exit).toEqual({ code: 143, signal: null });
      await eventually(async () => (await Promise.all(pids.map(isRunning))).every((isAlive) => !isAlive));
    },
    SLOW,
  );

  it(
    'ends its workers when the primary process is killed',
    async () => {
      await using running = await serve();
      const pids = await running.pids();
      running.gatefold.signal('SIGKILL');
      await eventually(async () => (await Promise.all(pids.map(isRunning))).every((isAlive) => !isAlive));
    },
    SLOW,
  );

  it(
    'spends a budget exactly across its workers',
    async () => {
      const capacity = 30;
      await using running = await serve({
        budget: { mode: 'enforce', headers: true, anonymous: { mode: 'enforce', capacity, refillPerSecond: 1 } },
        limits: { modes: { cost: 'enforce' } },
      });
      const startedAt = performance.now();
      const first = await running.query();
      const cost = capacity - Number(/r=(\d+)/.exec(first.rateLimit)?.[1]);
      expect(cost).toBeGreaterThan(0);
      const responses = await Promise.all(Array.from({ length: 99 }, async () => running.query()));
      const refilled = Math.ceil((performance.now() - startedAt) / 1_000);
      const granted = [first, ...responses].filter(({ status }) => status === 200);
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 429]));
      // A slow worker may receive no points, but both workers must take them from the same budget.
      expect(new Set(responses.map(({ pid }) => pid))).toEqual(new Set(await running.pids()));
      expect(granted.length).toBeGreaterThanOrEqual(Math.floor(capacity / cost));
      expect(granted.length).toBeLessThanOrEqual(Math.floor((capacity + refilled) / cost));
    },
    SLOW,
  );
});
