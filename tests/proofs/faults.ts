/**
 * Measures the cost of failing subgraphs: attempts at a subgraph that is down, time until all data is available again, response time of the
 * others while one hangs, and CPU time. The results are times, so they are not a test that must pass on every machine at every hour.
 *
 * Duration: about 2 minutes
 *
 * Run it while the machine is otherwise idle.
 */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';
import { subgraphs } from '../../gateway/config/sections/subgraphs.ts';
import { silentLogger } from '../../gateway/platform/logger.ts';
import { ANONYMOUS } from '../../gateway/platform/principal.ts';
import { createSubgraphClient } from '../../gateway/subgraph-client/create-subgraph-client.ts';
import { startWorker } from '../../bench/process/worker.ts';
import { createGateway } from '../../gateway/index.ts';
import type { LoadCommand } from './faults/load-process.ts';
import type { ShopCommand, ShopReport } from './faults/shop-process.ts';
import { shopSupergraph } from '../faults/shop-subgraphs.ts';
import { ALL_THREE, startShop } from '../faults/start-shop.ts';
import { type Sample, sendSteadily } from './faults/steady-load.ts';
import { median, percentile } from '../support/time/percentile.ts';

const WAREHOUSE = '{ warehouse { city } }';

let isBroken = false;

function report(what: string, value: number, limit: number, unit: string): void {
  const isMet = value <= limit;
  if (!isMet) isBroken = true;
  console.log(`${isMet ? 'ok    ' : 'BROKEN'} ${what}: ${value.toFixed(1)} ${unit}, at most ${limit.toFixed(1)}`);
}

async function measureBreaker(): Promise<void> {
  await using shop = await startShop();
  await sendSteadily(shop.request, ALL_THREE, 500);
  const attempts: number[] = [];
  shop.stock.behave(({ socket }) => {
    attempts.push(performance.now());
    socket.resetAndDestroy();
  });
  const samples = await sendSteadily(shop.request, ALL_THREE, 4_000);
  const opened = samples.find(({ code }) => code === 'CIRCUIT_OPEN')?.at ?? Infinity;
  const whileOpen = attempts.filter((at) => at > opened + 100).length; // Requests in flight end in this time.
  report('attempts at a subgraph that is down, breaker open', whileOpen / ((performance.now() - opened - 100) / 1_000), 2, 'a second');
  report('responses without HTTP 200 while it is down', samples.filter(({ status }) => status !== 200).length, 0, 'responses');
  shop.stock.behave();
  const back = performance.now();
  const after = await sendSteadily(shop.request, ALL_THREE, 2_500);
  report('until all data is available again', (after.find(({ code }) => code === undefined)?.at ?? Infinity) - back, 2_000, 'ms');
}

/** Rounds without a failure, each followed by one in which a subgraph hangs: other load of the machine affects both. */
const ROUNDS = 5;

/** Clients and subgraphs are separate processes, so that only the gateway of this process is measured. */
async function measureHang(): Promise<void> {
  using subgraphs = startWorker<ShopCommand, ShopReport>(new URL('faults/shop-process.ts', import.meta.url));
  using callers = startWorker<LoadCommand, readonly Sample[]>(new URL('faults/load-process.ts', import.meta.url));
  using others = startWorker<LoadCommand, readonly Sample[]>(new URL('faults/load-process.ts', import.meta.url));
  const { override } = await subgraphs.hear();
  await using gateway = await createGateway(
    {
      profile: 'dev',
      server: { port: 0, internalPort: 0, drainTimeoutMs: 500 },
      supergraph: { sdl: shopSupergraph },
      subgraphs: { circuitBreaker: { enabled: false }, override },
    },
    { logger: silentLogger },
  );
  const { url } = await gateway.listen();

  const round = async (command: ShopCommand): Promise<Record<'about' | 'unaffected', readonly Sample[]>> => {
    subgraphs.report(command);
    callers.report({ url, query: WAREHOUSE, forMs: 6_000 });
    await setTimeout(500);
    others.report({ url, query: '{ products { name price } }', forMs: 5_000 });
    const [about, unaffected] = await Promise.all([callers.hear(), others.hear()]);
    return { about, unaffected };
  };
  await round('be well'); // This round is a warm-up.
  const calm: number[] = [];
  const duringFailure: number[] = [];
  const about: Sample[] = [];
  for (let index = 0; index < ROUNDS; index += 1) {
    calm.push(percentile(timesOf((await round('be well')).unaffected), 0.99));
    const hanging = await round('hang');
    duringFailure.push(percentile(timesOf(hanging.unaffected), 0.99));
    about.push(...hanging.about);
  }
  subgraphs.report('tell the most');
  const { most } = await subgraphs.hear();
  report('sockets to a subgraph that hangs', most, 64, 'sockets');
  report('slowest response about a subgraph that hangs', percentile(timesOf(about), 1), 10_200, 'ms');
  const rejected = about.filter(({ code }) => code === 'SUBGRAPH_UNAVAILABLE');
  if (rejected.length === 0) throw new Error('No request was rejected: the load was too small to fill the queue.');
  report('99 of 100 rejections because of a full queue', percentile(timesOf(rejected), 0.99), 100, 'ms');
  // Two milliseconds are the noise of the measurement itself.
  const limit = Math.max(median(calm) * 1.1, median(calm) + 2);
  report('99 of 100 responses about the other subgraphs meanwhile', median(duringFailure), limit, 'ms');
}

