import { once } from 'node:events';
import { type Socket, type TcpNetConnectOpts, connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import type { GatewayConfigInput } from '../../../gateway/index.ts';
import { type EdgeEvents, noEdgeEvents } from '../../../gateway/platform/http/limits/edge-events.ts';
import { startLibraryGateway } from '../../fixtures/library-graph.ts';
import { createHandFedStreams } from '../../support/streams/hand-fed-streams.ts';
import { SLOWLY_READ_BYTES, SLOW_READER_TIMEOUT_MS, readInBursts } from '../../support/http/read-in-bursts.ts';
import { type WaitingCase, itAtTheSameTime } from '../../support/time/at-the-same-time.ts';
import { repeatIfStopped } from '../../support/time/repeat-if-stopped.ts';

/** Size beyond what the kernel buffers for a client that does not read. @unit bytes */
const LARGE = 16_777_216;
const eventOf = (length: number): unknown => ({ bookRenamed: { title: 'x'.repeat(length) } });
const EVENT = eventOf(LARGE);
const EVENTS = 'text/event-stream';
const ACCEPTED = [
  ['server-sent events', EVENTS],
  ['parts', 'multipart/mixed;boundary="graphql";subscriptionSpec="1.0",application/json'],
] as const;

const certificate = (name: string): string =>
  fileURLToPath(new URL(`../../unit/gateway/subgraph-client/certificates/${name}.pem`, import.meta.url));

/** Title of an event that is found even if the text is cut off. */
const LAST = '!';

/** Waits until a title was read or the connection is closed. */
function untilRead(socket: Socket, title: string): Promise<void> {
  return new Promise((resolve) => {
    const look = (chunk: Buffer): void => {
      if (!chunk.includes(title)) return;
      socket.off('data', look).off('close', resolve);
      resolve();
    };
    socket.on('data', look).on('close', resolve);
  });
}

/** Reads until the last event or the end of the connection. @returns the number of bytes */
async function readSlowly(socket: Socket): Promise<number> {
  const { bytesRead } = socket;
  readInBursts(socket);
  await untilRead(socket, LAST);
  return socket.bytesRead - bytesRead;
}

/** Starts a gateway whose subgraph sends the events that a case pushes, and clients of the gateway. */
async function start(stallTimeoutMs: number, server: GatewayConfigInput['server'] = {}) {
  const streams = createHandFedStreams();
  const sockets: Socket[] = [];
  const timers: NodeJS.Timeout[] = [];
  const seen: string[] = [];
  const record = (kind: string) => (): void => void seen.push(kind);
  const edgeEvents = Object.fromEntries(Object.keys(noEdgeEvents).map((kind) => [kind, record(kind)])) as unknown as EdgeEvents;
  const config = { server, subscriptions: { websocket: { stallTimeoutMs } } };
  const library = await startLibraryGateway({ edgeEvents, subscribe: streams.subscribe, config });
  return {
    streams,
    seen,
    /** Requests a stream, and reads nothing from it. */
    dial(accept: string, options: Partial<TcpNetConnectOpts> = {}): Socket {
      const { port, protocol } = new URL(library.url);
      const target = { ...options, port: Number(port), host: '127.0.0.1' };
      const socket = protocol === 'https:' ? connectTls({ ...target, rejectUnauthorized: false }) : connect(target);
      sockets.push(socket.on('error', () => undefined));
      const query = encodeURIComponent('subscription{bookRenamed{title}}');
      socket.write(`GET /graphql?query=${query} HTTP/1.1\r\nHost: a\r\nAccept: ${accept}\r\n\r\n`);
      return socket.pause();
    },
    every: (ms: number, act: () => void): void => void timers.push(setInterval(act, ms)),
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearInterval(timer);
      for (const socket of sockets) socket.destroy();
      await library[Symbol.asyncDispose]();
    },
  };
}

async function areNotCutWhileReadSlowly(accept: string, server: GatewayConfigInput['server'] = {}): Promise<void> {
  await repeatIfStopped(SLOW_READER_TIMEOUT_MS, async () => readsSlowly(accept, server));
}

