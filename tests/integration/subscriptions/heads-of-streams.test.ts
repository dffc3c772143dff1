import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../gateway/platform/errors.ts';
import { DEVELOPMENT_KEY, type LibraryGateway, type LibraryGatewayOptions, startLibraryGateway } from '../../fixtures/library-graph.ts';
import { createHandFedStreams, type HandFedStreams } from '../../support/streams/hand-fed-streams.ts';
import { readStream, type StreamReader } from '../../support/streams/stream-reader.ts';

const RENAMED = 'subscription { bookRenamed { id } }';
const EVENTS = 'text/event-stream';
const MULTIPART_ACCEPT = 'multipart/mixed;boundary="graphql";subscriptionSpec="1.0"';

/** Headers that may differ between two equal responses. */
const OF_THE_CONNECTION = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding']);

describe('headers of streams over HTTP', () => {
  let streams: HandFedStreams;
  let library: LibraryGateway;
  let readers: StreamReader[];

  beforeEach(() => {
    readers = [];
    streams = createHandFedStreams();
  });
  afterEach(async () => {
    await Promise.all(readers.map((reader) => reader[Symbol.asyncDispose]()));
    await library[Symbol.asyncDispose]();
  });

  async function start(options: LibraryGatewayOptions = {}): Promise<void> {
    library = await startLibraryGateway({ subscribe: streams.subscribe, ...options });
  }

  async function request(method: string, accept: string, query = RENAMED, more: Record<string, string> = {}): Promise<StreamReader> {
    const headers = { accept, 'x-correlation-id': 'same', ...more };
    const reader = await readStream(`${library.url}/graphql?query=${encodeURIComponent(query)}`, { method, headers });
    readers.push(reader);
    return reader;
  }

  it.each([
    ['a subscription', RENAMED, EVENTS, 200],
    ['a multipart subscription', RENAMED, MULTIPART_ACCEPT, 200],
    ['a subscription that also accepts JSON', RENAMED, `${EVENTS}, application/json`, 200],
    ['a query', '{ book(id: 1) { title } }', EVENTS, 200],
    ['a mutation', 'mutation { renameBook(id: 1, title: "a") { id } }', EVENTS, 405],
    ['an invalid document', '{ nothing }', EVENTS, 400],
  ])('HEAD for %s returns the headers of GET and opens no stream', async (_what, ...[query, accept, status]) => {
    await start();
    const head = await request('HEAD', accept, query);
    expect([head.status, await head.rest(), streams.opened]).toEqual([status, '', []]);
    const get = await request('GET', accept, query);
    const fieldsOf = ({ headers }: StreamReader) => [...headers].filter(([name]) => !OF_THE_CONNECTION.has(name));
    expect(fieldsOf(head)).toEqual(fieldsOf(get));
  });

  it.each([
    ['events', EVENTS],
    ['multipart', MULTIPART_ACCEPT],
    ['events or JSON', `${EVENTS}, application/json`],
  ])('an unauthenticated request for %s returns 401 with all challenges', async (_what, accept) => {
    const file = join(await mkdtemp(join(tmpdir(), 'gatefold-heads-')), 'keys.json');
    await writeFile(file, '{"keys":[]}');
    await start({
      config: { auth: { developmentKey: DEVELOPMENT_KEY, providers: { apiKey: { file } } } },
      async subscribe() {
        throw new GatewayError('UNAUTHENTICATED', 'Authentication is required. Send credentials with the request.');
      },
    });
    const { status, headers } = await request('GET', accept);
    expect([status, headers.get('www-authenticate')]).toEqual([401, library.gateway.challenges]);
    expect(library.gateway.challenges).toMatch(/^Bearer .*X-API-Key/);
    await rm(dirname(file), { recursive: true });
  });

  it('invalid credentials return 401 with the reason', async () => {
    await start();
    const { headers } = await request('GET', EVENTS, RENAMED, { authorization: 'Bearer nothing' });
    expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('HEAD returns 429 at the stream limit, and does not count as a stream', async () => {
    await start({ config: { subscriptions: { maxConnectionsPerAddress: 1 } } });
    for (const method of ['HEAD', 'HEAD', 'GET']) expect((await request(method, EVENTS)).status).toBe(200);
    expect((await request('HEAD', EVENTS)).status).toBe(429);
  });
});
