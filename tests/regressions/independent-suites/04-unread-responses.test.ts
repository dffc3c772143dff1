import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { IncomingMessage, ServerResponse, request as openRequest } from 'node:http';
import { Socket, connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import type { TlsMaterial } from '../../../gateway/platform/http/server/either-server.ts';
import { type LimitReached, type EdgeEvents, noEdgeEvents } from '../../../gateway/platform/http/limits/edge-events.ts';
import { type EdgeSettings, createEdgeLimits } from '../../../gateway/platform/http/limits/edge-limits.ts';
import { createWriteDeadlines } from '../../../gateway/platform/http/limits/write-deadlines.ts';
import { readBody } from '../../../gateway/platform/http/request/read-body.ts';
import { sendResponse } from '../../../gateway/platform/http/response/send-response.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { type LibraryGateway, startLibraryGateway } from '../../fixtures/library-graph.ts';
import { sendRaw, statusesOf } from '../../support/http/raw-http.ts';
import { FOREVER_MS, openTestListener } from '../../support/http/test-listener.ts';
import { grownBytes, retainedBytes } from '../../support/process/measure-heap.ts';
import { SLOWLY_READ_BYTES, SLOW_READER_TIMEOUT_MS, readInBursts } from '../../support/http/read-in-bursts.ts';
import { itAtTheSameTime } from '../../support/time/at-the-same-time.ts';

/** Size beyond what the kernel buffers for a client that does not read. */
const LARGE = 16_777_216;
/** Memory for sockets, parsed requests and code that runs for the first time. @unit bytes */
const SHARED_RESPONSES = 5_000_000;
/** Size of the heads of 100 responses. @unit bytes */
const HEADS = 100_000;
const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const SETTINGS: EdgeSettings = {
  maxConnections: 1_000,
  maxConnectionsPerAddress: 1_000,
  maxPendingResponseBytes: 10 * LARGE,
  maxPendingResponseBytesPerAddress: 10 * LARGE,
  maxPendingBodyBytes: LARGE,
  maxPendingBodyBytesPerAddress: LARGE,
  writeTimeoutMs: FOREVER_MS,
};

const pem = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../unit/gateway/subgraph-client/certificates/${name}.pem`, import.meta.url)), 'utf8');
const TLS: TlsMaterial = { cert: pem('server'), key: pem('server-key'), minVersion: 'TLSv1.2' };

type Kind = keyof EdgeEvents;

function recordEvents() {
  const seen: Kind[] = [];
  const scopes: LimitReached['scope'][] = [];
  const waiting = new Map<Kind, () => void>();
  const record = (kind: Kind) => (fact: object) => {
    seen.push(kind);
    if ('scope' in fact) scopes.push((fact as LimitReached).scope);
    waiting.get(kind)?.();
  };
  const events = Object.fromEntries(Object.keys(noEdgeEvents).map((kind) => [kind, record(kind as Kind)])) as Record<Kind, () => void>;
  const until = (kind: Kind): Promise<void> =>
    seen.includes(kind) ? Promise.resolve() : new Promise((resolve) => void waiting.set(kind, resolve));
  return { events: events as EdgeEvents, seen, scopes, until };
}

interface Opened extends AsyncDisposable {
  readonly url: string;
  readonly responses: ServerResponse[];
  dial(bytes: string): Socket;
}

async function open(
  settings: Partial<EdgeSettings>,
  events: EdgeEvents,
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  tls?: TlsMaterial,
): Promise<Opened> {
  const responses: ServerResponse[] = [];
  const sockets: Socket[] = [];
  const limits = createEdgeLimits({
    settings: { ...SETTINGS, ...settings },
    events,
    logger: silentLogger,
    clock: { monotonic: () => 0 }, // No response becomes old enough to be dropped in favor of others.
  });
  const listener = await openTestListener(
    (request, response) => {
      responses.push(response);
      handler(request, response);
    },
    { limits, tls },
  );
  const { port } = new URL(listener.url);
  return {
    url: listener.url,
    responses,
    dial(bytes) {
      const target = { port: Number(port), host: '127.0.0.1' };
      const socket = tls === undefined ? connect(target) : connectTls({ ...target, rejectUnauthorized: false });
      socket.on('error', () => undefined).write(bytes);
      sockets.push(socket.pause());
      return socket;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await listener.drain(0);
    },
  };
}

function sendLarge(request: IncomingMessage, response: ServerResponse): void {
  sendResponse(request, response, { status: 200, headers: {}, body: 'x'.repeat(LARGE) });
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}

async function statusOf(url: string): Promise<number | undefined> {
  const [response] = (await once(openRequest(url, { agent: false }).end(), 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

describe('point 04: unread responses', () => {
  it('delay further requests of their connection', async () => {
    await using listener = await open({}, noEdgeEvents, sendLarge);
    const socket = listener.dial(GET.repeat(4));
    while (listener.responses.length === 0) await turns(1);
    await turns(50);
    expect(listener.responses).toHaveLength(1);
    socket.resume();
    while (listener.responses.length < 4) await turns(1);
    expect(listener.responses).toHaveLength(4);
  });

  it('stop reads from a connection whose client goes on sending requests', async () => {
    await using listener = await open({}, noEdgeEvents, sendLarge);
    const socket = listener.dial(GET);
    while (listener.responses.length === 0) await turns(1);
    const flood = GET.repeat(10_000);
    for (let count = 0; count < 60; count += 1) socket.write(flood);
    await turns(200);
    expect(listener.responses[0]?.socket?.bytesRead).toBeLessThan(1_000_000);
    expect(listener.responses).toHaveLength(1);
  });

  it('close a connection whose client reads nothing before the deadline', async () => {
    const { events, seen, until } = recordEvents();
    await using listener = await open({ writeTimeoutMs: 40 }, events, sendLarge);
    listener.dial(GET);
    await until('writeStalled');
    expect(seen).toEqual(['writeStalled']);
    expect(listener.responses[0]?.req.socket.destroyed).toBe(true);
  });

  // The beginning of a request, bytes that are not a request, and an empty line that is ignored.
  it.each(['G', '\u0000', '\r\n'])('close a connection whose client sends %j and reads nothing before the deadline', async (bytes) => {
    const { events, seen, until } = recordEvents();
    await using listener = await open({ writeTimeoutMs: 100 }, events, sendLarge);
    const socket = listener.dial(GET);
    await firstOf(listener);
    const sending = setInterval(() => socket.write(bytes), 20);
    await until('writeStalled');
    clearInterval(sending);
    expect(seen).toEqual(['writeStalled']);
  });

  const goesOnThoughSlow = async (tls?: TlsMaterial): Promise<void> => {
    const { events, seen } = recordEvents();
    const body = 'x'.repeat(SLOWLY_READ_BYTES);
    const send = (request: IncomingMessage, response: ServerResponse): void =>
      sendResponse(request, response, { status: 200, headers: {}, body });
    await using listener = await open({ writeTimeoutMs: SLOW_READER_TIMEOUT_MS }, events, send, tls);
    readInBursts(listener.dial(GET));
    await once(listener.responses[0] ?? (await firstOf(listener)), 'close');
    expect(seen).toEqual([]);
    expect(listener.responses[0]?.writableFinished).toBe(true);
  };
  describe('with a slow client', () => {
    itAtTheSameTime([
      ['let a client that reads slowly continue beyond the deadline', async () => goesOnThoughSlow()],
      ['let a client that reads slowly over TLS continue beyond the deadline', async () => goesOnThoughSlow(TLS)],
    ]);
  });

  it('have no deadline for a stream that is quiet', async () => {
    const deadlines = createWriteDeadlines(5, noEdgeEvents);
    const socket = new Socket();
    let waiting = LARGE;
    Object.defineProperty(socket, 'writableLength', { get: () => waiting });
    const response = new ServerResponse(new IncomingMessage(socket));
    deadlines.look({ socket, response });
    waiting = 0;
    deadlines.look({ socket, response });
    waiting = LARGE; // The value was not checked yet.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([socket.destroyed, socket.listenerCount('close')]).toEqual([false, new Socket().listenerCount('close')]);
    deadlines.look({ socket, response });
    await once(socket, 'close');
  });

  it.each([
    ['address', { maxPendingResponseBytesPerAddress: LARGE * 1.5 }],
    ['total', { maxPendingResponseBytes: LARGE * 1.5 }],
  ] as const)('are replaced with 503 beyond the bound of the %s', async (scope, settings) => {
    const { events, scopes } = recordEvents();
    await using listener = await open(settings, events, sendLarge);
    listener.dial(GET);
    while (listener.responses.length === 0) await turns(1);
    expect(await statusOf(listener.url)).toBe(503);
    expect(scopes).toEqual([scope]);
  });

  it('are no longer counted once they were read', async () => {
    await using listener = await open({ maxPendingResponseBytes: LARGE * 1.5 }, noEdgeEvents, sendLarge);
    for (let count = 0; count < 3; count += 1) {
      const socket = listener.dial(`GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      await once(socket.resume(), 'close');
      expect(listener.responses.at(-1)?.statusCode).toBe(200);
    }
  });

  const size = 4_194_304;
  // All responses share one body: a separate body for each response would become garbage when the response is rejected. Texts are encoded
  // for each response.
  it.each<[string, string | Uint8Array]>([
    ['bytes', Buffer.alloc(size, 1)],
    ['texts', JSON.stringify('x'.repeat(size - 2))],
    ['texts with characters of several bytes', JSON.stringify('€'.repeat(size / 4))],
  ])(
    'stay within the bound for 100 connections with four unread responses each (%s)',
    async (_title, body) => {
      const { events } = recordEvents();
      const send = (request: IncomingMessage, response: ServerResponse): void =>
        sendResponse(request, response, { status: 200, headers: {}, body });
      await using listener = await open({ maxPendingResponseBytes: 8 * size }, events, send);
      const before = await retainedBytes();
      for (let count = 0; count < 100; count += 1) listener.dial(GET.repeat(4));
      while (listener.responses.length < 100) await turns(1);
      await turns(50);
      const pending = listener.responses.reduce((sum, response) => sum + (response.socket?.writableLength ?? 0), 0);
      expect(pending).toBeLessThan(8 * size + HEADS);
      listener.responses.length = 0; // A response retains its body, sent or not, as long as it is referenced.
      const bound = 8 * size + SHARED_RESPONSES;
      let retained = Infinity;
      // Threads of the engine free buffers after the collection.
      for (let round = 0; round < 50 && retained >= bound; round += 1) {
        await new Promise((resolve) => setTimeout(resolve, 200));
        retained = await grownBytes(before, bound);
      }
      expect(retained).toBeLessThan(bound);
    },
    180_000, // On a busy machine the collections take long.
  );
});

