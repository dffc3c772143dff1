import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type LibraryGateway, type LibraryGatewayOptions, startLibraryGateway } from '../../fixtures/library-graph.ts';
import { createHandFedStreams, type HandFedStreams } from '../../support/hand-fed-streams.ts';
import { readStream, type StreamReader } from '../../support/stream-reader.ts';

const RENAMED = 'subscription { bookRenamed { id } }';
const EVENTS = 'text/event-stream';
const PARTS = 'multipart/mixed;boundary="graphql";subscriptionSpec="1.0"';

/** What may differ between two answers that say the same. */
const OF_THE_CONNECTION = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding']);

describe('the heads of streams over HTTP', () => {
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

  async function ask(method: string, accept: string, query = RENAMED): Promise<StreamReader> {
    const headers = { accept, 'x-correlation-id': 'same' };
    const reader = await readStream(`${library.url}/graphql?query=${encodeURIComponent(query)}`, { method, headers });
    readers.push(reader);
    return reader;
  }

  it.each([
    ['a subscription', RENAMED, EVENTS, 200],
    ['a subscription, in parts', RENAMED, PARTS, 200],
    ['a subscription, where JSON is taken too', RENAMED, `${EVENTS}, application/json`, 200],
    ['a query', '{ book(id: 1) { title } }', EVENTS, 200],
    ['a mutation', 'mutation { renameBook(id: 1, title: "a") { id } }', EVENTS, 405],
    ['a document that is not valid', '{ nothing }', EVENTS, 400],
  ])(
    'given %s by HEAD, then the head is that of GET, nothing follows it, and no stream is opened',
    async (_what, ...[query, accept, status]) => {
      await start();
      const head = await ask('HEAD', accept, query);
      expect([head.status, await head.rest(), streams.opened]).toEqual([status, '', []]);
      const get = await ask('GET', accept, query);
      const fieldsOf = ({ headers }: StreamReader) => [...headers].filter(([name]) => !OF_THE_CONNECTION.has(name));
      expect(fieldsOf(head)).toEqual(fieldsOf(get));
    },
  );

  it('given as many streams of an address as may be, when asked by HEAD, then it is refused as GET is, and takes no place before', async () => {
    await start({ config: { subscriptions: { maxConnectionsPerAddress: 1 } } });
    for (const method of ['HEAD', 'HEAD', 'GET']) expect((await ask(method, EVENTS)).status).toBe(200);
    expect((await ask('HEAD', EVENTS)).status).toBe(429);
  });
});
