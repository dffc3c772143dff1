import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { GatewayConfigInput } from '../../../gateway/index.ts';
import { type EdgeEvents, noEdgeEvents } from '../../../gateway/platform/http/limits/edge-events.ts';
import { type LibraryGateway, startLibraryGateway } from '../../fixtures/library-graph.ts';
import { type HandFedStreams, createHandFedStreams } from '../../support/streams/hand-fed-streams.ts';
import { grownBytes, retainedBytes } from '../../support/process/measure-heap.ts';
import { type RawWebSocket, openRawWebSocket, writeFrame } from '../../support/websocket/raw-websocket.ts';

const RENAMED = 'subscription { bookRenamed { title } }';
const MEGABYTE = 1_048_576;
const ALIASES = 16;
/** The length of its response is this multiple of the length of the id. */
const REPEATED = `query($id: ID!) { book(id: $id) { ${Array.from({ length: ALIASES }, (_, index) => `a${index}: id`).join(' ')} } }`;
/** Size beyond what the kernel buffers for a client that does not read. */
const LARGE = 16 * MEGABYTE;
/** Memory for sockets, requests that are being read, and code that runs for the first time. @unit bytes */
const SHARED_MESSAGES = 20 * MEGABYTE;
const OVERLOADED = [{ extensions: { code: 'OVERLOADED' } }];

