import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { DEVELOPMENT_KEY, type LibraryGateway, startLibraryGateway } from '../../fixtures/library-graph.ts';
import { type AnyMessage, openRawWebSocket, type RawWebSocket, type RawWebSocketOptions } from '../../support/websocket/raw-websocket.ts';
import { sendRaw } from '../../support/http/raw-socket.ts';
import { signToken } from '../../support/identity/tokens.ts';

const SECRET = 's'.repeat(40);

const bearer = (claims: Parameters<typeof signToken>[0]): string => `Bearer ${signToken(claims, { key: DEVELOPMENT_KEY })}`;

describe('WebSocket handshakes on /graphql', () => {
  let library: LibraryGateway;
  let sockets: RawWebSocket[];
  let folder: string;
  const warnings: unknown[][] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatefold-handshakes-'));
    const file = join(folder, 'keys.json');
    await writeFile(file, JSON.stringify({ keys: [{ id: 'till', sha256: createHash('sha256').update(SECRET).digest('hex') }] }));
    const auth = { developmentKey: DEVELOPMENT_KEY, providers: { apiKey: { file } } };
    const logger = { ...silentLogger, warn: (...line: unknown[]) => void warnings.push(line) };
    library = await startLibraryGateway({ config: { auth, server: { cors: { origins: ['https://shop.example.com'] } } }, logger });
  });
  afterAll(async () => {
    await library[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => {
    sockets = [];
  });
  afterEach(async () => {
    await Promise.all(sockets.map((socket) => socket[Symbol.asyncDispose]()));
  });

  it('log rejected origins once per minute, with the setting that decides', async () => {
    for (const origin of ['https://evil.example.com', 'null']) {
      await expect(openRawWebSocket(library.url, { headers: { origin } })).rejects.toThrow();
    }
    expect(warnings.filter(([facts]) => (facts as { setting?: string }).setting === 'server.cors.origins')).toEqual([
      [
        {
          setting: 'server.cors.origins',
          code: 'FORBIDDEN',
          caller: 'web page',
          origin: expect.any(String),
          reason: 'Web pages of this origin may not open a WebSocket to this gateway.',
        },
        'A request was rejected. The setting server.cors.origins decides.',
      ],
    ]);
  });

  async function ready(payload?: AnyMessage, options?: RawWebSocketOptions): Promise<RawWebSocket> {
    const socket = await openRawWebSocket(library.url, options);
    sockets.push(socket);
    socket.send({ type: 'connection_init', payload });
    expect(await socket.next()).toEqual({ type: 'connection_ack' });
    return socket;
  }

  it.each([
    ['no subprotocol', { subprotocol: '' }, 400, 'BAD_REQUEST'],
    ['the legacy subprotocol', { subprotocol: 'graphql-ws' }, 400, 'BAD_REQUEST'],
    ['an unknown subprotocol', { subprotocol: 'mqtt, soap' }, 400, 'BAD_REQUEST'],
    ['a subprotocol with the supported prefix', { subprotocol: 'graphql-transport-ws-2,' }, 400, 'BAD_REQUEST'],
    ['an old version of WebSocket', { headers: { 'sec-websocket-version': '8' } }, 426, 'BAD_REQUEST'],
    ['no version of WebSocket', { headers: { 'sec-websocket-version': '' } }, 426, 'BAD_REQUEST'],
    ['an invalid key', { headers: { 'sec-websocket-key': 'short' } }, 400, 'BAD_REQUEST'],
    ['the origin of another site', { headers: { origin: 'https://evil.example.com' } }, 403, 'FORBIDDEN'],
    ['an allowed origin with another port', { headers: { origin: 'https://shop.example.com:8443' } }, 403, 'FORBIDDEN'],
    ['the origin null', { headers: { origin: 'null' } }, 403, 'FORBIDDEN'],
    ['an invalid token', { headers: { authorization: 'Bearer nothing' } }, 401, 'UNAUTHENTICATED'],
    ['an invalid API key', { headers: { 'x-api-key': `till.${'x'.repeat(40)}` } }, 401, 'UNAUTHENTICATED'],
    ['two credentials', { headers: { 'x-api-key': `till.${SECRET}`, authorization: bearer({ sub: '1' }) } }, 400, 'BAD_REQUEST'],
    ['a token in the URL', { path: '/graphql?access_token=x' }, 400, 'BAD_REQUEST'],
    ['a body', { headers: { 'content-length': '2' } }, 400, 'BAD_REQUEST'],
  ] as const)('returns an HTTP error before any message for %s', async (_case, options, status, code) => {
    const error = await openRawWebSocket(library.url, options).then(
      () => 'accepted',
      (error: Error) => error.message,
    );
    expect(error).toContain(`HTTP/1.1 ${status} `);
    expect(error.toLowerCase()).toContain('x-correlation-id: ');
    expect(JSON.parse(error.slice(error.indexOf('{')))).toMatchObject({ errors: [{ extensions: { code } }] });
  });

  it.each([
    ['a request without an origin', {}],
    ['the origin of the gateway', undefined],
    ['an allowed origin', { origin: 'https://shop.example.com' }],
  ])('accepts %s without compression', async (_case, headers) => {
    const own = { origin: library.url };
    const { head } = await ready(undefined, { headers: { 'sec-websocket-extensions': 'permessage-deflate', ...(headers ?? own) } });
    expect(head.toLowerCase()).toContain('sec-websocket-protocol: graphql-transport-ws');
    expect(head.toLowerCase()).not.toContain('permessage-deflate');
  });

  it('returns the supported version for an unsupported WebSocket version', async () => {
    const { text } = await sendRaw(library.url, `GET /graphql HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`);
    expect(text).toMatch(/^sec-websocket-version: 13\r$/im);
    expect(text).toMatch(/^upgrade: websocket\r$/im);
    expect(text).toMatch(/^connection: upgrade, close\r$/im);
  });

  it.each([
    ['graphql-ws, graphql-transport-ws'],
    ['graphql-transport-ws, graphql-transport-ws'],
    ['graphql-transport-ws,'],
    [', ,graphql-transport-ws , mqtt'],
    ['graphql-transport-ws, what is no name'],
  ])('selects the supported one of the subprotocols "%s"', async (subprotocol) => {
    const { head } = await ready(undefined, { subprotocol });
    expect(head.toLowerCase()).toMatch(/^sec-websocket-protocol: graphql-transport-ws\r?$/m);
  });

  it.each([
    ['after another protocol', { headers: { upgrade: 'h2c, WebSocket' } }],
    ['before another protocol', { headers: { upgrade: 'websocket,h2c', connection: 'keep-alive, Upgrade' } }],
    ['with an absolute target on the host', { path: 'http://a/graphql', headers: { host: 'a' } }],
    ['with an absolute target and a query', { path: 'http://a/graphql?a=b', headers: { host: 'A' } }],
  ])('accepts an upgrade to WebSocket %s', async (_where, options) => {
    expect((await ready(undefined, options)).head).toContain('101');
  });

  it('returns 400 for a target on another host', async () => {
    await expect(openRawWebSocket(library.url, { path: 'http://b/graphql', headers: { host: 'a' } })).rejects.toThrow(/HTTP\/1.1 400 /);
  });

  it.each([
    ['HTTP/2', 'POST', 'connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n'],
    ['an unknown protocol', 'POST', 'connection: upgrade\r\nupgrade: something/3\r\n'],
    ['another protocol by an ordinary POST', 'POST', 'connection: upgrade\r\nupgrade: soap\r\n'],
  ])('ignores an upgrade to %s and leaves the connection open', async (_case, method, headers) => {
    const body = JSON.stringify({ query: '{ book(id: 1) { title } }' });
    const request = (offer: string): string =>
      `${method} /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${offer}content-length: ${body.length}\r\n\r\n${body}`;
    const { statuses, text } = await sendRaw(library.url, request(headers) + request('connection: close\r\n'));
    expect(statuses).toEqual([200, 200]);
    expect(text.match(/Momo/g)).toHaveLength(2);
  });

  it('an upgrade on another path returns the HTTP response of that path', async () => {
    const error = await openRawWebSocket(library.url, { path: '/health/live' }).then(
      () => 'accepted',
      (error: Error) => error.message,
    );
    expect(error).toContain('HTTP/1.1 200 ');
  });
});
