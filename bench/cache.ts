/**
 * Compares the CPU time of a GET by the hash of a persisted query, of a REST read, and of their 304s, with a node:http server that always
 * sends the same bytes. The response has 2 KB and is served from the response cache. Ends with exit code 1 when a goal is missed.
 *
 * Duration: about 2 minutes
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, request } from 'undici';
import { composeSubgraphs } from '../gateway/supergraph/compose-subgraphs.ts';
import { canPin, leaveGatewayCore } from './process/cores.ts';
import { readUsage } from './process/process-tree.ts';
import { type RunningTarget, startTarget } from './process/running-target.ts';
import { benchRoot } from './targets/paths.ts';
import type { Target } from './targets/target.ts';

const CONNECTIONS = 8;
const ROUNDS = 9;
const WARM_UP_MS = 2_000;
/**
 * Duration of each server in a round. It is short, so that changes in the load of the machine affect all servers equally.
 *
 * @unit milliseconds
 */
const DURATION_MS = 700;
/** Time for connecting the clients. @unit milliseconds */
const SETTLE_MS = 100;
/** Maximum cost of a response, as a multiple of a node:http response. A 304 must not cost more than the 200. */
const GOALS = { quiet: 1.15, whole: 1.15 } as const;

const TEXT = 'All that is gold does not glitter. '.repeat(57);
const QUERY = '{ page { text } }';
const DOCUMENTS = [{ path: 'page.graphql', text: 'query GetPage @endpoint(method: GET, path: "/page") { page @result { text } }' }];

const SDL = `
  extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@composeDirective"])
    @link(url: "https://gatefold.dev/cache/v1.0", import: ["@cacheControl"])
    @composeDirective(name: "@cacheControl")
  enum CacheControlScope { PUBLIC PRIVATE }
  directive @cacheControl(maxAge: Int, scope: CacheControlScope) on FIELD_DEFINITION | OBJECT
  type Query { page: Page @cacheControl(maxAge: 3600, scope: PUBLIC) }
  type Page { text: String }`;

function supergraphOf(sdl: string): string {
  const composed = composeSubgraphs([{ name: 'pages', url: 'http://127.0.0.1:9/graphql', files: [{ path: 'pages.graphql', text: sdl }] }]);
  if ('errors' in composed) throw new Error(composed.errors.map(({ message }) => message).join('\n'));
  return composed.supergraphSdl;
}

const supergraph = supergraphOf(SDL);

const server = (name: string, file: string, options: object): Target => ({
  name: name as Target['name'],
  about: file,
  launch: ({ port }) => ({ command: [process.execPath, join(benchRoot, 'servers', file), JSON.stringify({ port, ...options })] }),
});

/** The budget of callers is counted in both configurations, as it is by default, but is never exhausted. */
const gatewayWith = (name: string, config: object): Target => {
  const anonymous = { capacity: 1_000_000_000_000, refillPerSecond: 1_000_000_000 };
  return server(name, 'cached-page.js', { supergraph, text: TEXT, documents: DOCUMENTS, config: { ...config, budget: { anonymous } } });
};

const quiet = gatewayWith('gatefold, quiet', { logging: { level: 'silent' } });
const whole = gatewayWith('gatefold', {});

const PERSISTED = { persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(QUERY).digest('hex') } };

/** A resource that clients read. */
interface Read {
  readonly name: string;
  readonly path: string;
  readonly body: string;
  /** Server that sends the same bytes. */
  readonly bare: Target;
}

function readOf(name: string, path: string, content: object): Read {
  const body = JSON.stringify(content);
  return { name, path, body, bare: server('node:http', 'constant.js', { body }) };
}

const READS: readonly Read[] = [
  readOf('persisted', `/graphql?extensions=${encodeURIComponent(JSON.stringify(PERSISTED))}`, { data: { page: { text: TEXT } } }),
  readOf('REST', '/page', { text: TEXT }),
];

interface Load {
  readonly read: Read;
  readonly target: Target;
  readonly isConditional: boolean;
}

const LOADS: readonly Load[] = READS.flatMap((read) => [
  { read, target: read.bare, isConditional: false },
  { read, target: quiet, isConditional: false },
  { read, target: quiet, isConditional: true },
  { read, target: whole, isConditional: false },
  { read, target: whole, isConditional: true },
]);

/** A running target and the requests that clients send to it. */
interface RunningLoad extends Load {
  readonly running: RunningTarget;
  readonly headers: Record<string, string>;
  readonly samples: number[];
}

