import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { SubgraphConnection, type ConnectionOwner } from '../../../../../gateway/subgraph-client/connection/connection.ts';
import { type ConnectionPool, createConnectionPool } from '../../../../../gateway/subgraph-client/connection/connection-pool.ts';
import { createOpenSocket, type OpenSocket } from '../../../../../gateway/subgraph-client/connection/open-socket.ts';
import type { Abortable, ResponseHandler } from '../../../../../gateway/subgraph-client/connection/response-handler.ts';
import { eventually } from '../../../../support/time/eventually.ts';

const HEAD = 'POST / HTTP/1.1\r\nhost: a\r\n';
const HELLO = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';

/** Handles the bytes of one request. The first request of a connection has the count 1. */
type ScriptedResponse = (socket: Socket, count: number, text: string) => void;

interface Server extends AsyncDisposable {
  readonly origin: string;
  /** Accepted connections, in order. */
  readonly sockets: readonly Socket[];
  /** Bodies of the received requests, in order. */
  readonly bodies: readonly string[];
}

async function startServer(response: ScriptedResponse, host = '127.0.0.1'): Promise<Server> {
  const sockets: Socket[] = [];
  const bodies: string[] = [];
  const server = createServer((socket) => {
    let count = 0;
    sockets.push(socket);
    socket.on('error', () => {}); // The tests observe errors at the client.
    socket.on('data', (bytes) => {
      const text = bytes.toString();
      bodies.push(text.split('\r\n\r\n', 2)[1] ?? '');
      response(socket, (count += 1), text);
    });
  });
  await once(server.listen(0, host), 'listening');
  const { port, family, address } = server.address() as AddressInfo;
  return {
    origin: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    sockets,
    bodies,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const responding: ScriptedResponse = (socket) => void socket.write(HELLO);

function poolFor(origin: string, { maxConnections = 4, connectTimeoutMs = 5_000 } = {}): ConnectionPool {
  return createConnectionPool({ origin, maxConnections, connectTimeoutMs, tls: {} });
}

interface Call {
  readonly response: Promise<string>;
  /** Aborts the exchange: its result is ignored and its slot ends. */
  abort(): void;
}

interface CallOptions {
  readonly body?: string;
  readonly isRepeatable?: boolean;
}

function call(pool: ConnectionPool, options: string | CallOptions = {}, check: ResponseHandler['check'] = () => undefined): Call {
  const { body = '{}', isRepeatable = false } = typeof options === 'string' ? { body: options } : options;
  let position: Abortable | undefined;
  const response = new Promise<string>((resolve, reject) => {
    pool.send(
      { head: HEAD, body, isRepeatable },
      {
        maxBytes: 1_000,
        check,
        hold: (_minimum, _bytes, proceed) => proceed(),
        enter(entered) {
          position = entered;
          return true;
        },
        complete: (_head, bytes) => resolve(bytes.toString()),
        fail: reject,
      },
    );
  });
  return { response, abort: () => position?.abort() };
}

const gone = (socket: Socket | undefined): Promise<unknown> | undefined => (socket?.closed === false ? once(socket, 'close') : undefined);

async function openConnection(origin: string): Promise<{ readonly connection: SubgraphConnection; readonly socket: Socket }> {
  const openSocket = createOpenSocket({ origin, connectTimeoutMs: 5_000, tls: {} });
  const sockets: Socket[] = [];
  const open: OpenSocket = (listener) => {
    const socket = openSocket(listener);
    sockets.push(socket);
    return socket;
  };
  const connection = await new Promise<SubgraphConnection>((resolve, reject) => {
    const owner: ConnectionOwner = {
      onOpen: resolve,
      onFree() {},
      onRejected: (_connection, error) => reject(error),
      onDisconnect() {},
      onMissed: (_request, handler, reason) => handler.fail(reason),
    };
    return new SubgraphConnection(open, owner);
  });
  const [socket] = sockets;
  if (socket === undefined) throw new Error('The connection has no socket.');
  return { connection, socket };
}

describe('ConnectionPool, with connection failures', () => {
  it('fails with the system error if the connection is refused', async () => {
    const server = await startServer(responding);
    await server[Symbol.asyncDispose]();
    using pool = poolFor(server.origin);
    await expect(call(pool).response).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('fails all waiting requests if a TLS handshake times out', async () => {
    await using server = await startServer(() => {});
    using pool = poolFor(server.origin.replace('http:', 'https:'), { maxConnections: 1, connectTimeoutMs: 20 });
    const calls = [call(pool), call(pool)];
    for (const { response } of calls) await expect(response).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  });

  it.each<readonly [what: string, response: ScriptedResponse, code: string]>([
    ['closes', (socket) => socket.end(), 'ECONNRESET'],
    ['resets', (socket) => void socket.resetAndDestroy(), 'ECONNRESET'],
    ['sends 100 Continue and closes', (socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\n'), 'ECONNRESET'],
  ])('fails if a server %s before its response, and then uses a new connection', async (_what, response, code) => {
    let requested = 0;
    await using server = await startServer((socket, count, text) => ((requested += 1) === 1 ? response : responding)(socket, count, text));
    using pool = poolFor(server.origin);
    await expect(call(pool).response).rejects.toMatchObject({ code });
    expect(await call(pool).response).toBe('hello');
  });

  it('fails for a malformed response and closes its connection', async () => {
    await using server = await startServer((socket) => void socket.write('HTTP/1.1 200 OK\n\n'));
    using pool = poolFor(server.origin);
    await expect(call(pool).response).rejects.toThrow('The data does not start like an HTTP/1 response.');
    await gone(server.sockets[0]);
  });

  it('fails at once if the head is rejected, and closes the connection', async () => {
    await using server = await startServer((socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\nand so on'));
    using pool = poolFor(server.origin);
    await expect(call(pool, '{}', () => new Error('no')).response).rejects.toThrow('no');
    await gone(server.sockets[0]);
  });

  it.each<readonly [what: string, end: (socket: Socket) => void]>([
    ['closes', (socket) => void socket.end()],
    ['resets', (socket) => void socket.resetAndDestroy()],
    ['sends data on', (socket) => void socket.write(HELLO)],
  ])('replaces an idle connection if the server %s it', async (_what, end) => {
    await using server = await startServer(responding);
    using pool = poolFor(server.origin);
    await call(pool).response;
    const [socket] = server.sockets;
    if (socket !== undefined) end(socket);
    await gone(socket);
    await turn(); // Until the client side has received the event.
    await turn();
    expect(await call(pool).response).toBe('hello');
    expect(server.sockets).toHaveLength(2);
  });

  it('does not reuse a connection whose socket broke in the same event loop turn', async () => {
    await using server = await startServer(responding);
    const { connection, socket } = await openConnection(server.origin);
    connection.rest(0);
    expect(connection.isUsable(1)).toBe(true);
    expect(connection.isUsable(10_000)).toBe(false);
    socket.destroy(new Error('broken'));
    expect(connection.isUsable(1)).toBe(false);
  });
});

describe('ConnectionPool, with requests that end early', () => {
  it('does not send a queued request that was aborted, and sends the others in order', async () => {
    await using server = await startServer(responding);
    using pool = poolFor(server.origin, { maxConnections: 1 });
    const [first, second, third] = [call(pool, '1'), call(pool, '2'), call(pool, '3')];
    second.abort();
    await Promise.all([first.response, third.response]);
    expect(server.bodies).toEqual(['1', '3']);
  });

  it('reuses the new connection if its request is aborted while connecting', async () => {
    await using server = await startServer(responding);
    using pool = poolFor(server.origin);
    call(pool, '1').abort();
    expect(await call(pool, '2').response).toBe('hello');
    expect(server.bodies).toEqual(['2']);
  });

  it('closes the connection of an aborted request and opens another one', async () => {
    await using server = await startServer((socket, count, text) => text.endsWith('slow') || responding(socket, count, text));
    using pool = poolFor(server.origin, { maxConnections: 1 });
    const slow = call(pool, 'slow');
    const next = call(pool, 'next');
    await eventually(() => server.bodies.length === 1);
    slow.abort();
    expect(await next.response).toBe('hello');
    await gone(server.sockets[0]);
  });

  it('does not reuse a connection if the completion of its request aborts it', async () => {
    await using server = await startServer(responding);
    using pool = poolFor(server.origin, { maxConnections: 1 });
    let position: Abortable | undefined;
    const handler: ResponseHandler = {
      maxBytes: 1_000,
      check: () => undefined,
      hold: (_minimum, _bytes, proceed) => proceed(),
      enter: (entered) => (position = entered) !== undefined,
      complete: () => position?.abort(),
      fail() {},
    };
    pool.send({ head: HEAD, body: '{}' }, handler);
    expect(await call(pool).response).toBe('hello');
    expect(server.sockets).toHaveLength(2);
  });

  it('fails queued, active and later requests when it is disposed of', async () => {
    await using server = await startServer(() => {});
    const pool = poolFor(server.origin, { maxConnections: 1 });
    const calls = [call(pool), call(pool)];
    await eventually(() => server.bodies.length === 1);
    pool[Symbol.dispose]();
    for (const { response } of [...calls, call(pool)]) await expect(response).rejects.toThrow('The connection pool was closed.');
    await gone(server.sockets[0]);
  });

  it('fails a request when it is disposed of while connecting', async () => {
    await using server = await startServer(responding);
    const pool = poolFor(server.origin);
    const { response } = call(pool);
    pool[Symbol.dispose]();
    await expect(response).rejects.toThrow('The connection pool was closed.');
  });
});

describe('ConnectionPool, with idle connections that the server has closed', () => {
  /** Responds to the first request of a connection, and closes the connection at the second one, as a server that restarts. */
  const closing: ScriptedResponse = (socket, count) => void (count === 1 ? socket.write(HELLO) : socket.destroy());
  const REPEATABLE = { isRepeatable: true };

  it('fails a request that is not repeatable', async () => {
    await using server = await startServer(closing);
    using pool = poolFor(server.origin);
    await call(pool).response;
    await expect(call(pool, 'mutation').response).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(server.bodies).toEqual(['{}', 'mutation']);
  });

  it('fails a repeatable request if the connection was closed during its response', async () => {
    await using server = await startServer((socket, count) => void (count === 1 ? socket.write(HELLO) : socket.end('HTTP/1.1 200 OK\r\n')));
    using pool = poolFor(server.origin);
    await call(pool).response;
    await expect(call(pool, REPEATABLE).response).rejects.toThrow('The connection was closed');
    expect(server.bodies).toHaveLength(2);
  });

  it('sends a repeatable request again only once', async () => {
    let received = 0;
    await using server = await startServer((socket) => void ((received += 1) === 1 ? socket.write(HELLO) : socket.destroy()));
    using pool = poolFor(server.origin);
    await call(pool).response;
    await expect(call(pool, REPEATABLE).response).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(server.bodies).toHaveLength(3);
  });

  it('sends all repeatable requests again, on new connections', async () => {
    await using server = await startServer(closing);
    using pool = poolFor(server.origin);
    await Promise.all([call(pool), call(pool), call(pool)].map(({ response }) => response));
    const calls = ['a', 'b', 'c'].map((body) => call(pool, { body, isRepeatable: true }));
    expect(await Promise.all(calls.map(({ response }) => response))).toEqual(['hello', 'hello', 'hello']);
    expect(server.sockets.length).toBeGreaterThan(3);
  });

  it('does not send a request again whose caller has ended it', async () => {
    await using server = await startServer(closing);
    using pool = poolFor(server.origin);
    await call(pool).response;
    const ended = call(pool, REPEATABLE);
    ended.abort();
    await gone(server.sockets[0]);
    expect(await call(pool, 'next').response).toBe('hello');
    expect(server.bodies.filter((body) => body === '{}').length).toBeLessThanOrEqual(2);
  });
});

describe('ConnectionPool, with reused connections', () => {
  it.each<readonly [what: string, response: string, connections: number]>([
    ['no Keep-Alive header', HELLO, 1],
    ['a timeout of ten seconds', HELLO.replace('\r\n', '\r\nKeep-Alive: timeout=10\r\n'), 1],
    ['a timeout of a second', HELLO.replace('\r\n', '\r\nKeep-Alive: timeout=1\r\n'), 2],
    ['"Connection: close"', HELLO.replace('\r\n', '\r\nConnection: close\r\n'), 2],
    ['HTTP/1.0', HELLO.replace('1.1', '1.0'), 2],
    ['bytes after the response', `${HELLO}${HELLO}`, 2],
  ])('reuses the connection or opens another one after %s', async (_what, response, connections) => {
    await using server = await startServer((socket) => void socket.write(response));
    using pool = poolFor(server.origin);
    expect([await call(pool).response, await call(pool).response]).toEqual(['hello', 'hello']);
    expect(server.sockets).toHaveLength(connections);
  });

  it('returns a body that ends with its connection', async () => {
    await using server = await startServer((socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\nhello'));
    using pool = poolFor(server.origin);
    expect([await call(pool).response, await call(pool).response]).toEqual(['hello', 'hello']);
  });

  it('closes a connection that responds before the request was sent completely', async () => {
    await using server = await startServer((socket, count) => void (count === 1 && socket.pause() && socket.write(HELLO)));
    using pool = poolFor(server.origin, { maxConnections: 1 });
    expect(await call(pool, 'x'.repeat(20_000_000)).response).toBe('hello');
    expect(await call(pool, '{}').response).toBe('hello');
    expect(server.sockets).toHaveLength(2);
  });

  it('never opens more connections than the maximum and completes all requests', async () => {
    let [open, most] = [0, 0];
    await using server = await startServer((socket, count) => {
      if (count === 1) socket.once('close', () => (open -= 1));
      if (count === 1) most = Math.max(most, (open += 1));
      socket.write(count === 5 ? HELLO.replace('\r\n', '\r\nConnection: close\r\n') : HELLO);
    });
    using pool = poolFor(server.origin, { maxConnections: 3 });
    const responses = await Promise.all(Array.from({ length: 60 }, (_item, index) => call(pool, String(index)).response));
    expect(new Set(responses)).toEqual(new Set(['hello']));
    expect(new Set(server.bodies).size).toBe(60);
    expect(most).toBeLessThanOrEqual(3);
  });

  const hasIpv6 = Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'));
  (hasIpv6 ? it : it.skip)('connects to an IPv6 address', async () => {
    await using server = await startServer(responding, '::1');
    using pool = poolFor(server.origin);
    expect(await call(pool).response).toBe('hello');
  });

  it('sends the length in bytes for non-ASCII characters', async () => {
    const texts: string[] = [];
    await using server = await startServer((socket, _count, text) => {
      texts.push(text);
      socket.write(HELLO);
    });
    using pool = poolFor(server.origin);
    await call(pool, '{"a":"é€😀\ud800"}').response;
    expect(texts).toEqual([`${HEAD}content-length: 20\r\n\r\n{"a":"é€😀\ufffd"}`]);
  });
});

describe('ConnectionPool, after many requests', () => {
  it('leaves no listeners and no sockets after 5,000 requests on one connection', async () => {
    await using server = await startServer(responding);
    const { connection, socket } = await openConnection(server.origin);
    const request = (): Promise<unknown> =>
      new Promise((complete, fail) => {
        const hold: ResponseHandler['hold'] = (_minimum, _bytes, proceed) => proceed();
        connection.send({ head: HEAD, body: '{}' }, { maxBytes: 1_000, enter: () => true, check: () => undefined, hold, complete, fail });
      });
    const counts = (): unknown => socket.eventNames().map((name) => [name, socket.listenerCount(name)]);
    await request();
    const before = counts();
    for (let sent = 0; sent < 5_000; sent += 1) await request();
    expect(counts()).toEqual(before);
    expect(server.sockets).toHaveLength(1);
    connection.abort();
  });

  it('holds the process open for an active request, but not for an idle connection', async () => {
    let respond: (() => void) | undefined;
    await using server = await startServer((socket) => {
      respond = () => void socket.write(HELLO);
    });
    using pool = poolFor(server.origin);
    const requested = call(pool);
    await eventually(() => respond !== undefined);
    server.sockets[0]?.unref();
    const others = holding() - 1;
    respond?.();
    await requested.response;
    expect(holding()).toBe(others);
  });
});

/** Returns the number of sockets that prevent the exit of this process. */
function holding(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
}
