import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/http/free-port.ts';
import { type CliProcess, childrenOf, isRunning, requireBuild, startCli } from '../support/process/built-cli.ts';
import { eventually } from '../support/time/eventually.ts';
import { type SmallGraph, startSmallGraph } from '../integration/reload/small-graph.ts';

const READY = /Gatefold serves/;
const KEY = 'a key that only operators of the gateway know';

let directory: string;
let graph: SmallGraph;

beforeAll(async () => {
  await requireBuild();
  directory = await mkdtemp(join(tmpdir(), 'gatefold-workers-'));
  graph = await startSmallGraph();
  await writeFile(join(directory, 'supergraph.graphql'), graph.supergraphOf(1));
}, 240_000);
afterAll(async () => {
  await graph[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

async function serve(env: Readonly<Record<string, string>> = {}, args: readonly string[] = []) {
  const port = await freePort(2);
  const gatefold = startCli(['serve', '--workers', '2', '--supergraph', 'supergraph.graphql', ...args], {
    cwd: directory,
    env: { PORT: String(port), GATEFOLD_MAINTENANCE__KEY: KEY, ...env },
  });
  return { gatefold, url: `http://127.0.0.1:${port}`, internalUrl: `http://127.0.0.1:${port + 1}` };
}

/** Sends a query on a new connection, so that the workers receive the requests in turn. */
async function query(url: string, text = '{ me { id } }'): Promise<Response> {
  return fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ query: text }),
  });
}

async function workersOf(gatefold: CliProcess): Promise<readonly number[]> {
  return childrenOf(gatefold.pid);
}

describe('two workers', () => {
  it('end with the code of the first one when it cannot serve, and print the reason once', async () => {
    await writeFile(join(directory, 'broken.graphql'), 'type Query { broken: Missing }');
    const { gatefold } = await serve({}, ['--supergraph', 'broken.graphql']);
    await using running = gatefold;
    expect((await running.exit).code).toBe(1);
    expect(running.output().match(/is a plain GraphQL schema/g)).toHaveLength(1);
    expect(running.output()).toContain('The first worker process ended before serving');
  }, 60_000);

  it('share one budget exactly', async () => {
    const budget = { GATEFOLD_BUDGET__ANONYMOUS__MODE: 'enforce', GATEFOLD_BUDGET__ANONYMOUS__CAPACITY: '30' };
    const { gatefold, url } = await serve({ ...budget, GATEFOLD_BUDGET__ANONYMOUS__REFILL_PER_SECOND: '1' });
    await using running = gatefold;
    await running.waitFor(READY);
    const begin = performance.now();
    const statuses = await Promise.all(Array.from({ length: 80 }, async () => (await query(url)).status));
    const served = statuses.filter((status) => status === 200).length;
    const refilled = Math.ceil((performance.now() - begin) / 1_000);
    expect(served).toBeGreaterThanOrEqual(30);
    expect(served).toBeLessThanOrEqual(30 + refilled);
    expect(statuses.filter((status) => status === 429)).toHaveLength(80 - served);
  }, 60_000);

  it('replace a killed worker, restart in turn without a failed request, and end together', async () => {
    const { gatefold, url, internalUrl } = await serve();
    await using running = gatefold;
    await running.waitFor(READY);
    const switched = await fetch(`${internalUrl}/maintenance`, { method: 'PUT', headers: { authorization: `Bearer ${KEY}` } });
    expect(switched.status).toBe(200);
    expect(await Promise.all([1, 2, 3, 4].map(async () => (await query(url)).status))).toEqual([503, 503, 503, 503]);
    const before = await workersOf(running);
    process.kill(before[0] ?? 0, 'SIGKILL');
    await eventually(async () => (await workersOf(running)).length === 2 && !(await isRunning(before[0] ?? 0)));
    await eventually(async () => {
      const { workers } = (await (await fetch(`${internalUrl}/health`)).json()) as { workers: readonly { status: string }[] };
      return workers.length === 2 && workers.every(({ status }) => status === 'ok');
    });
    expect(await Promise.all([1, 2, 3, 4].map(async () => (await query(url)).status))).toEqual([503, 503, 503, 503]);
    await fetch(`${internalUrl}/maintenance`, { method: 'DELETE', headers: { authorization: `Bearer ${KEY}` } });
    running.signal('SIGHUP');
    const statuses = new Set<number>();
    while (!running.output().includes('All workers have been restarted.')) statuses.add((await query(url)).status);
    expect([...statuses]).toEqual([200]);
    const after = await workersOf(running);
    running.signal('SIGTERM');
    expect(await running.exit).toEqual({ code: 0, signal: null });
    expect(await Promise.all(after.map(isRunning))).toEqual([false, false]);
  }, 120_000);
});
