import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../gateway/platform/errors.ts';
import { DEVELOPMENT_KEY, type LibraryGateway, startLibraryGateway } from '../fixtures/library-graph.ts';
import { createHandFedStreams, type HandFedStreams } from '../support/streams/hand-fed-streams.ts';
import {
  type AnyMessage,
  openRawWebSocket,
  type RawWebSocket,
  type RawWebSocketOptions,
  writeFrame,
} from '../support/websocket/raw-websocket.ts';
import { signToken } from '../support/identity/tokens.ts';

const RENAMED = 'subscription { bookRenamed { id } }';

/** Tests every rule of https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md with frames that a client library would not send. */
describe('graphql-transport-ws conformance', () => {
  let streams: HandFedStreams;
  let library: LibraryGateway;
  let sockets: RawWebSocket[];

  // One gateway for all tests, because the rules concern a single socket, and each test opens a separate one.
  beforeAll(async () => {
    library = await startLibraryGateway({
      subscribe: async (request) => streams.subscribe(request),
      config: { subscriptions: { websocket: { initTimeoutMs: 300, pingIntervalMs: 400 } } },
    });
  });
  afterAll(async () => library[Symbol.asyncDispose]());
  beforeEach(() => {
    sockets = [];
    streams = createHandFedStreams();
  });
  afterEach(async () => {
    await Promise.all(sockets.map((socket) => socket[Symbol.asyncDispose]()));
  });

  async function open(options?: RawWebSocketOptions): Promise<RawWebSocket> {
    const socket = await openRawWebSocket(library.url, options);
    sockets.push(socket);
    return socket;
  }

  async function ready(payload?: AnyMessage, options?: RawWebSocketOptions): Promise<RawWebSocket> {
    const socket = await open(options);
    socket.send({ type: 'connection_init', ...(payload === undefined ? {} : { payload }) });
    expect(await socket.next()).toEqual({ type: 'connection_ack' });
    return socket;
  }

  function subscribe(socket: RawWebSocket, id: string, query = RENAMED): void {
    socket.send({ id, type: 'subscribe', payload: { query } });
  }

  /** Waits until the gateway has processed all earlier messages. */
  async function settled(socket: RawWebSocket): Promise<void> {
    socket.send({ type: 'ping' });
    expect(await socket.next()).toEqual({ type: 'pong' });
  }

  describe('connection initialization', () => {
    it('closes a silent socket with 4408 after the timeout of connection_init', async () => {
      const socket = await open();
      expect(await socket.closed).toEqual({ code: 4408, reason: 'Connection initialisation timeout' });
    });

    it('closes with 4429 on a second connection_init after the acknowledgement', async () => {
      const socket = await ready();
      socket.send({ type: 'connection_init' });
      expect(await socket.closed).toEqual({ code: 4429, reason: 'Too many initialisation requests' });
    });

    it('closes with 4429 on a second connection_init before the acknowledgement', async () => {
      const socket = await open();
      socket.send({ type: 'connection_init' });
      socket.send({ type: 'connection_init' });
      expect((await socket.closed).code).toBe(4429);
    });

    it('closes with 4401 on an operation before connection_init', async () => {
      const socket = await open();
      subscribe(socket, '1');
      expect(await socket.closed).toEqual({ code: 4401, reason: 'Unauthorized' });
    });

    it('closes with 4401 on an operation before connection_init is acknowledged', async () => {
      const socket = await open();
      const authorization = `Bearer ${signToken({ sub: '1' }, { key: DEVELOPMENT_KEY })}`;
      const messages = [
        { type: 'connection_init', payload: { authorization } },
        { type: 'subscribe', id: '1', payload: { query: RENAMED } },
      ];
      socket.sendBytes(Buffer.concat(messages.map((message) => writeFrame({ payload: JSON.stringify(message) }))));
      expect((await socket.closed).code).toBe(4401);
    });

    it('returns a pong before connection_init', async () => {
      await settled(await open());
    });

    it('copies the payload of a ping to the pong', async () => {
      const socket = await ready();
      socket.send({ type: 'ping', payload: { hello: 'world' } });
      expect(await socket.next()).toEqual({ type: 'pong', payload: { hello: 'world' } });
    });

    it('ignores an unsolicited pong', async () => {
      const socket = await ready();
      socket.send({ type: 'pong', payload: { a: 1 } });
      await settled(socket);
    });

    it('treats null as an absent payload of connection_init', async () => {
      const socket = await open();
      socket.send({ type: 'connection_init', payload: null });
      expect(await socket.next()).toEqual({ type: 'connection_ack' });
    });
  });

  describe('invalid messages', () => {
    it.each([
      ['text that is not JSON', 'connection_init'],
      ['an empty message', ''],
      ['null', 'null'],
      ['a list', '[{"type":"ping"}]'],
      ['a string', '"ping"'],
      ['no type', '{}'],
      ['an unknown type', '{"type":"start","id":"1"}'],
      ['a type of the legacy protocol', '{"type":"connection_terminate"}'],
      ['an upper-case type', '{"type":"PING"}'],
      ['a type that is an inherited property of objects', '{"type":"constructor"}'],
      ['connection_ack, which a server sends', '{"type":"connection_ack"}'],
      ['next, which a server sends', '{"type":"next","id":"1","payload":{"data":{}}}'],
      ['error, which a server sends', '{"type":"error","id":"1","payload":[]}'],
      ['a payload that is a string', '{"type":"connection_init","payload":"x"}'],
      ['a payload that is a list', '{"type":"ping","payload":[]}'],
      ['subscribe without an id', '{"type":"subscribe","payload":{"query":"{ __typename }"}}'],
      ['subscribe with an empty id', '{"type":"subscribe","id":"","payload":{"query":"{ __typename }"}}'],
      ['subscribe with a numeric id', '{"type":"subscribe","id":1,"payload":{"query":"{ __typename }"}}'],
      ['subscribe with an id that is too long', `{"type":"subscribe","id":"${'i'.repeat(65)}","payload":{"query":"{ __typename }"}}`],
      ['subscribe without a payload', '{"type":"subscribe","id":"1"}'],
      ['a batch of operations', '{"type":"subscribe","id":"1","payload":[{"query":"{ __typename }"}]}'],
      ['a query that is a number', '{"type":"subscribe","id":"1","payload":{"query":1}}'],
      ['a name that is an object', '{"type":"subscribe","id":"1","payload":{"query":"{ __typename }","operationName":{}}}'],
      ['variables that are a list', '{"type":"subscribe","id":"1","payload":{"query":"{ __typename }","variables":[]}}'],
      ['extensions that are a string', '{"type":"subscribe","id":"1","payload":{"query":"{ __typename }","extensions":"x"}}'],
      ['complete without an id', '{"type":"complete"}'],
      ['a forbidden key', '{"type":"ping","__proto__":{}}'],
      ['very deep nesting', `{"type":"ping","payload":${'{"a":'.repeat(200)}1${'}'.repeat(200)}}`],
    ])('close the socket with 4400: %s', async (_case, text) => {
      const socket = await ready();
      socket.sendFrame({ payload: text });
      const { code, reason } = await socket.closed;
      expect(code).toBe(4400);
      expect(reason).not.toBe('');
    });
  });

  describe('operations', () => {
    it('a query returns next and complete under its ID', async () => {
      const socket = await ready();
      subscribe(socket, 'a "quoted" id', '{ book(id: 1) { title } }');
      expect(await socket.next()).toEqual({ id: 'a "quoted" id', type: 'next', payload: { data: { book: { title: 'Momo' } } } });
      expect(await socket.next()).toEqual({ id: 'a "quoted" id', type: 'complete' });
    });

    it('a mutation returns next and complete', async () => {
      const socket = await ready();
      subscribe(socket, '1', 'mutation { renameBook(id: 1, title: "Krabat") { title } }');
      expect(await socket.next()).toEqual({ id: '1', type: 'next', payload: { data: { renameBook: { title: 'Krabat' } } } });
      expect(await socket.next()).toEqual({ id: '1', type: 'complete' });
    });

    it.each([
      ['a document with a syntax error', { query: '{ book(' }, 'GRAPHQL_PARSE_FAILED'],
      ['an unknown field', { query: '{ nothing }' }, 'GRAPHQL_VALIDATION_FAILED'],
      ['no document', {}, 'BAD_REQUEST'],
      ['an event id that is too long', { query: RENAMED, extensions: { lastEventId: 'x'.repeat(257) } }, 'BAD_REQUEST'],
      [
        'the hash of an unknown document',
        { extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } },
        'PERSISTED_QUERY_NOT_FOUND',
      ],
    ])('%s ends the operation with an error, and its ID is free again', async (_case, payload, code) => {
      const socket = await ready();
      socket.send({ id: '1', type: 'subscribe', payload });
      expect(await socket.next()).toMatchObject({ id: '1', type: 'error', payload: [{ extensions: { code } }] });
      subscribe(socket, '1', '{ __typename }');
      expect(await socket.next()).toEqual({ id: '1', type: 'next', payload: { data: { __typename: 'Query' } } });
    });

    it('a subscription sends its events with their IDs as next, and its end as complete', async () => {
      const socket = await ready();
      subscribe(socket, '1');
      const stream = await streams.next();
      stream.push({ bookRenamed: { id: '1' } }, 'event-1');
      stream.push({ bookRenamed: { id: '2' } });
      stream.end();
      expect(await socket.next()).toEqual({
        id: '1',
        type: 'next',
        payload: { data: { bookRenamed: { id: '1' } }, extensions: { eventId: 'event-1' } },
      });
      expect(await socket.next()).toEqual({ id: '1', type: 'next', payload: { data: { bookRenamed: { id: '2' } } } });
      expect(await socket.next()).toEqual({ id: '1', type: 'complete' });
      await settled(socket);
    });

    it('a subscription continues after the last event ID of the client', async () => {
      const socket = await ready();
      socket.send({ id: '1', type: 'subscribe', payload: { query: RENAMED, extensions: { lastEventId: 'event-7' } } });
      expect((await streams.next()).request).toMatchObject({ lastEventId: 'event-7', transport: 'websocket' });
    });

    it('a broken stream sends its reason as an error and nothing after it', async () => {
      const socket = await ready();
      subscribe(socket, '1');
      (await streams.next()).fail(new GatewayError('SUBGRAPH_UNAVAILABLE', 'The subgraph is unavailable.'));
      expect(await socket.next()).toMatchObject({ id: '1', type: 'error', payload: [{ extensions: { code: 'SUBGRAPH_UNAVAILABLE' } }] });
      await settled(socket);
    });

    it('an internal error in a stream sends a constant text', async () => {
      const socket = await ready();
      subscribe(socket, '1');
      (await streams.next()).fail(new TypeError('postgres://admin:hunter2@10.0.0.7'));
      const message = await socket.next();
      expect(message).toMatchObject({ id: '1', type: 'error', payload: [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }] });
      expect(JSON.stringify(message)).not.toContain('hunter2');
    });

    it('an operation with an ID in use closes the socket with 4409 and ends the stream', async () => {
      const socket = await ready();
      subscribe(socket, 'twice');
      const stream = await streams.next();
      subscribe(socket, 'twice');
      expect(await socket.closed).toEqual({ code: 4409, reason: 'Subscriber for twice already exists' });
      await stream.returned;
    });

    it('the 51st concurrent operation is rejected, and the others continue', async () => {
      const socket = await ready();
      for (let id = 1; id <= 51; id += 1) subscribe(socket, String(id));
      expect(await socket.next()).toMatchObject({ id: '51', type: 'error', payload: [{ extensions: { code: 'SUBSCRIPTION_LIMIT' } }] });
      for (let id = 1; id <= 50; id += 1) await streams.next();
      streams.opened[0]?.push({ bookRenamed: null });
      expect(await socket.next()).toMatchObject({ type: 'next' });
      socket.send({ id: '1', type: 'complete' });
      subscribe(socket, '52', '{ __typename }');
      expect(await socket.next()).toMatchObject({ id: '52', type: 'next' });
    });

    it('complete for an unknown ID is ignored', async () => {
      const socket = await ready();
      socket.send({ id: 'nobody', type: 'complete' });
      await settled(socket);
    });

    it('complete ends the stream without further messages or a complete in return', async () => {
      const socket = await ready();
      subscribe(socket, '1');
      const stream = await streams.next();
      socket.send({ id: '1', type: 'complete' });
      await stream.returned;
      stream.push({ bookRenamed: { id: '1' } });
      await settled(socket);
      expect(socket.waiting).toEqual([]);
    });

    it('a reused ID gets only new events when its first stream was canceled unopened', async () => {
      const socket = await ready();
      const { release } = streams.hold();
      subscribe(socket, '1');
      socket.send({ id: '1', type: 'complete' });
      subscribe(socket, '1');
      await settled(socket);
      release();
      const [first, second] = [await streams.next(), await streams.next()];
      await first.returned;
      first.push({ bookRenamed: { id: 'first' } });
      second.push({ bookRenamed: { id: 'second' } });
      expect(await socket.next()).toEqual({ id: '1', type: 'next', payload: { data: { bookRenamed: { id: 'second' } } } });
      second.end();
      expect(await socket.next()).toEqual({ id: '1', type: 'complete' });
      await settled(socket);
    });

    it('a reused ID gets only the new result when the first query was canceled in flight', async () => {
      const socket = await ready();
      subscribe(socket, '1', '{ heldBook { title } }');
      await library.subgraph.held;
      socket.send({ id: '1', type: 'complete' });
      subscribe(socket, '1', '{ book(id: 2) { id } }');
      expect(await socket.next()).toEqual({ id: '1', type: 'next', payload: { data: { book: { id: '2' } } } });
      expect(await socket.next()).toEqual({ id: '1', type: 'complete' });
      library.subgraph.release();
      await settled(socket);
      expect(socket.waiting).toEqual([]);
    });

    it.each(['__proto__', 'constructor', '\u0000', '\ud800', '"},{"'])('%j is a valid ID', async (id) => {
      const socket = await ready();
      socket.sendFrame({ payload: JSON.stringify({ id, type: 'subscribe', payload: { query: '{ __typename }' } }) });
      expect(await socket.next()).toEqual({ id, type: 'next', payload: { data: { __typename: 'Query' } } });
      expect(await socket.next()).toEqual({ id, type: 'complete' });
      socket.send({ id, type: 'complete' });
      await settled(socket);
    });

    it('a late end of a canceled stream does not affect the new stream with its ID', async () => {
      const socket = await ready();
      subscribe(socket, '1');
      const first = await streams.next();
      socket.send({ id: '1', type: 'complete' });
      subscribe(socket, '1');
      const second = await streams.next();
      first.fail(new GatewayError('SUBGRAPH_UNAVAILABLE', 'The stream ended too late.'));
      first.end();
      subscribe(socket, '2', '{ __typename }');
      expect(await socket.next()).toMatchObject({ id: '2', type: 'next' });
      expect(await socket.next()).toMatchObject({ id: '2', type: 'complete' });
      second.push({ bookRenamed: { id: 'second' } });
      expect(await socket.next()).toMatchObject({ id: '1', payload: { data: { bookRenamed: { id: 'second' } } } });
      subscribe(socket, '1');
      expect((await socket.closed).code).toBe(4409);
    });

    it('messages after the close frame of the client are ignored', async () => {
      const socket = await ready();
      socket.sendBytes(
        Buffer.concat([
          writeFrame({ opcode: 8, payload: Buffer.from([0x03, 0xe8]) }),
          writeFrame({ payload: JSON.stringify({ id: '1', type: 'subscribe', payload: { query: RENAMED } }) }),
        ]),
      );
      expect((await socket.closed).code).toBe(1000);
      expect(streams.opened).toEqual([]);
    });

    it('the end of a socket ends its streams', async () => {
      const socket = await ready();
      subscribe(socket, '1');
      subscribe(socket, '2');
      const both = [await streams.next(), await streams.next()];
      await socket[Symbol.asyncDispose]();
      await Promise.all(both.map(({ returned }) => returned));
    });

    it('a stream that opens after the end of its socket is ended', async () => {
      const socket = await ready();
      const { release } = streams.hold();
      subscribe(socket, '1');
      await settled(socket);
      await socket[Symbol.asyncDispose]();
      await wait(20);
      release();
      await (await streams.next()).returned;
    });
  });

  describe('keep-alive', () => {
    it('closes the socket of a client that does not respond to pings', async () => {
      const socket = await ready(undefined, { respondsToPings: false });
      expect((await socket.closed).code).toBe(1006);
    });

    it('retains the socket of a client that responds to several pings', async () => {
      const socket = await ready();
      await wait(1_500);
      await settled(socket);
    });
  });

  describe('message rate', () => {
    it.each([
      ['messages', { payload: '{"type":"pong"}' }],
      ['WebSocket pings', { opcode: 9, payload: '' }],
      ['unsolicited pongs', { opcode: 10, payload: '' }],
    ])('closes with 4429 on 200 %s at once', async (_case, frame) => {
      const socket = await ready();
      for (let count = 0; count < 200; count += 1) socket.sendFrame(frame);
      expect(await socket.closed).toEqual({ code: 4429, reason: 'Too many messages' });
    });

    it('reads 90 messages at once', async () => {
      const socket = await ready();
      for (let count = 0; count < 90; count += 1) socket.send({ type: 'ping' });
      for (let count = 0; count < 90; count += 1) expect(await socket.next()).toEqual({ type: 'pong' });
    });
  });
});
