import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { GatewayConfigInput } from '../../../gateway/index.ts';
import { GatewayError } from '../../../gateway/platform/errors.ts';
import { DEVELOPMENT_KEY, type LibraryGateway, startLibraryGateway } from '../../fixtures/library-graph.ts';
import { createHandFedStreams, type HandFedStreams } from '../../support/streams/hand-fed-streams.ts';
import { type AnyMessage, openRawWebSocket, type RawWebSocket, type RawWebSocketOptions } from '../../support/websocket/raw-websocket.ts';
import { sharedByTests } from '../../support/stack/shared-by-tests.ts';
import { signToken } from '../../support/identity/tokens.ts';

const RENAMED = 'subscription { bookRenamed { id } }';
const SECRET = 's'.repeat(40);

const bearer = (claims: Parameters<typeof signToken>[0]): string => `Bearer ${signToken(claims, { key: DEVELOPMENT_KEY })}`;
const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;

describe('sockets on /graphql', () => {
  let streams: HandFedStreams;
  let library: LibraryGateway;
  /** Gateway of a single test. */
  let owned: LibraryGateway | undefined;
  let sockets: RawWebSocket[];
  let folder: string;
  let keys: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatefold-sockets-'));
    keys = join(folder, 'keys.json');
    await writeKeys(['till', 'shop']);
  });
  afterAll(async () => rm(folder, { recursive: true }));
  beforeEach(() => {
    sockets = [];
    streams = createHandFedStreams();
  });
  afterEach(async () => {
    await Promise.all(sockets.map((socket) => socket[Symbol.asyncDispose]()));
    await owned?.[Symbol.asyncDispose]();
    owned = undefined;
  });

  async function writeKeys(ids: readonly string[]): Promise<void> {
    const sha256 = createHash('sha256').update(SECRET).digest('hex');
    await writeFile(keys, JSON.stringify({ keys: ids.map((id) => ({ id, sha256 })) }));
  }

  function startWith(config: Omit<GatewayConfigInput, 'supergraph'>): Promise<LibraryGateway> {
    return startLibraryGateway({
      subscribe: async (request) => streams.subscribe(request),
      config: { auth: { developmentKey: DEVELOPMENT_KEY, providers: { apiKey: { file: keys } } }, ...config },
    });
  }

  async function start(config: Omit<GatewayConfigInput, 'supergraph'>): Promise<void> {
    owned = await startWith(config);
    library = owned;
  }

  async function open(options?: RawWebSocketOptions): Promise<RawWebSocket> {
    const socket = await openRawWebSocket(library.url, options);
    sockets.push(socket);
    return socket;
  }

  async function ready(payload?: AnyMessage, options?: RawWebSocketOptions): Promise<RawWebSocket> {
    const socket = await open(options);
    socket.send({ type: 'connection_init', payload });
    expect(await socket.next()).toEqual({ type: 'connection_ack' });
    return socket;
  }

  function subscribe(socket: RawWebSocket, id = '1', query = RENAMED): void {
    socket.send({ id, type: 'subscribe', payload: { query } });
  }

  describe('credentials', () => {
    const shared = sharedByTests(async () => startWith({ subscriptions: { credentialCheckIntervalMs: 300 } }));
    beforeEach(() => {
      library = shared();
    });

    it.each([
      ['an invalid token', { authorization: 'Bearer nothing' }, 4403],
      ['two credentials', { authorization: bearer({ sub: '1' }), 'x-api-key': `till.${SECRET}` }, 4400],
      ['repeated credentials in other letter case', { authorization: bearer({ sub: '1' }), Authorization: bearer({ sub: '2' }) }, 4400],
      ['credentials that are not text', { authorization: 7 }, 4400],
    ])('closes the socket for %s in connection_init', async (_case, payload, code) => {
      const socket = await open();
      socket.send({ type: 'connection_init', payload });
      expect((await socket.closed).code).toBe(code);
    });

    it('closes with 4400 when the upgrade and connection_init both have credentials', async () => {
      const socket = await open({ headers: { authorization: bearer({ sub: '1' }) } });
      socket.send({ type: 'connection_init', payload: { authorization: bearer({ sub: '1' }) } });
      expect((await socket.closed).code).toBe(4400);
    });

    it.each([
      ['on the upgrade', undefined, { authorization: bearer({ sub: '7', roles: ['ADMIN'] }) }],
      ['in connection_init', { authorization: bearer({ sub: '7', roles: ['ADMIN'] }) }, {}],
      ['in connection_init with a capitalized name', { AUTHORIZATION: bearer({ sub: '7', roles: ['ADMIN'] }) }, {}],
    ])('a token %s authenticates operations and is forwarded as a header', async (_case, payload, headers) => {
      const socket = await ready(payload, { headers });
      subscribe(socket);
      const { request } = await streams.next();
      expect(request.principal).toMatchObject({ kind: 'user', id: '7' });
      expect(request.headers.authorization).toMatch(/^Bearer /);
      expect(Object.keys(request.headers).filter((name) => name.startsWith('sec-websocket') || name === 'upgrade')).toEqual([]);
    });

    it('runs operations as anonymous without credentials', async () => {
      const socket = await ready();
      subscribe(socket);
      expect((await streams.next()).request.principal.kind).toBe('anonymous');
    });

    it('closes with 4403 and ends the streams when the token expires', async () => {
      const socket = await ready({ authorization: bearer({ sub: '1', exp: inSeconds(1) }) });
      subscribe(socket);
      const stream = await streams.next();
      expect(await socket.closed).toEqual({ code: 4403, reason: 'Token expired' });
      await stream.returned;
    });

    it('closes with 4403 when a stream ends because of its token', async () => {
      const socket = await ready({ authorization: bearer({ sub: '1' }) });
      subscribe(socket);
      (await streams.next()).fail(new GatewayError('TOKEN_EXPIRED', 'The token has expired.'));
      expect(await socket.closed).toEqual({ code: 4403, reason: 'Token expired' });
    });

    it('a new token in a ping extends the socket and its streams', async () => {
      const exp = inSeconds(2);
      const socket = await ready({ authorization: bearer({ sub: '1', exp }) });
      subscribe(socket);
      const stream = await streams.next();
      expect(stream.request.expiresAt?.()).toBe(exp * 1_000);
      const later = inSeconds(60);
      socket.send({ type: 'ping', payload: { authorization: bearer({ sub: '1', exp: later }) } });
      expect(await socket.next()).toEqual({ type: 'pong', payload: { credentials: 'accepted' } });
      expect(stream.request.expiresAt?.()).toBe(later * 1_000);
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      stream.push({ bookRenamed: { id: '1' } });
      expect(await socket.next()).toMatchObject({ type: 'next' });
    });

    it('a new token with other permissions applies to new operations only', async () => {
      const exp = inSeconds(30);
      const socket = await ready({ authorization: bearer({ sub: '1', exp }) });
      subscribe(socket, 'old');
      const old = await streams.next();
      socket.send({ type: 'ping', payload: { authorization: bearer({ sub: '1', roles: ['ADMIN'], exp: inSeconds(60) }) } });
      await socket.next();
      subscribe(socket, 'new');
      const fresh = await streams.next();
      expect(old.request.expiresAt?.()).toBe(exp * 1_000);
      expect([...old.request.principal.roles]).toEqual([]);
      expect([...fresh.request.principal.roles]).toEqual(['ADMIN']);
      old.fail(new GatewayError('TOKEN_EXPIRED', 'The token has expired.'));
      expect(await socket.next()).toMatchObject({ id: 'old', type: 'error', payload: [{ extensions: { code: 'TOKEN_EXPIRED' } }] });
    });

    it.each([
      ['that is invalid', { authorization: 'Bearer nothing' }],
      ['of another user', { authorization: bearer({ sub: '2' }) }],
    ])('closes with 4403 for a new token %s in a ping', async (_case, payload) => {
      const socket = await ready({ authorization: bearer({ sub: '1' }) });
      socket.send({ type: 'ping', payload });
      expect((await socket.closed).code).toBe(4403);
    });

    // This test is the last of its group, because the key remains revoked.
    it('revoking an API key closes only its sockets, with 4403', async () => {
      const revoked = await ready({ 'X-API-Key': `till.${SECRET}` });
      const other = await ready(undefined, { headers: { 'x-api-key': `shop.${SECRET}` } });
      subscribe(revoked);
      const stream = await streams.next();
      await writeKeys(['shop']);
      expect((await revoked.closed).code).toBe(4403);
      await stream.returned;
      other.send({ type: 'ping' });
      expect(await other.next()).toEqual({ type: 'pong' });
    });
  });

  describe('limits', () => {
    const catchRejection = (options?: RawWebSocketOptions): Promise<string> =>
      open(options).then(
        () => 'accepted',
        (error: Error) => error.message,
      );

    it('returns 429 at the limit of an address, until a socket closes', async () => {
      await start({ subscriptions: { maxConnectionsPerAddress: 2 } });
      const first = await ready();
      await ready();
      expect(await catchRejection()).toMatch(/HTTP\/1.1 429 [\s\S]*retry-after: [\s\S]*SUBSCRIPTION_LIMIT/i);
      await first[Symbol.asyncDispose]();
      await ready();
    });

    it('closes with 4429, or returns 429, at the limit of a caller', async () => {
      await start({ subscriptions: { maxConnectionsPerPrincipal: 1 } });
      const authorization = bearer({ sub: '1' });
      await ready({ authorization });
      const second = await open();
      second.send({ type: 'connection_init', payload: { authorization } });
      expect((await second.closed).code).toBe(4429);
      expect(await catchRejection({ headers: { authorization } })).toContain('HTTP/1.1 429 ');
      await ready({ authorization: bearer({ sub: '2' }) });
    });

    it('returns 503 at the limit of all sockets', async () => {
      await start({ subscriptions: { maxConnections: 1 } });
      await ready();
      expect(await catchRejection()).toMatch(/HTTP\/1.1 503 [\s\S]*OVERLOADED/);
    });

    it('returns 503 at the limit of unacknowledged sockets', async () => {
      await start({ subscriptions: { websocket: { maxUnacknowledged: 1 } } });
      const first = await open();
      expect(await catchRejection()).toContain('HTTP/1.1 503 ');
      first.send({ type: 'connection_init' });
      await first.next();
      await ready();
    });

    it('ignores the upgrade when sockets are disabled', async () => {
      await start({ subscriptions: { websocket: { enabled: false } } });
      expect(await catchRejection()).toContain('HTTP/1.1 400 ');
    });

    it('rejects the operation, not the socket, when the budget is exhausted', async () => {
      await start({ budget: { mode: 'enforce', anonymous: { capacity: 20, refillPerSecond: 1 } } });
      const socket = await ready();
      for (let id = 0; id < 30; id += 1) subscribe(socket, String(id), '{ book(id: 1) { id } }');
      let last: AnyMessage = {};
      while (last['type'] !== 'error') last = await socket.next();
      expect(last).toMatchObject({ payload: [{ extensions: { code: 'RATE_LIMITED' } }] });
    });
  });

  it('buffers events of a stalled client in the engine, and closes it on timeout', async () => {
    await start({ subscriptions: { websocket: { stallTimeoutMs: 500 } } });
    const [stalled, other] = [await ready(), await ready()];
    subscribe(stalled);
    const stream = await streams.next();
    subscribe(other);
    const others = await streams.next();
    stalled.pause();
    const title = 'x'.repeat(100_000);
    for (let count = 0; count < 200; count += 1) stream.push({ bookRenamed: { title } });
    others.push({ bookRenamed: { id: '1' } });
    expect(await other.next()).toMatchObject({ type: 'next' });
    await stream.returned;
    expect(stream.backlog).toBeGreaterThan(100);
    stalled.resume();
    expect([1006, 1013]).toContain((await stalled.closed).code);
  });

  describe('shutdown of the gateway', () => {
    it('closes sockets with a retry delay, without `complete`, and ends streams', async () => {
      await start({ subscriptions: { drainWindowMs: 200 } });
      const both = [await ready(), await ready()];
      for (const socket of both) subscribe(socket);
      const running = [await streams.next(), await streams.next()];
      const closed = library[Symbol.asyncDispose]();
      for (const socket of both) {
        const { code, reason } = await socket.closed;
        expect(code).toBe(1012);
        expect(reason).toMatch(/^The gateway is shutting down; retry in \d+ ms$/);
        expect(socket.waiting).toEqual([]);
      }
      await Promise.all(running.map(({ returned }) => returned));
      await closed;
    });

    it('sends the result of a running query before it closes the socket, and starts no further operation', async () => {
      await start({ subscriptions: { drainWindowMs: 50 } });
      const socket = await ready();
      subscribe(socket, '1', '{ heldBook { title } }');
      await library.subgraph.held;
      const closed = library.gateway.close();
      while ((await fetch(`${library.url}/health`).catch(() => undefined)) !== undefined);
      await new Promise((resolve) => {
        setTimeout(resolve, 100);
      });
      subscribe(socket, '2', '{ book(id: 1) { title } }');
      library.subgraph.release();
      expect(await socket.next()).toMatchObject({ id: '1', type: 'next', payload: { data: { heldBook: { title: 'Momo' } } } });
      expect(await socket.next()).toEqual({ id: '1', type: 'complete' });
      expect((await socket.closed).code).toBe(1012);
      expect(socket.waiting).toEqual([]);
      await closed;
    });

    it('terminates the socket of a client that ignores the close frame', async () => {
      await start({ server: { drainTimeoutMs: 500 }, subscriptions: { drainWindowMs: 100 } });
      const socket = await ready();
      socket.pause();
      await library[Symbol.asyncDispose]();
      socket.resume();
      await socket.closed;
    });
  });
});
