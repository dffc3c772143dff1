import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, request } from 'undici';
import { composeSubgraphs } from '../gateway/supergraph/compose-subgraphs.ts';
import { canPin, leaveGatewayCore } from './process/cores.ts';
import { readUsage } from './process/process-tree.ts';
import { startTarget } from './process/running-target.ts';
import { benchRoot } from './targets/paths.ts';
import type { Target } from './targets/target.ts';

// CPU time of a GET of 2 KB that is answered from the response cache, and of its 304, beside node:http that sends the same
// bytes. Ends with 1 when a goal is missed. Run: npm run bench:cache

const CONNECTIONS = 8;
const ROUNDS = 5;
const WARM_UP_MS = 1_500;
const DURATION_MS = 2_000;
/** Most that an answer may cost, in answers of node:http. */
const GOALS = { quiet: 1.6, whole: 2.2 } as const;

const TEXT = 'All that is gold does not glitter. '.repeat(57);
const QUERY = '{ page { text } }';
const BODY = JSON.stringify({ data: { page: { text: TEXT } } });

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

/** What callers may spend is counted in both, as it is by default, and is never used up. */
const gatewayWith = (name: string, config: object): Target => {
  const anonymous = { capacity: 1_000_000_000_000, refillPerSecond: 1_000_000_000 };
  return server(name, 'cached-page.js', { supergraph, text: TEXT, config: { ...config, budget: { anonymous } } });
};

const bare = server('node:http', 'constant.js', { body: BODY });
const quiet = gatewayWith('gatefold, quiet', { logging: { level: 'silent' } });
const whole = gatewayWith('gatefold', {});

interface Load {
  readonly target: Target;
  readonly isConditional: boolean;
}

const LOADS: readonly Load[] = [
  { target: bare, isConditional: false },
  { target: quiet, isConditional: false },
  { target: quiet, isConditional: true },
  { target: whole, isConditional: false },
  { target: whole, isConditional: true },
];

/** CPU time of one process for each answer. @unit microseconds */
async function measure({ target, isConditional }: Load, directory: string): Promise<number> {
  const path = `/graphql?query=${encodeURIComponent(QUERY)}`;
  const context = { directory, supergraphFile: '', subgraphs: {}, subgraphSdlFiles: {}, wholeUrl: '', answersFile: '', gatefold: '' };
  const isThere = async (url: string): Promise<boolean> => {
    try {
      return (await readPage(url)).text === BODY;
    } catch {
      return false;
    }
  };
  await using running = await startTarget({ ...target, path }, context, isThere);
  const { etag } = await readPage(running.origin + path);
  const condition = isConditional ? { 'if-none-match': String(etag) } : undefined;
  const load = startClients(
    { origin: running.origin, path, headers: { accept: 'application/json', ...condition } },
    isConditional ? 304 : 200,
  );
  await wait(WARM_UP_MS);
  const [before, begun] = [readUsage(running.pid), load.answered()];
  await wait(DURATION_MS);
  const [after, ended] = [readUsage(running.pid), load.answered()];
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

/** Clients that send their next request when the last one was answered. @throws Error at `stop` when one was answered otherwise */
function startClients({ origin, path, headers }: Sent, status: number) {
  let answered = 0;
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    await using client = new DisposableClient(origin);
    while (!stopping.signal.aborted) {
      const { statusCode, body } = await client.request({ path, method: 'GET', headers });
      await body.dump();
      if (statusCode !== status) throw new Error(`Answered with ${statusCode} in place of ${status}.`);
      answered += 1;
    }
  };
  const running = Promise.all(Array.from({ length: CONNECTIONS }, run));
  return {
    answered: () => answered,
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
if (!canPin) console.warn('Processes cannot be kept on cores of their own here: figures will be rough.');
const directory = mkdtempSync(join(tmpdir(), 'gatefold-bench-'));
try {
  const samples = new Map<Load, number[]>(LOADS.map((load) => [load, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [load, values] of samples) values.push(await measure(load, directory));
  }
  const [[, floor] = []] = [...samples];
  const rows = [...samples].map(([{ target, isConditional }, values]) => {
    const micros = median(values);
    const times = micros / median(floor ?? []);
    const goal = target === quiet ? GOALS.quiet : target === whole ? GOALS.whole : undefined;
    return {
      server: target.name,
      answer: isConditional ? '304' : '200, 2 KB',
      'CPU µs': round(micros),
      'times node:http': round(times),
      goal,
    };
  });
  console.table(rows);
  if (rows.some((row) => row.goal !== undefined && row['times node:http'] > row.goal)) process.exitCode = 1;
} finally {
  rmSync(directory, { recursive: true });
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
