/**
 * Measures the cost of 10,000 subscribers of one process: memory per subscriber while idle, delivery time of an event to all of them,
 * subgraph requests per event, and the effect of slow subscribers on the others.
 *
 * Duration: about 2 minutes
 *
 * - `SUBSCRIBERS` (10000): number of idle subscribers.
 * - `SLOW_SUBSCRIBERS` (5000): number of subscribers, of which some stop reading.
 * - `PAUSED` (500): number of subscribers that stop reading.
 * - `ROUNDS` (3): calm and disturbed rounds, in turn. The medians count.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { FromGateway, ToGateway } from './subscribers/gateway-process.ts';
import { startTickingSubgraphs, type TickingSubgraphs } from './subscribers/ticking-subgraphs.ts';
import { median, percentile } from '../support/time/percentile.ts';

const setting = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);
const SUBSCRIBERS = setting('SUBSCRIBERS', 10_000);
const SLOW_SUBSCRIBERS = setting('SLOW_SUBSCRIBERS', 5_000);
const PAUSED = setting('PAUSED', 500);
const ROUNDS = setting('ROUNDS', 3);

const MAX_BYTES_EACH = 32_768;
const MAX_FANOUT_MS = 1_000;
const MAX_RATIO = 1.5;
const EVENTS_PER_ROUND = 20;
const DIALS_AT_ONCE = 100;

interface Crowd {
  readonly sockets: readonly WebSocket[];
  /** Sends an event. @returns when it arrived at each reading subscriber. @unit milliseconds since it was sent */
  tick(id: string, note: string, readers: number): Promise<readonly number[]>;
  close(): Promise<void>;
}

async function gather(url: string, count: number): Promise<Crowd> {
  const sockets: WebSocket[] = [];
  let sentAt = 0;
  let current = '';
  let came: number[] = [];
  let enough: { readonly readers: number; readonly resolve: () => void } | undefined;

  const join = async (): Promise<void> => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { perMessageDeflate: false });
    await once(socket, 'open');
    socket.send('{"type":"connection_init"}');
    await once(socket, 'message');
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: 'subscription { ticked { id sentAt note } }' } }));
    socket.on('message', (data: Buffer) => {
      if (data.indexOf(current) === -1) return;
      came.push(performance.now() - sentAt);
      if (came.length >= (enough?.readers ?? Number.POSITIVE_INFINITY)) enough?.resolve();
    });
    socket.on('error', () => undefined);
    sockets.push(socket);
  };
  for (let done = 0; done < count; done += DIALS_AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(DIALS_AT_ONCE, count - done) }, join));
  }
  await wait(1_000);
  return {
    sockets,
    async tick(id, note, readers) {
      came = [];
      current = `"id":"${id}"`;
      sentAt = performance.now();
      const all = new Promise<void>((resolve) => {
        enough = { readers, resolve };
      });
      subgraphs.tick(id, note);
      await Promise.race([all, wait(30_000)]);
      return came;
    },
    async close() {
      for (const socket of sockets) socket.terminate();
      await wait(1_000);
    },
  };
}

async function request<ReceivedResponse extends FromGateway>(gateway: ChildProcess, message: ToGateway): Promise<ReceivedResponse> {
  const response = once(gateway, 'message');
  gateway.send(message);
  return (await response)[0] as ReceivedResponse;
}