describe('point 04: unread messages', () => {
  let library: LibraryGateway;
  let streams: HandFedStreams;
  let sockets: (RawWebSocket | Socket)[];
  let seen: string[];
  let heard: () => void;
  beforeEach(() => {
    streams = createHandFedStreams();
    sockets = [];
    seen = [];
    heard = () => undefined;
  });
  afterEach(async () => {
    for (const socket of sockets) {
      if ('destroy' in socket) socket.destroy();
      else await socket[Symbol.asyncDispose]();
    }
    await library[Symbol.asyncDispose]();
  });

  async function start({ server = {}, websocket = {} }: Settings): Promise<void> {
    const record = (kind: string) => (): void => {
      seen.push(kind);
      heard();
    };
    const edgeEvents = Object.fromEntries(Object.keys(noEdgeEvents).map((kind) => [kind, record(kind)])) as unknown as EdgeEvents;
    const limits = { maxMessageBytes: 2 * MEGABYTE, messageBurst: 100_000, stallTimeoutMs: 60_000, ...websocket };
    library = await startLibraryGateway({
      edgeEvents,
      subscribe: streams.subscribe,
      config: { server, subscriptions: { websocket: limits } },
    });
  }

  async function untilEvent(kind: string): Promise<void> {
    while (!seen.includes(kind)) {
      await new Promise<void>((resolve) => {
        heard = resolve;
      });
    }
  }

  async function open(): Promise<RawWebSocket> {
    const socket = await openRawWebSocket(library.url);
    sockets.push(socket);
    socket.send({ type: 'connection_init' });
    expect(await socket.next()).toEqual({ type: 'connection_ack' });
    return socket;
  }

  const request = (socket: RawWebSocket, id: string, length: number): void =>
    socket.send({ type: 'subscribe', id, payload: { query: REPEATED, variables: { id: 'x'.repeat(length) } } });

  const subscribe = (socket: RawWebSocket, id = '1'): void => socket.send({ type: 'subscribe', id, payload: { query: RENAMED } });

  async function expectHonestClientServed(): Promise<void> {
    const honest = await open();
    request(honest, 'honest', 10);
    expect(await honest.next()).toMatchObject({ id: 'honest', type: 'next', payload: { data: { book: { a0: 'x'.repeat(10) } } } });
    expect(await honest.next()).toEqual({ id: 'honest', type: 'complete' });
  }

  async function expectRetained(before: number, bound: number): Promise<void> {
    let retained = Infinity;
    // Threads of the engine free buffers after the collection.
    for (let round = 0; round < 20 && retained >= bound; round += 1) {
      await wait(200);
      retained = await grownBytes(before, bound);
    }
    expect(retained).toBeLessThan(bound);
  }

  it('over WebSocket, of queries, stay within the bound without affecting other clients', async () => {
    const bound = 8 * MEGABYTE;
    await start({ server: { maxPendingResponseBytes: bound } });
    const before = await retainedBytes();
    for (let count = 0; count < 6; count += 1) {
      const socket = await open();
      socket.pause();
      for (let id = 0; id < 8; id += 1) request(socket, String(id), MEGABYTE / 4);
    }
    await untilEvent('responseRejected');
    await wait(1_000);
    await expectRetained(before, bound + SHARED_MESSAGES);
    await expectHonestClientServed();
  }, 60_000);

  it('over WebSocket, of pings, delay further messages of their connection until they are read', async () => {
    await start({});
    const socket = await open();
    socket.pause();
    const count = 800;
    const frame = writeFrame({ payload: JSON.stringify({ type: 'ping', payload: { x: 'x'.repeat(60_000) } }) });
    const before = await retainedBytes();
    for (let sent = 0; sent < count; sent += 1) socket.sendBytes(frame);
    await wait(1_500);
    // All frames are one buffer of the client. The gateway retains the frames that it reads as pongs.
    await expectRetained(before, SHARED_MESSAGES);
    await expectHonestClientServed();
    socket.resume();
    for (let received = 0; received < count; received += 1) expect(await socket.next()).toMatchObject({ type: 'pong' });
  }, 60_000);

  it('over WebSocket, are dropped with an event when the client does not read in time', async () => {
    await start({ websocket: { stallTimeoutMs: 300 } });
    const socket = await open();
    socket.pause();
    request(socket, '1', MEGABYTE);
    await untilEvent('writeStalled');
    socket.resume();
    await socket.closed;
  });

  it('over WebSocket, are not dropped while the client reads slowly', async () => {
    await start({ websocket: { stallTimeoutMs: 1_000, pingIntervalMs: 1_000 } });
    const socket = await open();
    socket.pause();
    request(socket, '1', MEGABYTE);
    const response = socket.next();
    const reading = setInterval(() => {
      socket.resume();
      // In one iteration of the event loop, a loaded machine reads so little that the message does not arrive in time.
      setTimeout(() => socket.pause(), 20);
    }, 120);
    try {
      expect(await response).toMatchObject({ id: '1', type: 'next' });
      expect(await socket.next()).toEqual({ id: '1', type: 'complete' });
    } finally {
      clearInterval(reading);
    }
    expect(seen).toEqual([]);
  }, 20_000);

  it('over WebSocket, beyond the bound end an operation with OVERLOADED, not its socket', async () => {
    await start({ server: { maxPendingResponseBytes: 2 * MEGABYTE } });
    const [unread, other] = [await open(), await open()];
    unread.pause();
    subscribe(unread);
    const first = await streams.next();
    first.push({ bookRenamed: { title: 'x'.repeat(LARGE) } });
    while (first.backlog > 0) await wait(5);
    await wait(50);
    subscribe(other, 'refused');
    const second = await streams.next();
    second.push({ bookRenamed: { title: 'x'.repeat(MEGABYTE) } });
    expect(await other.next()).toMatchObject({ id: 'refused', type: 'error', payload: OVERLOADED });
    await second.returned;
    expect(seen).toContain('responseRejected');
    subscribe(other, 'small');
    (await streams.next()).push({ bookRenamed: { title: 'small' } });
    expect(await other.next()).toMatchObject({ id: 'small', type: 'next' });
  });

  it.each([
    ['server-sent events', 'text/event-stream'],
    ['parts', 'multipart/mixed;boundary="graphql";subscriptionSpec="1.0",application/json'],
  ])('in %s, beyond the bound end a stream with OVERLOADED', async (_title, accept) => {
    await start({ server: { maxPendingResponseBytes: 2 * MEGABYTE } });
    const dial = (): Socket => {
      const socket = connect(Number(new URL(library.url).port), '127.0.0.1').on('error', () => undefined);
      sockets.push(socket);
      socket.write(
        `GET /graphql?query=${encodeURIComponent(RENAMED)} HTTP/1.1\r\nHost: a\r\nAccept: ${accept}\r\nConnection: close\r\n\r\n`,
      );
      return socket;
    };
    dial().pause();
    const first = await streams.next();
    first.push({ bookRenamed: { title: 'x'.repeat(LARGE) } });
    while (first.backlog > 0) await wait(5);
    await wait(50);
    const other = dial();
    let text = '';
    other.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    const second = await streams.next();
    second.push({ bookRenamed: { title: 'x'.repeat(MEGABYTE) } });
    await second.returned;
    await once(other, 'close');
    expect(text).toContain('"code":"OVERLOADED"');
    expect(text.length).toBeLessThan(2_000);
    expect(seen).toContain('responseRejected');
  });
});

interface Settings {
  readonly server?: GatewayConfigInput['server'];
  readonly websocket?: NonNullable<NonNullable<GatewayConfigInput['subscriptions']>['websocket']>;
}
