/**
 * Compares the CPU time of an operation with guarded fields with the same operation on the same supergraph without authorization rules.
 * Both targets have the same callers, a token that is verified from the cache, and an identity header to the subgraph. Each target has a
 * separate subgraph that returns exactly the selected fields. Ends with exit code 1 when the rules exceed the allowed cost.
 *
 * Duration: about 30 seconds
 *
 * `npm run bench authorisation [rounds]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { SignJWT } from 'jose';
import { Client, request } from 'undici';
import { composeSubgraphs } from '../gateway/supergraph/compose-subgraphs.ts';
import { canPin, leaveGatewayCore } from './process/cores.ts';
import { readUsage } from './process/process-tree.ts';
import { type RunningTarget, startTarget } from './process/running-target.ts';
import { benchRoot } from './targets/paths.ts';
import type { Target } from './targets/target.ts';

const ROUNDS = Number(process.argv[2] ?? 5);
const CONNECTIONS = 8;
const WARM_UP_MS = 3_000;
const DURATION_MS = 2_000;
/** Time for connecting the clients. @unit milliseconds */
const SETTLE_MS = 100;
/** Maximum cost of the guarded operation, as a multiple of the operation without rules. */
const GOAL = 1.15;

const DEVELOPMENT_KEY = 'a development key of the benchmark alone';
const ORDERS = 50;

const SDL = `
  extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@composeDirective"])
    @link(url: "https://gatefold.dev/auth/v1.0", import: ["@auth"])
    @composeDirective(name: "@auth")
  enum Role { USER ADMIN }
  directive @auth(requires: Role!, orOwner: String) on FIELD_DEFINITION | OBJECT
  type Query { me: User @auth(requires: USER) orders: [Order!]! @auth(requires: USER) }
  type User { id: ID! name: String! email: String @auth(requires: ADMIN, orOwner: "id") age: Int @auth(requires: ADMIN, orOwner: "id") }
  type Order @auth(requires: ADMIN, orOwner: "userId") {
    id: ID! status: String! qty: Int! total: Float! userId: ID! product: Product shipment: Shipment @auth(requires: ADMIN, orOwner: "userId")
  }
  type Product { title: String! author: String! price: Float! }
  type Shipment { carrier: String! status: String! }`;

const QUERY = '{ me { name email age } orders { id status qty total product { title author price } shipment { carrier status } } }';

/** Returns the subgraph response, including the fields that identify owners when the gateway selects them. */
function responseOf(isGuarded: boolean): string {
  const orders = Array.from({ length: ORDERS }, (_none, index) => ({
    id: String(index),
    status: 'SHIPPED',
    qty: index,
    total: index * 4.5,
    product: { title: `Book number ${index}`, author: 'Somebody', price: 4.5 },
    shipment: { carrier: 'By foot', status: 'IN_TRANSIT' },
    ...(isGuarded ? { userId: '1' } : {}),
  }));
  const me = { name: 'Ada', email: 'ada@example.com', age: 36, ...(isGuarded ? { id: '1' } : {}) };
  return JSON.stringify({ data: { me, orders } });
}

function supergraphOf(sdl: string, url: string): string {
  const composed = composeSubgraphs([{ name: 'shop', url, files: [{ path: 'shop.graphql', text: sdl }] }]);
  if ('errors' in composed) throw new Error(composed.errors?.map(({ message }) => message).join('\n'));
  return composed.supergraphSdl;
}

const server = (name: string, file: string, options: (port: number) => object): Target => ({
  name: name as Target['name'],
  about: file,
  launch: ({ port }) => ({ command: [process.execPath, join(benchRoot, 'servers', file), JSON.stringify(options(port))] }),
});

const config = (port: number, sdl: string) => ({
  profile: 'dev',
  server: { port, internalPort: 0 },
  supergraph: { sdl },
  auth: { developmentKey: DEVELOPMENT_KEY },
  identity: { secret: 'a secret between gateway and subgraph' },
  logging: { level: 'silent' },
});