/** @returns conditions that are not met */
async function proveIdle(gateway: ChildProcess, url: string): Promise<string[]> {
  const warm = await gather(url, 200); // Memory that is loaded and compiled once does not belong to a subscriber.
  await warm.tick('warm', 'warm', 200);
  await warm.close();
  const before = await request<{ bytes: number }>(gateway, 'memory');
  const crowd = await gather(url, SUBSCRIBERS);
  const after = await request<{ bytes: number }>(gateway, 'memory');
  const each = Math.round((after.bytes - before.bytes) / SUBSCRIBERS);
  console.log(`${SUBSCRIBERS} idle subscribers: ${each} bytes of resident memory each (at most ${MAX_BYTES_EACH})`);

  const failures = each <= MAX_BYTES_EACH ? [] : [`memory: ${each} bytes each`];
  const lasts: number[] = [];
  for (let round = 0; round < Math.max(3, ROUNDS); round += 1) {
    const fetches = subgraphs.fetches;
    const came = await crowd.tick(`all-${round}`, 'a note of some length, as they are', SUBSCRIBERS);
    const requested = subgraphs.fetches - fetches;
    console.log(
      `an event: reached ${came.length} of ${SUBSCRIBERS}, the last after ${Math.round(came.at(-1) ?? Number.NaN)} ms, ` +
        `with ${requested} request to a subgraph, over ${subgraphs.streams} stream(s) from the other`,
    );
    lasts.push(came.length === SUBSCRIBERS ? (came.at(-1) ?? Number.NaN) : Number.POSITIVE_INFINITY);
    if (requested !== 1) failures.push(`an event caused ${requested} subgraph requests`);
  }
  if (median(lasts) > MAX_FANOUT_MS) failures.push(`an event takes ${Math.round(median(lasts))} ms to reach all subscribers`);
  await crowd.close();
  return failures;
}

/** @returns conditions that are not met */
async function provePaused(url: string): Promise<string[]> {
  const crowd = await gather(url, SLOW_SUBSCRIBERS);
  const readers = SLOW_SUBSCRIBERS - PAUSED;
  const healthy = crowd.sockets.slice(PAUSED);
  const note = 'x'.repeat(8_192);
  let nth = 0;
  const measure = async (): Promise<number> => {
    const all: number[] = [];
    for (let event = 0; event < EVENTS_PER_ROUND; event += 1) {
      nth += 1;
      all.push(...(await crowd.tick(`slow-${nth}-`, note, readers)).slice(0, readers));
    }
    if (all.length < EVENTS_PER_ROUND * readers) throw new Error(`Only ${all.length} of ${EVENTS_PER_ROUND * readers} events arrived.`);
    return percentile(all, 0.99);
  };
  console.log(`${healthy.length} readers, ${PAUSED} that can pause; ${EVENTS_PER_ROUND} events of 8 KiB per round`);
  for (const socket of crowd.sockets.slice(0, PAUSED)) socket.pause();
  for (const socket of crowd.sockets.slice(0, PAUSED)) socket.resume();
  await measure();
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const calm = await measure();
    for (const socket of crowd.sockets.slice(0, PAUSED)) socket.pause();
    const disturbed = await measure();
    for (const socket of crowd.sockets.slice(0, PAUSED)) socket.resume();
    await wait(1_000);
    ratios.push(disturbed / calm);
    console.log(`round ${round + 1}: p99 of the readers ${calm.toFixed(0)} ms, with paused ones ${disturbed.toFixed(0)} ms`);
  }
  console.log(`ratio: ${median(ratios).toFixed(2)} (at most ${MAX_RATIO})`);
  await crowd.close();
  return median(ratios) <= MAX_RATIO ? [] : [`paused readers: ratio ${median(ratios).toFixed(2)}`];
}

const subgraphs: TickingSubgraphs = await startTickingSubgraphs();
const gateway = fork(new URL('subscribers/gateway-process.ts', import.meta.url), { execArgv: ['--import', 'tsx', '--expose-gc'] });
const { url } = await request<{ url: string }>(gateway, { start: subgraphs.sdl });
const failures = [...(await proveIdle(gateway, url)), ...(await provePaused(url))];
gateway.send('stop' satisfies ToGateway);
await once(gateway, 'exit');
await subgraphs[Symbol.asyncDispose]();
for (const failure of failures) console.error(`FAILED: ${failure}`);
process.exit(failures.length === 0 ? 0 : 1);
