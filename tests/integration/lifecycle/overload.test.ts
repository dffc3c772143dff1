import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../gateway/platform/errors.ts';
import { createPublicHandler } from '../../../gateway/http/server/public-handler.ts';
import { createHealthHandler } from '../../../gateway/http/internal/health.ts';
import { createMounts } from '../../../gateway/http/server/mounts.ts';
import { createLoadShedding, type LoadShedding } from '../../../gateway/platform/http/limits/load-shedding.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { isWorkLimited, limitWorkPerIteration, runWithinLimit } from '../../../gateway/platform/work-per-iteration.ts';
import { startLibraryGateway } from '../../fixtures/library-graph.ts';

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

async function serve(handler: RequestListener): Promise<string> {
  server = createServer(handler);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Number of pieces of work that take much longer than the activation delay. */
const PIECES = 200;

/** Occupies the event loop. @param ms milliseconds */
function occupy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** @param activationDelayMs milliseconds */
function startShedding(activationDelayMs: number): LoadShedding {
  const settings = { enabled: true, activationDelayMs, targetDelayMs: 3, maxQueueMs: 1_000, overloadQueueMs: 50, warmUpMs: 0 };
  const shedding = createLoadShedding({ settings: { ...settings, retryAfterSeconds: 1 }, logger: silentLogger });
  shedding.start();
  return shedding;
}

describe('the public listener during overload', () => {
  it('rejects requests on every path in the format of the path, and serves health checks', async () => {
    const worked: string[] = [];
    const mounts = createMounts();
    mounts.add((request, response) => {
      worked.push(request.url ?? '');
      response.end();
    });
    const url = await serve(
      createPublicHandler({
        maxUrlBytes: 8_192,
        graphql: async (request) => void worked.push(request.url ?? ''),
        health: createHealthHandler(() => ({ hasSupergraph: true, isDraining: false })),
        mounts,
        shedding: {
          isActive: true,
          admitRequest() {
            throw new GatewayError('OVERLOADED', 'The gateway is overloaded. Try again later.', { headers: { 'retry-after': '1' } });
          },
        },
        logger: silentLogger,
      }),
    );
    const graphql = await fetch(`${url}/graphql`, { method: 'POST', body: '{"query":"{ a }"}' });
    expect([graphql.status, graphql.headers.get('retry-after'), await graphql.json()]).toMatchObject([
      503,
      '1',
      { errors: [{ extensions: { code: 'OVERLOADED' } }] },
    ]);
    const rest = await fetch(`${url}/books`);
    expect([rest.status, rest.headers.get('retry-after'), await rest.json()]).toMatchObject([503, '1', { error: 'OVERLOADED' }]);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect(worked).toEqual([]);
  });

  it('runs a request that has waited as if it had arrived then', async () => {
    const waiting: (() => void)[] = [];
    const mounts = createMounts();
    mounts.add((request, response) => {
      request.pipe(response);
    });
    const url = await serve(
      createPublicHandler({
        maxUrlBytes: 8_192,
        graphql: async () => undefined,
        health: createHealthHandler(() => ({ hasSupergraph: true, isDraining: false })),
        mounts,
        shedding: { isActive: true, admitRequest: (_response, run) => void waiting.push(run) },
        logger: silentLogger,
      }),
    );
    const pending = fetch(`${url}/echo`, { method: 'POST', body: 'x'.repeat(100_000) });
    while (waiting.length === 0) await new Promise(setImmediate);
    waiting[0]?.();
    expect(await (await pending).text()).toHaveLength(100_000);
  });
});

describe('load shedding', () => {
  it('limits the work of each iteration of the event loop while the loop is late', () => {
    using shedding = startShedding(1);
    expect([shedding.isActive, isWorkLimited()]).toEqual([false, false]);
    occupy(100);
    expect([shedding.isActive, isWorkLimited()]).toEqual([true, true]);
    shedding[Symbol.dispose]();
    expect(isWorkLimited()).toBe(false);
  });

  it('limits the work from a quarter of the delay from which it limits the requests', async () => {
    using shedding = startShedding(2_000);
    occupy(600);
    while (!isWorkLimited()) await nextIteration();
    expect(shedding.isActive).toBe(false);
  });

  it('limits the requests when limited work has waited for the activation delay', async () => {
    using shedding = startShedding(100);
    limitWorkPerIteration(1);
    const done: number[] = [];
    for (let piece = 0; piece < PIECES; piece += 1) {
      runWithinLimit(() => {
        occupy(4);
        done.push(piece);
      });
    }
    let most = 0;
    while (!shedding.isActive) {
      const before = done.length;
      await nextIteration();
      most = Math.max(most, done.length - before);
    }
    expect(done.length).toBeLessThan(PIECES);
    // The limit was not removed before.
    expect(most).toBeLessThan(4);
    while (done.length < PIECES) await nextIteration();
  });
});

describe('the internal listener', () => {
  it('reports the load', async () => {
    await using library = await startLibraryGateway();
    const response = await fetch(`${library.internalUrl}/health/load`);
    const body = (await response.json()) as { readonly limit: number | null };
    expect(body).toEqual({
      status: 'ok',
      isOverloaded: false,
      limit: body.limit === null ? null : expect.any(Number),
      running: 0,
      waiting: 0,
      rejected: 0,
    });
  });
});
