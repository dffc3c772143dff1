import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { GatewayConfigInput } from '../../../gateway/index.ts';
import { GatewayError } from '../../../gateway/platform/errors.ts';
import { DEVELOPMENT_KEY, type LibraryGateway, startLibraryGateway } from '../../fixtures/library-graph.ts';
import { createHandFedStreams, type HandFedStreams } from '../../support/streams/hand-fed-streams.ts';
import { sharedByTests } from '../../support/stack/shared-by-tests.ts';
import { readStream, type StreamReader } from '../../support/streams/stream-reader.ts';
import { signToken } from '../../support/identity/tokens.ts';

const RENAMED = 'subscription { bookRenamed { id } }';
const BOOK = '{ book(id: 1) { title } }';
const EVENTS = 'text/event-stream';
const PARTS = 'multipart/mixed;boundary="graphql";subscriptionSpec="1.0",application/json';
const SECRET = 's'.repeat(40);

const bearer = (claims: Parameters<typeof signToken>[0]): string => `Bearer ${signToken(claims, { key: DEVELOPMENT_KEY })}`;

describe('streams of events over HTTP', () => {
  let streams: HandFedStreams;
  let library: LibraryGateway;
  /** Gateway of a single test. */
  let owned: LibraryGateway | undefined;
  let readers: StreamReader[];
  let folder: string;

  beforeEach(async () => {
    readers = [];
    streams = createHandFedStreams();
    folder = await mkdtemp(join(tmpdir(), 'gatefold-streams-'));
  });
  afterEach(async () => {
    await Promise.all(readers.map((reader) => reader[Symbol.asyncDispose]()));
    await owned?.[Symbol.asyncDispose]();
    owned = undefined;
    await rm(folder, { recursive: true });
  });

  /** Gateway of all tests that need no special settings and do not count open streams. */
  const plain = sharedByTests(async () => startLibraryGateway({ subscribe: async (request) => streams.subscribe(request) }));
  const usePlain = (): void => {
    library = plain();
  };

  async function start(config: Omit<GatewayConfigInput, 'supergraph'> = {}): Promise<void> {
    owned = await startLibraryGateway({ subscribe: streams.subscribe, config });
    library = owned;
  }

  async function read(init: RequestInit & { readonly target?: string }): Promise<StreamReader> {
    const { target = '', ...rest } = init;
    const reader = await readStream(`${library.url}/graphql${target}`, rest);
    readers.push(reader);
    return reader;
  }

  function post(body: object, accept: string, headers: Record<string, string> = {}): Promise<StreamReader> {
    return read({ method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', accept, ...headers } });
  }

  function get(query: string, accept: string, headers: Record<string, string> = {}): Promise<StreamReader> {
    return read({ target: `?query=${encodeURIComponent(query)}`, headers: { accept, ...headers } });
  }

  describe('errors before a stream begins', () => {
    beforeEach(usePlain);

    it.each<[string, string, object, string, number, string]>([
      ['a subscription by GET', 'GET', { query: RENAMED }, 'application/json', 405, 'METHOD_NOT_ALLOWED'],
      ['a subscription by GET with any media type', 'GET', { query: RENAMED }, '*/*', 405, 'METHOD_NOT_ALLOWED'],
      ['a subscription by POST', 'POST', { query: RENAMED }, 'application/json', 400, 'BAD_REQUEST'],
      ['events with a quality of 0', 'POST', { query: RENAMED }, 'text/event-stream;q=0, application/json', 400, 'BAD_REQUEST'],
      [
        'multipart of an unknown version',
        'POST',
        { query: RENAMED },
        'multipart/mixed;subscriptionSpec="2.0", application/json',
        400,
        'BAD_REQUEST',
      ],
      ['a mutation by GET', 'GET', { query: 'mutation { renameBook(id: 1, title: "a") { id } }' }, EVENTS, 405, 'METHOD_NOT_ALLOWED'],
      ['no document', 'POST', {}, EVENTS, 400, 'BAD_REQUEST'],
      [
        'an invalid document without accepting JSON',
        'POST',
        { query: 'subscription { nothing }' },
        EVENTS,
        400,
        'GRAPHQL_VALIDATION_FAILED',
      ],
      [
        'an invalid document that also accepts JSON',
        'POST',
        { query: 'subscription { nothing }' },
        `${EVENTS}, application/json`,
        200,
        'GRAPHQL_VALIDATION_FAILED',
      ],
      ['an invalid document as multipart', 'POST', { query: 'subscription { nothing }' }, PARTS, 200, 'GRAPHQL_VALIDATION_FAILED'],
      [
        'an unknown hash',
        'POST',
        { extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } },
        EVENTS,
        200,
        'PERSISTED_QUERY_NOT_FOUND',
      ],
    ])('%s returns JSON with the status of its error code', async (_case, ...[method, body, accept, status, code]) => {
      const parameters = new URLSearchParams(body as Record<string, string>);
      const reader = method === 'GET' ? await read({ target: `?${parameters.toString()}`, headers: { accept } }) : await post(body, accept);
      expect(reader.status).toBe(status);
      expect(JSON.parse(await reader.rest())).toMatchObject({ errors: [{ extensions: { code } }] });
      if (status === 405) expect(reader.headers.get('allow')).toContain('POST');
      expect(streams.opened).toEqual([]);
    });

    it.each([
      ['an invalid token', { authorization: 'Bearer nothing' }, 401],
      ['two credentials in one header', { authorization: 'Bearer a, Bearer b' }, 401],
      ['an event ID that is too long', { 'last-event-id': 'x'.repeat(257) }, 400],
    ])('%s returns the matching error status', async (_case, headers, status) => {
      expect((await get(RENAMED, EVENTS, headers)).status).toBe(status);
    });

    it('a cross-site form returns 400 CSRF_BLOCKED', async () => {
      const reader = await read({ method: 'POST', body: `query=${RENAMED}`, headers: { accept: EVENTS, 'content-type': 'text/plain' } });
      expect([reader.status, await reader.rest()]).toEqual([400, expect.stringContaining('CSRF_BLOCKED')]);
    });

    it('a stream that cannot be opened returns the status of the error', async () => {
      owned = await startLibraryGateway({
        async subscribe() {
          throw new GatewayError('SUBGRAPH_UNAVAILABLE', 'The subgraph is unavailable.', { headers: { 'retry-after': '1' } });
        },
      });
      library = owned;
      const reader = await get(RENAMED, EVENTS);
      expect([reader.status, reader.headers.get('retry-after')]).toEqual([503, '1']);
    });

    it('returns 429 at the stream limit of an address, and still serves queries', async () => {
      await start({ subscriptions: { maxConnectionsPerAddress: 1 } });
      await get(RENAMED, EVENTS);
      const second = await get(RENAMED, EVENTS);
      expect([second.status, streams.opened.length]).toEqual([429, 1]);
      expect((await get(BOOK, EVENTS)).status).toBe(200);
      await readers[0]?.[Symbol.asyncDispose]();
      await (await streams.next()).returned;
      expect((await get(RENAMED, EVENTS)).status).toBe(200);
    });
  });

  describe('queries and mutations', () => {
    beforeEach(usePlain);

    it.each([
      ['GET', `${EVENTS}, application/json`],
      ['POST', `${EVENTS}, application/json`],
      ['POST', PARTS],
    ])('a query by %s with Accept: %s returns one JSON response', async (method, accept) => {
      const reader = method === 'GET' ? await get(BOOK, accept) : await post({ query: BOOK }, accept);
      expect(reader.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(JSON.parse(await reader.rest())).toEqual({ data: { book: { title: 'Momo' } } });
    });

    it('a query returns one event to a client that accepts only events', async () => {
      const reader = await post({ query: BOOK }, EVENTS);
      expect(reader.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      expect(reader.headers.get('x-content-type-options')).toBe('nosniff'); // The header must not be repeated.
      expect(await reader.rest()).toBe('event: next\ndata: {"data":{"book":{"title":"Momo"}}}\n\nevent: complete\ndata:\n\n');
    });

    it('a mutation runs once for a client that accepts only events', async () => {
      const reader = await post({ query: 'mutation { renameBook(id: 1, title: "Krabat") { title } }' }, EVENTS);
      expect(await reader.rest()).toContain('"title":"Krabat"');
    });
  });

  describe('server-sent events', () => {
    it.each(['GET', 'POST'])('a subscription by %s sends events with their IDs, then complete', async (method) => {
      usePlain();
      const reader = method === 'GET' ? await get(RENAMED, EVENTS) : await post({ query: RENAMED }, EVENTS);
      const stream = await streams.next();
      expect(stream.request).toMatchObject({ transport: 'sse' });
      expect(await reader.until(/\n\n/)).toBe(':\n\n');
      stream.push({ bookRenamed: { id: '1' } }, '17-0');
      await reader.until(/data/);
      stream.push({ bookRenamed: { id: '2' } });
      stream.push({ bookRenamed: { id: '3' } }, 'a\nevent: forged');
      stream.end();
      expect(await reader.rest()).toBe(
        ':\n\nevent: next\nid: 17-0\ndata: {"data":{"bookRenamed":{"id":"1"}}}\n\nevent: next\ndata: {"data":{"bookRenamed":{"id":"2"}}}\n\n' +
          'event: next\ndata: {"data":{"bookRenamed":{"id":"3"}}}\n\nevent: complete\ndata:\n\n',
      );
      expect(Object.fromEntries(reader.headers)).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      expect(reader.headers.get('content-encoding')).toBeNull();
    });

    it.each([
      ['the header', { 'last-event-id': '17-0' }, {}],
      ['the body', {}, { extensions: { lastEventId: '17-0' } }],
    ])('resumes after the event ID in %s', async (_case, headers, more) => {
      usePlain();
      await post({ query: RENAMED, ...more }, EVENTS, headers);
      expect((await streams.next()).request.lastEventId).toBe('17-0');
    });

    it('accepts an event ID with characters beyond ASCII', async () => {
      usePlain();
      const { hostname, port } = new URL(library.url);
      const socket = connect(Number(port), hostname);
      const target = `/graphql?query=${encodeURIComponent(RENAMED)}`;
      socket.write(Buffer.from(`GET ${target} HTTP/1.1\r\nhost: a\r\naccept: ${EVENTS}\r\nlast-event-id: 17-ä€\r\n\r\n`));
      expect((await streams.next()).request.lastEventId).toBe('17-ä€');
      socket.destroy();
    });

    it.each(['PUT', 'DELETE'])('%s opens no stream', async (method) => {
      usePlain();
      const reader = await read({ method, target: `?query=${encodeURIComponent(RENAMED)}`, headers: { accept: EVENTS } });
      expect(reader.status).toBe(405);
      await reader.rest();
      expect(streams.opened).toEqual([]);
    });

    it('the health endpoint counts open streams', async () => {
      await start();
      await get(RENAMED, EVENTS);
      await get(RENAMED, EVENTS);
      const reported = (await (await fetch(`${library.internalUrl}/health/streams`)).json()) as object;
      expect(reported).toEqual({ status: 'ok', connections: 2, subscribers: 0, shared: 0, dropped: 0, missed: 0 });
      expect((await fetch(`${library.url}/health/streams`)).status).toBe(404);
    });

    it('the last event has the reason when a stream fails', async () => {
      usePlain();
      const reader = await get(RENAMED, EVENTS);
      (await streams.next()).fail(new GatewayError('SUBSCRIPTION_SCHEMA_RELOAD', 'The schema has changed.'));
      expect(await reader.rest()).toMatch(
        /event: next\ndata: \{"errors":\[.*"SUBSCRIPTION_SCHEMA_RELOAD".*\]\}\n\nevent: complete\ndata:\n\n$/,
      );
    });

    it('sends heartbeats without events', async () => {
      await start({ subscriptions: { heartbeatIntervalMs: 100 } });
      await (await get(RENAMED, EVENTS)).until(/^(?::\n\n){3}/);
    });

    it('buffers events of a stalled client in the engine, and closes it on timeout', async () => {
      await start({ subscriptions: { websocket: { stallTimeoutMs: 500 } } });
      const { hostname, port } = new URL(library.url);
      const socket = connect(Number(port), hostname);
      socket.pause().write(`GET /graphql?query=${encodeURIComponent(RENAMED)} HTTP/1.1\r\nhost: a\r\naccept: ${EVENTS}\r\n\r\n`);
      const stream = await streams.next();
      for (let count = 0; count < 200; count += 1) stream.push({ bookRenamed: { title: 'x'.repeat(100_000) } });
      await stream.returned;
      expect(stream.backlog).toBeGreaterThan(100);
      socket.destroy();
    });

    it('ends the stream when the client disconnects', async () => {
      usePlain();
      const reader = await get(RENAMED, EVENTS);
      const stream = await streams.next();
      await reader[Symbol.asyncDispose]();
      await stream.returned;
    });

    it('ends with TOKEN_EXPIRED when the token expires', async () => {
      usePlain();
      const authorization = bearer({ sub: '1', exp: Math.floor(Date.now() / 1_000) + 1 });
      const reader = await get(RENAMED, EVENTS, { authorization });
      const stream = await streams.next();
      expect(stream.request.principal.id).toBe('1');
      expect(await reader.rest()).toContain('"code":"TOKEN_EXPIRED"');
      await stream.returned;
    });

    it('ends when the API key is revoked', async () => {
      const file = join(folder, 'keys.json');
      const sha256 = createHash('sha256').update(SECRET).digest('hex');
      await writeFile(file, JSON.stringify({ keys: [{ id: 'till', sha256 }] }));
      await start({
        auth: { developmentKey: DEVELOPMENT_KEY, providers: { apiKey: { file } } },
        subscriptions: { credentialCheckIntervalMs: 300 },
      });
      const reader = await get(RENAMED, EVENTS, { 'x-api-key': `till.${SECRET}` });
      await streams.next();
      await writeFile(file, JSON.stringify({ keys: [] }));
      expect(await reader.rest()).toContain('"code":"TOKEN_EXPIRED"');
    });

    it('sends a retry delay and no complete event when the gateway closes', async () => {
      await start({ subscriptions: { drainWindowMs: 100 } });
      const reader = await get(RENAMED, EVENTS);
      const stream = await streams.next();
      await library[Symbol.asyncDispose]();
      await stream.returned;
      expect(await reader.rest()).toMatch(/^:\n\nretry: \d+\n\n$/);
    });
  });

  describe('multipart subscriptions', () => {
    const part = (body: string): string => `\r\ncontent-type: application/json; charset=utf-8\r\n\r\n${body}\r\n--graphql`;

    it('sends each event with its ID as the payload of a part', async () => {
      usePlain();
      const reader = await post({ query: RENAMED }, PARTS);
      const stream = await streams.next();
      expect(stream.request).toMatchObject({ transport: 'multipart' });
      stream.push({ bookRenamed: { id: '1' } }, '17-0');
      stream.push({ bookRenamed: null });
      stream.end();
      expect(await reader.rest()).toBe(
        `\r\n--graphql${part('{"payload":{"data":{"bookRenamed":{"id":"1"}},"extensions":{"eventId":"17-0"}}}')}${part('{"payload":{"data":{"bookRenamed":null}}}')}--\r\n`,
      );
      expect(reader.headers.get('content-type')).toBe('multipart/mixed; boundary="graphql"; subscriptionSpec="1.0"');
    });

    it('sends empty JSON objects as heartbeats', async () => {
      await start({ subscriptions: { heartbeatIntervalMs: 100 } });
      await (await post({ query: RENAMED }, PARTS)).until(/\r\n\{\}\r\n--graphql.*\r\n\{\}\r\n--graphql/s);
    });

    it('the last part has a transport error when a stream fails', async () => {
      usePlain();
      const reader = await post({ query: RENAMED }, PARTS);
      (await streams.next()).fail(new GatewayError('SUBGRAPH_UNAVAILABLE', 'The subgraph is unavailable.'));
      expect(await reader.rest()).toMatch(
        /\{"payload":null,"errors":\[\{"message":"The subgraph is unavailable\.".*"SUBGRAPH_UNAVAILABLE".*\}\]\}\r\n--graphql--\r\n$/,
      );
    });

    it('sends a retry delay when the gateway closes', async () => {
      await start({ subscriptions: { drainWindowMs: 100 } });
      const reader = await post({ query: RENAMED }, PARTS);
      await streams.next();
      await library[Symbol.asyncDispose]();
      expect(await reader.rest()).toMatch(/\{"payload":null,"errors":\[.*subscribe again in \d+ ms.*\r\n--graphql--\r\n$/);
    });
  });
});
