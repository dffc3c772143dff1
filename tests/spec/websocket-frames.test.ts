import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type LibraryGateway, startLibraryGateway } from '../fixtures/library-graph.ts';
import { createHandFedStreams, type HandFedStreams } from '../support/streams/hand-fed-streams.ts';
import { sharedByTests } from '../support/stack/shared-by-tests.ts';
import {
  type Frame,
  openRawWebSocket,
  type RawWebSocket,
  type RawWebSocketOptions,
  writeFrame,
} from '../support/websocket/raw-websocket.ts';

/** Tests the layer below the messages: the upgrade to WebSocket and its frames (RFC 6455, sections 4.2 and 5). */
describe('WebSocket conformance', () => {
  let streams: HandFedStreams;
  let library: LibraryGateway;
  let sockets: RawWebSocket[];

  const plain = sharedByTests(async () => startLibraryGateway({ subscribe: async (request) => streams.subscribe(request) }));
  const narrow = sharedByTests(async () =>
    startLibraryGateway({ config: { subscriptions: { maxConnections: 3, websocket: { maxUnacknowledged: 2 } } } }),
  );

  beforeEach(() => {
    sockets = [];
    streams = createHandFedStreams();
    library = plain();
  });
  afterEach(async () => {
    await Promise.all(sockets.map((socket) => socket[Symbol.asyncDispose]()));
  });

  async function open(options?: RawWebSocketOptions): Promise<RawWebSocket> {
    const socket = await openRawWebSocket(library.url, options);
    sockets.push(socket);
    return socket;
  }

  async function ready(): Promise<RawWebSocket> {
    const socket = await open();
    socket.send({ type: 'connection_init' });
    expect(await socket.next()).toEqual({ type: 'connection_ack' });
    return socket;
  }

  /** Waits until the gateway has processed all earlier messages. */
  async function settled(socket: RawWebSocket): Promise<void> {
    socket.send({ type: 'ping' });
    expect(await socket.next()).toEqual({ type: 'pong' });
  }

  describe('the handshake', () => {
    it.each([
      ['the supported subprotocol among others', 'graphql-ws, graphql-transport-ws , soap'],
      ['the supported subprotocol alone', 'graphql-transport-ws'],
      ['the supported subprotocol twice', 'graphql-transport-ws, graphql-transport-ws'],
      ['a list with an empty element', 'graphql-transport-ws,, soap'],
      ['an invalid name in the list', 'graphql-transport-ws, a b'],
    ])('selects graphql-transport-ws for %s', async (_case, subprotocol) => {
      expect((await open({ subprotocol })).head).toMatch(/^sec-websocket-protocol: graphql-transport-ws$/im);
    });

    it.each([
      ['the supported subprotocol in another case', 'GraphQL-Transport-WS'],
      ['only empty elements', ',,'],
      ['an invalid name', 'graphql-transport-ws a'],
    ])('rejects %s with HTTP 400 each time, without blocking other connections', async (_case, subprotocol) => {
      library = narrow();
      for (let count = 0; count < 4; count += 1) await expect(open({ subprotocol })).rejects.toThrow(/^HTTP\/1\.1 400/);
      await settled(await open());
    });

    it('reads frames in the same packet as the upgrade', async () => {
      const { hostname, port, host } = new URL(library.url);
      const socket = connect(Number(port), hostname);
      const lines = ['GET /graphql HTTP/1.1', `Host: ${host}`, 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
      const more = ['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Protocol: graphql-transport-ws', '', ''];
      socket.write(Buffer.concat([Buffer.from([...lines, ...more].join('\r\n')), writeFrame({ payload: '{"type":"connection_init"}' })]));
      let text = '';
      for await (const chunk of socket) {
        text += String(chunk);
        if (text.includes('connection_ack')) break;
      }
      expect(text).toContain('{"type":"connection_ack"}');
    });
  });

  describe('frames', () => {
    it('a binary message closes the socket with 4400', async () => {
      const socket = await ready();
      socket.sendFrame({ opcode: 2, payload: '{"type":"ping"}' });
      expect(await socket.closed).toEqual({ code: 4400, reason: 'Invalid message: messages must be text.' });
    });

    it('a message of 64 KiB plus one byte closes the socket with 1009', async () => {
      const socket = await ready();
      socket.sendFrame({ payload: ' '.repeat(65_537) });
      expect((await socket.closed).code).toBe(1009);
    });

    it('a message of 64 KiB is read', async () => {
      const socket = await ready();
      socket.sendFrame({ payload: '{"type":"ping"}'.padEnd(65_536) });
      expect(await socket.next()).toEqual({ type: 'pong' });
    });

    it('a fragmented message beyond 64 KiB closes the socket with 1009', async () => {
      const socket = await ready();
      socket.sendFrame({ payload: ' '.repeat(40_000), isLast: false });
      socket.sendFrame({ opcode: 0, payload: ' '.repeat(40_000) });
      expect((await socket.closed).code).toBe(1009);
    });

    it('invalid UTF-8 closes the socket with 1007', async () => {
      const socket = await ready();
      socket.sendFrame({ payload: Buffer.from([0x22, 0xff, 0xfe, 0x22]) });
      expect((await socket.closed).code).toBe(1007);
    });

    it.each<[string, ...Frame[]]>([
      ['a reserved bit', { reserved: 4, payload: '{"type":"ping"}' }],
      ['an unknown opcode', { opcode: 3, payload: 'x' }],
      ['a continuation without a start', { opcode: 0, payload: 'x' }],
      ['no mask', { isMasked: false, payload: '{"type":"ping"}' }],
      ['a ping in fragments', { opcode: 9, isLast: false, payload: 'x' }],
      ['a ping of more than 125 bytes', { opcode: 9, payload: 'x'.repeat(126) }],
      ['a reserved close code', { opcode: 8, payload: Buffer.from([0x03, 0xed]) }],
      ['half a close code', { opcode: 8, payload: Buffer.from([0x03]) }],
      ['a new message within another', { payload: '{"type":', isLast: false }, { payload: '{}' }],
    ])('a frame with %s closes the socket with 1002', async (_case, ...frames) => {
      const socket = await ready();
      for (const frame of frames) socket.sendFrame(frame);
      expect((await socket.closed).code).toBe(1002);
    });

    it('a ping between the fragments of a message gets a pong, and so does the message', async () => {
      const socket = await ready();
      socket.sendFrame({ payload: '{"type":', isLast: false });
      socket.sendFrame({ opcode: 9, payload: 'between' });
      socket.sendFrame({ opcode: 0, payload: '"ping"}' });
      expect(await socket.next()).toEqual({ type: 'pong' });
    });

    it('a message in too many fragments closes the socket', async () => {
      const socket = await ready();
      for (let count = 0; count < 100; count += 1) socket.sendFrame({ opcode: count === 0 ? 1 : 0, payload: ' ', isLast: false });
      expect([1002, 1008, 1009]).toContain((await socket.closed).code);
    });
  });
});