async function readsSlowly(accept: string, server: GatewayConfigInput['server']): Promise<void> {
  await using gateway = await start(SLOW_READER_TIMEOUT_MS, server);
  const socket = gateway.dial(accept);
  const stream = await gateway.streams.next();
  stream.push(eventOf(SLOWLY_READ_BYTES));
  stream.push({ bookRenamed: { title: LAST } });
  expect(await readSlowly(socket)).toBeGreaterThan(SLOWLY_READ_BYTES);
  expect(gateway.seen).toEqual([]);
}

async function areCutWhenNothingIsTaken(accept: string): Promise<void> {
  await using gateway = await start(200);
  const socket = gateway.dial(accept);
  const stream = await gateway.streams.next();
  stream.push(EVENT);
  await stream.returned;
  expect(gateway.seen).toEqual(['writeStalled']);
  await once(socket.resume(), 'close');
}

async function areCutWhenBytesAreRead(accept: string): Promise<void> {
  await using gateway = await start(200);
  // Each byte is read individually, and nothing more until the next turn.
  const socket = gateway.dial(accept, { onread: { buffer: Buffer.alloc(1), callback: () => false } });
  gateway.every(50, () => socket.resume());
  const stream = await gateway.streams.next();
  stream.push(EVENT);
  await stream.returned;
  expect(socket.bytesRead).toBeLessThan(1_000);
  expect(gateway.seen).toEqual(['writeStalled']);
}

async function areCutWhenBytesAreSent(accept: string): Promise<void> {
  await using gateway = await start(200);
  const socket = gateway.dial(accept);
  gateway.every(50, () => socket.write('G'));
  const stream = await gateway.streams.next();
  stream.push(EVENT);
  await stream.returned;
  expect(gateway.seen).toEqual(['writeStalled']);
}

async function areCutByTheTimeoutOfTheServer(accept: string): Promise<void> {
  await using gateway = await start(60_000, { writeTimeoutMs: 200 });
  gateway.dial(accept);
  const stream = await gateway.streams.next();
  stream.push(EVENT);
  await stream.returned;
  expect(gateway.seen).toEqual(['writeStalled']);
}

async function leaveNoDeadlineBehind(): Promise<void> {
  const stallTimeoutMs = 1_000;
  await repeatIfStopped(stallTimeoutMs, async () => leavesNoDeadline(stallTimeoutMs));
}

async function leavesNoDeadline(stallTimeoutMs: number): Promise<void> {
  await using gateway = await start(stallTimeoutMs);
  const socket = gateway.dial(EVENTS);
  const stream = await gateway.streams.next();
  stream.push(EVENT);
  await wait(stallTimeoutMs / 2); // The deadline begins here.
  stream.push({ bookRenamed: { title: LAST } });
  await untilRead(socket.resume(), LAST);
  await wait(2.5 * stallTimeoutMs);
  stream.push({ bookRenamed: { title: LAST } });
  await untilRead(socket, LAST);
  expect(gateway.seen).toEqual([]);
}

/** Runs each case in each media type of events. */
const inEachRepresentation = (
  cases: readonly (readonly [title: string, run: (accept: string) => Promise<void>])[],
): readonly WaitingCase[] =>
  ACCEPTED.flatMap(([form, accept]) => cases.map(([title, run]): WaitingCase => [`in ${form} ${title}`, async () => run(accept)]));

const TLS = { certificateFile: certificate('server'), keyFile: certificate('server-key') };

describe('point 04: unread events over HTTP, slow readers', () => {
  itAtTheSameTime([
    ...inEachRepresentation([['are not dropped while the client reads them slowly', areNotCutWhileReadSlowly]]),
    ['are not dropped while the client reads them slowly, over TLS', async () => areNotCutWhileReadSlowly(EVENTS, { tls: TLS })],
  ]);
});

describe('point 04: unread events over HTTP, stalled readers', () => {
  itAtTheSameTime(
    inEachRepresentation([
      ['are dropped, with an event, when the client does not read them in time', areCutWhenNothingIsTaken],
      ['are dropped, with an event, when the client reads a byte now and then', areCutWhenBytesAreRead],
      ['are dropped, with an event, when the client sends bytes and reads nothing', areCutWhenBytesAreSent],
      ['are dropped when the client reads nothing within a shorter server.writeTimeoutMs', areCutByTheTimeoutOfTheServer],
    ]),
  );
});

describe('point 04: unread events over HTTP, deadlines', () => {
  // This test does not run in parallel with the others, because its deadline is short and they send megabytes.
  it('leave no deadline once they were read', leaveNoDeadlineBehind);
});
