/**
 * Compares the CPU time of a REST read with the same operation by POST /graphql. One gateway with one subgraph serves both on node:http.
 * Also measures the additional cost of the read through Express, relative to an Express handler that sends an empty response.
 *
 * Duration: about 2 minutes
 *
 * The goal for Express is: REST through Express - REST on node:http <= 1.2 * empty handler through Express. It applies to the Express
 * router that the server of this project uses. An Express application costs more, because it changes the prototypes of each request and
 * response. The cost of the facade in an application and of an empty handler on node:http is shown without a goal. Ends with exit code 1
 * when a goal is missed.
 *
 * `npm run bench rest [-- --rounds 21 --gatefold ../other]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { graphql, parse } from 'graphql';
import { Client, request } from 'undici';
import { composeSubgraphs } from '../gateway/supergraph/compose-subgraphs.ts';
import { createReplay } from './graph/replay.ts';
import { canPin, leaveGatewayCore } from './process/cores.ts';
import { readUsage } from './process/process-tree.ts';
import { type RunningTarget, startTarget } from './process/running-target.ts';
import { benchRoot } from './targets/paths.ts';
import type { Target } from './targets/target.ts';

const { values: options } = parseArgs({ options: { rounds: { type: 'string' }, gatefold: { type: 'string' } } });
const ROUNDS = Number(options.rounds ?? 11);
/**
 * Number of clients, as in bench/federation.ts. With few clients, those of the more expensive endpoint become idle, and each write includes
 * the cost of waking them.
 */
const CONNECTIONS = 32;
const WARM_UP_MS = 3_000;
/**
 * Duration of each load in a round. It is short, so that changes in the load of the machine affect all loads equally.
 *
 * @unit milliseconds
 */
const DURATION_MS = 700;
/** Time for connecting the clients. @unit milliseconds */
const SETTLE_MS = 100;
/**
 * Maximum cost of a REST read as a multiple of POST /graphql, and maximum cost added by Express as a multiple of an empty Express handler.
 */
const GOALS = { read: 1.5, express: 1.2 } as const;
const PAGE_SIZE = 20;

const SDL = `
  type Query { book(id: ID!): Book books(first: Int!, offset: Int): BookConnection! }
  type BookConnection { nodes: [Book!]! totalCount: Int! pageInfo: PageInfo! }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  type Book { id: ID! title: String! author: String! price: Float! inStock: Boolean! }`;

const SELECTION = 'id title author price inStock';
const DOCUMENTS = `
  query GetBook($id: ID! @in(path: "book_id") @integer) @endpoint(method: GET, path: "/books/{book_id}") {
    book(id: $id) @result { ${SELECTION.replace('id', 'id @integer')} }
  }
  query ListBooks($size: Int! @page(role: SIZE), $offset: Int @page(role: OFFSET)) @endpoint(method: GET, path: "/books") {
    books(first: $size, offset: $offset) @result(shape: PAGE) {
      nodes { ${SELECTION.replace('id', 'id @integer')} } totalCount pageInfo { hasNextPage endCursor }
    }
  }`;

const READS = {
  'one resource': { path: '/books/7', query: `query GetBook($id: ID!) { book(id: $id) { ${SELECTION} } }`, variables: { id: '7' } },
  'a page of 20': {
    path: '/books',
    query: `query ListBooks($size: Int!, $offset: Int) {
      books(first: $size, offset: $offset) { nodes { ${SELECTION} } totalCount pageInfo { hasNextPage endCursor } }
    }`,
    variables: { size: PAGE_SIZE, offset: 0 },
  },
} as const;

type Read = keyof typeof READS;
type Transport =
  | 'POST /graphql'
  | 'REST on node:http'
  | 'REST through Express'
  | 'REST in an Express application'
  | 'empty on node:http'
  | 'empty through Express';

function book(id: string) {
  return { id, title: `The book of the number ${id}`, author: 'Somebody Else', price: 12.5, inStock: true };
}

const ROOT = {
  book: ({ id }: { readonly id: string }) => book(id),
  books: ({ first }: { readonly first: number }) => ({
    nodes: Array.from({ length: first }, (_none, index) => book(String(index))),
    totalCount: 1_000,
    pageInfo: { hasNextPage: true, endCursor: 'MjA' },
  }),
};

/**
 * Starts the subgraph in this process, which also runs the clients. It executes each request once and then returns the recorded response.
 */