/** Starts a target and registers the persisted query if the target supports it. */
async function open(load: Load, directory: string): Promise<RunningLoad> {
  const { path, body } = load.read;
  const context = { directory, supergraphFile: '', subgraphs: {}, subgraphSdlFiles: {}, wholeUrl: '', responsesFile: '', gatefold: '' };
  const isThere = async (url: string): Promise<boolean> => {
    try {
      const registered = JSON.stringify({ query: QUERY, extensions: PERSISTED });
      const headers = { 'content-type': 'application/json' };
      const { body: response } = await request(new URL('/graphql', url), { method: 'POST', headers, body: registered, reset: true });
      await response.dump();
      return (await readPage(url)).text === body;
    } catch {
      return false;
    }
  };
  const running = await startTarget({ ...load.target, path }, context, isThere);
  const { etag } = await readPage(running.origin + path);
  const headers = { accept: 'application/json', ...(load.isConditional ? { 'if-none-match': String(etag) } : undefined) };
  return { ...load, running, headers, samples: [] };
}

/** Measures the CPU time of one process per response. @unit microseconds */
async function measure({ running, read: { path }, headers, isConditional }: RunningLoad, durationMs: number): Promise<number> {
  const load = startClients({ origin: running.origin, path, headers }, isConditional ? 304 : 200);
  await wait(SETTLE_MS);
  const [before, begun] = [readUsage(running.pid), load.completed()];
  await wait(durationMs);
  const [after, ended] = [readUsage(running.pid), load.completed()];
  await load.stop();
  return ((after.cpuMs - before.cpuMs) * 1_000) / (ended - begun);
}

async function readPage(url: string): Promise<{ readonly text: string; readonly etag: unknown }> {
  const { body, headers } = await request(url, { reset: true });
  return { text: await body.text(), etag: headers['etag'] };
}

interface Sent {
  readonly origin: string;
  readonly path: string;
  readonly headers: Record<string, string>;
}

/** Starts clients that send the next request after each response. @throws Error from `stop` when a response had another status */
function startClients({ origin, path, headers }: Sent, status: number) {
  let completed = 0;
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    await using client = new DisposableClient(origin);
    while (!stopping.signal.aborted) {
      const { statusCode, body } = await client.request({ path, method: 'GET', headers });
      await body.dump();
      if (statusCode !== status) throw new Error(`Expected status ${status}, received ${statusCode}.`);
      completed += 1;
    }
  };
  const running = Promise.all(Array.from({ length: CONNECTIONS }, run));
  return {
    completed: () => completed,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

class DisposableClient extends Client {
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

leaveGatewayCore();
if (!canPin) console.warn('Processes cannot be pinned to separate cores on this machine. The figures are imprecise.');
const directory = mkdtempSync(join(tmpdir(), 'gatefold-bench-'));
const opened: RunningLoad[] = [];
try {
  for (const load of LOADS) {
    const running = await open(load, directory);
    opened.push(running);
    await measure(running, WARM_UP_MS);
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const load of opened) load.samples.push(await measure(load, DURATION_MS));
  }
  let isMissed = false;
  const rows = opened.map(({ read, target, isConditional, samples }) => {
    const samplesOf = (compared: Target): readonly number[] =>
      opened.find((other) => other.read === read && other.target === compared && !other.isConditional)?.samples ?? [];
    const times = inTimesOf(samples, samplesOf(read.bare));
    const most = target === quiet ? GOALS.quiet : target === whole ? GOALS.whole : undefined;
    const ofFull = inTimesOf(samples, samplesOf(target));
    isMissed ||= (most !== undefined && times > most) || (isConditional && ofFull > 1);
    return {
      read: read.name,
      server: target.name,
      response: isConditional ? '304' : '200, 2 KB',
      'CPU µs': round(median(samples)),
      'times node:http': round(times),
      goal: most,
      'times its 200': isConditional ? round(ofFull) : undefined,
    };
  });
  console.table(rows);
  if (isMissed) process.exitCode = 1;
} finally {
  for (const { running } of opened) await running[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true });
}

/** Returns the median ratio. Samples are compared within each round, because the speed of the machine changes between rounds. */
function inTimesOf(samples: readonly number[], others: readonly number[]): number {
  return median(samples.map((sample, index) => sample / (others[index] ?? Number.NaN)));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