describe('point 04: invalid bytes behind a request in progress', () => {
  it.each(['\u0000', '\u0000GET / HTTP/1.1\r\nHost: a\r\n\r\n'])('are not retained (%j)', async (bytes) => {
    await using listener = await open({}, noEdgeEvents, (_request, response) => void response.write('begun'));
    const socket = listener.dial(GET);
    const response = await firstOf(listener);
    const before = response.listenerCount('finish');
    const connection = response.req.socket;
    for (let count = 0; count < 20; count += 1) {
      const { bytesRead } = connection;
      socket.write(bytes);
      while (connection.bytesRead === bytesRead) await turns(1);
    }
    expect(response.listenerCount('finish')).toBe(before + 1);
    response.end();
    await once(socket.resume(), 'end');
  });
});

describe('point 04: request bodies in progress', () => {
  it('are rejected beyond the bound with 503, and accepted afterwards', async () => {
    const { events, seen } = recordEvents();
    const failures: unknown[] = [];
    await using listener = await open({ maxPendingBodyBytes: 100_000 }, events, (request, response) => {
      readBody(request, { maxBytes: LARGE }).then(
        (body) => response.end(String(body.length)),
        (error: { status: number }) => {
          failures.push(error);
          sendResponse(request, response, { status: error.status, headers: {}, body: '' });
        },
      );
    });
    const slow = listener.dial(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n${'x'.repeat(60_000)}`);
    while (listener.responses.length < 1) await turns(1);
    await turns(20);
    const post = async (): Promise<number | undefined> => {
      const request = openRequest(listener.url, { method: 'POST', agent: false });
      const [response] = (await once(request.end('y'.repeat(60_000)), 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    expect(await post()).toBe(503);
    expect(seen).toEqual(['bodyRejected']);
    expect(failures).toHaveLength(1);
    const disconnected = once(slow, 'close');
    slow.destroy();
    await disconnected;
    while (failures.length < 2) await turns(1);
    expect(await post()).toBe(200);
  });
});

describe('point 04: connections', () => {
  async function holdConnections(library: LibraryGateway, count: number): Promise<readonly Socket[]> {
    const { port } = new URL(library.url);
    const sockets = Array.from({ length: count }, () => connect(Number(port), '127.0.0.1'));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    return sockets;
  }

  it.each([
    ['in all', { maxConnections: 5 }, 'total'],
    ['of an address', { maxConnectionsPerAddress: 5 }, 'address'],
  ] as const)('beyond the bound %s get responses for health only', async (_title, server, scope) => {
    const { events, scopes } = recordEvents();
    await using library = await startLibraryGateway({ config: { server }, edgeEvents: events });
    const held = await holdConnections(library, 5);
    const health = await sendRaw(library.url, GET.replace(' / ', ' /health '));
    expect(statusesOf(health)).toEqual([200]);
    expect(health).toMatch(/^connection: close\r$/im);
    const query = await sendRaw(library.url, 'GET /graphql?query={__typename} HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\n\r\n');
    expect(statusesOf(query)).toEqual([503]);
    expect(query).toContain('"code":"OVERLOADED"');
    expect(statusesOf(await sendRaw(library.internalUrl, 'GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'))).toEqual([200]);
    expect(new Set(scopes)).toEqual(new Set([scope]));
    for (const socket of held) socket.destroy();
  });

  it('get health responses while far more connections than the bound are held open', async () => {
    await using library = await startLibraryGateway({ config: { server: { maxConnections: 5 } } });
    const held = await holdConnections(library, 200);
    expect(statusesOf(await sendRaw(library.url, GET.replace(' / ', ' /health ')))).toEqual([200]);
    for (const socket of held) socket.destroy();
  });

  it('of a trusted proxy are not bounded by address', async () => {
    await using library = await startLibraryGateway({
      config: { server: { maxConnectionsPerAddress: 2, trustedProxies: ['127.0.0.1'] } },
    });
    const held = await holdConnections(library, 5);
    const query = 'GET /graphql?query={__typename} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    expect(statusesOf(await sendRaw(library.url, query))).toEqual([200]);
    for (const socket of held) socket.destroy();
  });
});

async function firstOf({ responses }: Opened): Promise<ServerResponse> {
  for (;;) {
    const [first] = responses;
    if (first !== undefined) return first;
    await turns(1);
  }
}