async function startSubgraph() {
  const schema = buildSubgraphSchema(parse(SDL));
  const respond = createReplay(async (body) => {
    const { query, variables } = JSON.parse(body) as { readonly query: string; readonly variables?: Record<string, unknown> };
    return JSON.stringify(await graphql({ schema, source: query, rootValue: ROOT, variableValues: variables ?? {} }));
  });
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        void respond(Buffer.concat(chunks).toString()).then((text) =>
          response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text),
        );
      });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`, close: () => server.close() };
}

function supergraphOf(url: string): string {
  const composed = composeSubgraphs([{ name: 'books', url, files: [{ path: 'books.graphql', text: SDL }] }]);
  if ('errors' in composed) throw new Error(composed.errors.map(({ message }) => message).join('\n'));
  return composed.supergraphSdl;
}

const server = (name: string, file: string, settings: object): Target => ({
  name: name as Target['name'],
  about: file,
  launch: ({ port }) => ({ command: [process.execPath, join(benchRoot, 'servers', file), JSON.stringify({ port, ...settings })] }),
});

/** A request that clients send repeatedly. */
interface Load {
  readonly transport: Transport;
  readonly read: Read | undefined;
  readonly running: RunningTarget;
  readonly sent: {
    readonly path: string;
    readonly method: 'GET' | 'POST';
    readonly headers: Record<string, string>;
    readonly body?: string;
  };
  readonly status: number;
  /** @unit microseconds */
  readonly samples: number[];
}

function loadsOf(transports: RunningTarget, empty: RunningTarget): readonly Load[] {
  const get = (path: string) => ({ path, method: 'GET', headers: { accept: 'application/json' } }) as const;
  const ofReads = (Object.keys(READS) as Read[]).flatMap((read): readonly Load[] => {
    const { path, query, variables } = READS[read];
    const body = JSON.stringify({ query, variables });
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const common = { read, running: transports, status: 200 };
    return [
      { ...common, transport: 'POST /graphql', sent: { path: '/graphql', method: 'POST', headers, body }, samples: [] },
      { ...common, transport: 'REST on node:http', sent: get(`/bare${path}`), samples: [] },
      { ...common, transport: 'REST through Express', sent: get(path), samples: [] },
      { ...common, transport: 'REST in an Express application', sent: get(`/application${path}`), samples: [] },
    ];
  });
  const nothing = { read: undefined, running: empty, status: 204 };
  return [
    ...ofReads,
    { ...nothing, transport: 'empty on node:http', sent: get('/'), samples: [] },
    { ...nothing, transport: 'empty through Express', sent: get('/express'), samples: [] },
  ];
}

/** Measures the CPU time of the process per response. @unit microseconds */
async function measure({ running, sent, status }: Load, durationMs: number): Promise<number> {
  let completed = 0;
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    const client = new Client(running.origin);
    while (!stopping.signal.aborted) {
      const { statusCode, body } = await client.request({ ...sent });
      await body.dump();
      if (statusCode !== status) throw new Error(`${sent.path}: expected status ${status}, received ${statusCode}.`);
      completed += 1;
    }
    await client.close();
  };
  const clients = Promise.all(Array.from({ length: CONNECTIONS }, run));
  await wait(SETTLE_MS);
  const [before, begun] = [readUsage(running.pid), completed];
  await wait(durationMs);
  const [after, ended] = [readUsage(running.pid), completed];
  stopping.abort();
  await clients;
  return ((after.cpuMs - before.cpuMs) * 1_000) / (ended - begun);
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const round = (value: number): number => Math.round(value * 100) / 100;

/** Prints the results. Samples are compared within each round, because the speed of the machine changes between rounds. */
function report(loads: readonly Load[]): boolean {
  const samplesOf = (transport: Transport, read?: Read): readonly number[] =>
    loads.find((load) => load.transport === transport && load.read === read)?.samples ?? [];
  const inRounds = (compare: (turn: number) => number): number => median(samplesOf('empty on node:http').map((_, turn) => compare(turn)));
  const at = (transport: Transport, read: Read | undefined, turn: number): number => samplesOf(transport, read)[turn] ?? Number.NaN;
  console.table(loads.map(({ transport, read = '', samples }) => ({ transport, read, 'CPU µs': round(median(samples)) })));
  const added = (transport: Transport, read: Read) =>
    inRounds((turn) => (at(transport, read, turn) - at('REST on node:http', read, turn)) / at('empty through Express', undefined, turn));
  const rows = (Object.keys(READS) as Read[]).flatMap((read) => [
    {
      goal: `${read}: REST as a multiple of POST /graphql`,
      most: GOALS.read,
      is: inRounds((turn) => at('REST on node:http', read, turn) / at('POST /graphql', read, turn)),
    },
    {
      goal: `${read}: cost added by the Express router, as a multiple of an empty Express handler`,
      most: GOALS.express,
      is: added('REST through Express', read),
    },
    {
      goal: `${read}: cost added by an Express application, as a multiple of an empty Express handler`,
      most: undefined,
      is: added('REST in an Express application', read),
    },
  ]);
  console.table(rows.map((row) => ({ ...row, is: round(row.is) })));
  return rows.every(({ is, most }) => most === undefined || is <= most);
}

leaveGatewayCore();
if (!canPin) console.warn('Processes cannot be pinned to separate cores on this machine. The figures are imprecise.');
const directory = mkdtempSync(join(tmpdir(), 'gatefold-bench-'));
const subgraph = await startSubgraph();
const started: RunningTarget[] = [];
try {
  const context = { directory, supergraphFile: '', subgraphs: {}, subgraphSdlFiles: {}, wholeUrl: '', responsesFile: '', gatefold: '' };
  const isThere = (path: string) => async (url: string) => {
    const response = await request(new URL(path, url), { reset: true }).catch(() => undefined);
    await response?.body.dump();
    return response !== undefined && response.statusCode < 300;
  };
  const config = {
    profile: 'dev',
    supergraph: { sdl: supergraphOf(subgraph.url) },
    // The budget of callers is counted, as it is by default, but is never exhausted.
    budget: { anonymous: { capacity: 1_000_000_000_000, refillPerSecond: 1_000_000_000 } },
    logging: { level: 'silent' },
  };
  const gatefold = resolve(options.gatefold ?? join(benchRoot, '..'));
  const documents = [{ path: 'books.graphql', text: DOCUMENTS }];
  const transports = await startTarget(
    server('rest-endpoints', 'rest-endpoints.js', { gatefold, config, documents }),
    context,
    isThere('/books/7'),
  );
  started.push(transports);
  const empty = await startTarget(server('empty', 'empty-handlers.js', {}), context, isThere('/'));
  started.push(empty);
  const loads = loadsOf(transports, empty);
  for (const load of loads) await measure(load, WARM_UP_MS);
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    for (const load of turn % 2 === 0 ? loads : loads.toReversed()) load.samples.push(await measure(load, DURATION_MS));
  }
  if (!report(loads)) process.exitCode = 1;
} finally {
  for (const running of started) await running[Symbol.asyncDispose]();
  subgraph.close();
  rmSync(directory, { recursive: true });
}