const token = await new SignJWT({ roles: [] })
  .setProtectedHeader({ alg: 'HS256' })
  .setIssuer('gatefold-dev')
  .setAudience('gatefold')
  .setSubject('1')
  .setIssuedAt()
  .setExpirationTime('1h')
  .sign(new TextEncoder().encode(DEVELOPMENT_KEY));
const HEADERS = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' };
const BODY = JSON.stringify({ query: QUERY });
const EXPECTED = responseOf(false);

interface RunningLoad {
  readonly name: string;
  readonly gateway: RunningTarget;
  readonly subgraph: RunningTarget;
  readonly samples: number[];
}

async function open(name: string, sdl: string, isGuarded: boolean, directory: string): Promise<RunningLoad> {
  const context = { directory, supergraphFile: '', subgraphs: {}, subgraphSdlFiles: {}, wholeUrl: '', responsesFile: '', gatefold: '' };
  const isResponding = async (url: string): Promise<boolean> => (await query(url).catch(() => '')) !== '';
  const upstream = server(`${name}-subgraph`, 'constant.js', (port) => ({ port, body: responseOf(isGuarded) }));
  const subgraph = await startTarget(upstream, context, isResponding);
  const supergraph = supergraphOf(sdl, `${subgraph.origin}/graphql`);
  const target = server(name, 'gateway.js', (port) => ({ config: config(port, supergraph) }));
  const gateway = await startTarget(target, context, async (url) => (await query(url).catch(() => '')) === EXPECTED);
  return { name, gateway, subgraph, samples: [] };
}

async function query(url: string): Promise<string> {
  const { body } = await request(url, { method: 'POST', headers: HEADERS, body: BODY, reset: true });
  return body.text();
}

/** Measures the CPU time of the gateway per response. @unit microseconds */
async function measure({ gateway }: RunningLoad, durationMs: number): Promise<number> {
  let completed = 0;
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    const client = new Client(gateway.origin);
    while (!stopping.signal.aborted) {
      const { statusCode, body } = await client.request({ path: gateway.path, method: 'POST', headers: HEADERS, body: BODY });
      await body.dump();
      if (statusCode !== 200) throw new Error(`Expected status 200, received ${statusCode}.`);
      completed += 1;
    }
    await client.close();
  };
  const running = Promise.all(Array.from({ length: CONNECTIONS }, run));
  await wait(SETTLE_MS);
  const [before, begun] = [readUsage(gateway.pid), completed];
  await wait(durationMs);
  const [after, ended] = [readUsage(gateway.pid), completed];
  stopping.abort();
  await running;
  return ((after.cpuMs - before.cpuMs) * 1_000) / (ended - begun);
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const round = (value: number): number => Math.round(value * 1_000) / 1_000;

leaveGatewayCore();
if (!canPin) console.warn('Processes cannot be pinned to separate cores on this machine. The figures are imprecise.');
const directory = mkdtempSync(join(tmpdir(), 'gatefold-bench-'));
const opened: RunningLoad[] = [];
try {
  const open_ = await open('without-rules', SDL.replaceAll(/ @auth\(requires: [^)!]*\)/g, ''), false, directory);
  opened.push(open_);
  const guarded = await open('guarded', SDL, true, directory);
  opened.push(guarded);
  for (const load of opened) await measure(load, WARM_UP_MS);
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    for (const load of turn % 2 === 0 ? opened : opened.toReversed()) load.samples.push(await measure(load, DURATION_MS));
  }
  const ratio = median(guarded.samples.map((sample, index) => sample / (open_.samples[index] ?? Number.NaN)));
  console.table(
    opened.map(({ name, samples }) => ({ target: name, 'CPU µs': round(median(samples)), rounds: samples.map(Math.round).join(' ') })),
  );
  console.log(`The guarded operation costs ${round(ratio)} times the operation without rules (goal: ${GOAL}), median of ${ROUNDS} rounds.`);
  if (!(ratio <= GOAL)) process.exitCode = 1;
} finally {
  for (const { gateway, subgraph } of opened) {
    await gateway[Symbol.asyncDispose]();
    await subgraph[Symbol.asyncDispose]();
  }
  rmSync(directory, { recursive: true });
}