/** Duration of each sample. @unit milliseconds */
const timesOf = (samples: readonly Sample[]): readonly number[] => samples.map(({ tookMs }) => tookMs);

async function measureLeaving(): Promise<void> {
  await using shop = await startShop();
  await shop.request(ALL_THREE);
  let slowest = 0;
  for (let index = 1; index <= 20; index += 1) {
    const leaving = new AbortController();
    shop.stock.behave(() => leaving.abort());
    await shop.request(ALL_THREE, { signal: leaving.signal }).catch(() => 'left');
    const left = performance.now();
    while (shop.stock.hungUp < index) await setTimeout(1);
    slowest = Math.max(slowest, performance.now() - left);
  }
  report('from a client disconnect to the abort at the subgraph', slowest, 100, 'ms');
}

/** Measures the CPU time of one request by the subgraph client with all its policies, and by the HTTP client only. */
async function measureCost(): Promise<void> {
  const httpResponse = JSON.stringify({ data: { me: { id: '1', name: 'x'.repeat(300) } } });
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(httpResponse));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pool = new Pool(origin, { connections: 64, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  const address = { name: 'me', url: `${origin}/graphql` };
  await using client = createSubgraphClient({
    subgraphs: new Map([['me', address]]),
    settings: subgraphs.parse({}),
    logger: silentLogger,
  });
  const body = '{"query":"{ me { id name } }"}';
  const { signal } = new AbortController();
  const context = { principal: ANONYMOUS, correlationId: 'cost', headers: {} };
  const headers = {
    'content-type': 'application/json',
    'x-correlation-id': 'cost',
    accept: 'application/json',
    'accept-encoding': 'identity',
  };
  const alone = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      pool.dispatch(
        { path: '/graphql', method: 'POST', headers, body },
        {
          onRequestStart() {},
          onResponseStart() {},
          onResponseData: (_connection, chunk) => void chunks.push(chunk),
          onResponseEnd: () => resolve(JSON.parse(String(chunks[0]))),
          onResponseError: (_connection, error) => reject(error),
        },
      );
    });
  const whole = (): Promise<unknown> => client({ subgraph: 'me', kind: 'query', body, context }, signal);
  const cost = async (request: () => Promise<unknown>): Promise<number> => {
    const before = process.cpuUsage();
    let left = 10_000;
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        while (left-- > 0) await request();
      }),
    );
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 10_000;
  };
  const costs: { alone: number; whole: number }[] = [];
  for (let round = 0; round < 6; round += 1) costs.push({ alone: await cost(alone), whole: await cost(whole) });
  const least = (of: 'alone' | 'whole'): number => Math.min(...costs.slice(1).map((each) => each[of]));
  // Both measurements include the server, which also runs in this process.
  report('overhead of the subgraph client over a plain dispatch', least('whole') - least('alone'), 12, 'µs');
  await pool.destroy();
  server.close();
}

await measureBreaker();
await measureHang();
await measureLeaving();
await measureCost();
process.exitCode = isBroken ? 1 : 0;
