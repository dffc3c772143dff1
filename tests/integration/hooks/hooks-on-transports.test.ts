import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Hooks } from '../../../gateway/index.ts';
import { GatewayError } from '../../../gateway/platform/errors.ts';
import { createRestFacade } from '../../../rest-facade/index.ts';
import { type LibraryGateway, startLibraryGateway } from '../../fixtures/library-graph.ts';
import { createHttpClient, type HttpClient } from '../../support/http/http-client.ts';
import { createHandFedStreams } from '../../support/streams/hand-fed-streams.ts';
import { readStream } from '../../support/streams/stream-reader.ts';
import { openRawWebSocket } from '../../support/websocket/raw-websocket.ts';

const BOOK = '{ book(id: "1") { id title } }';
const EVENTS = 'subscription { bookRenamed { title } }';
const DOCUMENTS = [
  {
    path: 'rest/books.graphql',
    text: `"Get a book"
query GetBook($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/books/{id}") { book(id: $id) @result { id title } }`,
  },
  {
    path: 'rest/events.graphql',
    text: `"Follow the books"
subscription FollowBooks @endpoint(method: GET, path: "/books/events") { bookRenamed @result { id title } }`,
  },
];

/** Hooks that have run, in order, and the errors that they throw next. */
const runs: string[] = [];
const failing = new Map<keyof Hooks, unknown>();

/** Records the names of the hooks of a request and makes the changes that a client can see. */
const recording: Hooks = {
  onRequest: ({ transport }) => note('onRequest', transport, { headers: { tenant: 'blue' } }),
  onOperation: ({ kind }) => note('onOperation', kind, undefined),
  onPlan: ({ kind }) => note('onPlan', kind, undefined),
  onSubgraphRequest: ({ subgraph, request }) => note('onSubgraphRequest', `${subgraph} ${String(request?.headers['tenant'])}`, undefined),
  onSubgraphResponse: ({ status }) => note('onSubgraphResponse', status, undefined),
  onResponse: ({ errorCodes }) =>
    note('onResponse', errorCodes.join(), { headers: { 'access-control-expose-headers': 'hooks' }, extensions: { team: 1 } }),
  onEvent: ({ request }) => note('onEvent', request.transport, { data: { bookRenamed: { title: 'Changed' } } }),
};

function note<Changes>(name: keyof Hooks, fact: unknown, changes: Changes): Changes {
  runs.push(`${name} ${String(fact)}`);
  if (failing.has(name)) throw failing.get(name);
  return changes;
}

const streams = createHandFedStreams();
let library: LibraryGateway;
let client: HttpClient;
beforeAll(async () => {
  library = await startLibraryGateway({
    hooks: recording,
    subscribe: streams.subscribe,
    config: { graphql: { maxBatchedOperations: 5 } },
    prepare: (gateway) => gateway.mount(createRestFacade({ gateway, documents: DOCUMENTS })),
  });
  client = createHttpClient({ origin: library.url });
  await client.post('/graphql', { query: BOOK }); // plans the operation
});
afterAll(async () => library[Symbol.asyncDispose]());

const ofQuery = (transport: string) => [
  `onRequest ${transport}`,
  'onOperation query',
  'onSubgraphRequest library blue',
  'onSubgraphResponse 200',
  'onResponse ',
];

/** Runs a request with an empty record and the given failures. */
async function recorded<Result>(work: () => Promise<Result>, failures: readonly (readonly [keyof Hooks, unknown])[] = []): Promise<Result> {
  runs.length = 0;
  failing.clear();
  for (const [name, error] of failures) failing.set(name, error);
  try {
    return await work();
  } finally {
    failing.clear();
  }
}

const post = async (query: string) => client.post('/graphql', { query }, { headers: { accept: 'application/graphql-response+json' } });

describe('a hook that throws', () => {
  it.each<keyof Hooks>(['onRequest', 'onOperation', 'onResponse'])('%s rejects the operation with its GatewayError', async (name) => {
    const { status, body } = await recorded(async () => post(BOOK), [[name, new GatewayError('FORBIDDEN', 'Not for you.')]]);
    expect([status, body]).toEqual([
      403,
      { errors: [{ message: 'Not for you.', extensions: { code: 'FORBIDDEN', requestId: expect.any(String) } }] },
    ]);
  });

  it.each<keyof Hooks>(['onRequest', 'onOperation', 'onResponse'])('%s does not reveal the text of another error', async (name) => {
    const { status, text } = await recorded(async () => post(BOOK), [[name, new Error('postgres://user:password@db')]]);
    expect([status, text.includes('postgres')]).toEqual([500, false]);
    expect(text).toContain('INTERNAL_SERVER_ERROR');
  });

  it.each<keyof Hooks>(['onSubgraphRequest', 'onSubgraphResponse'])('%s makes the fields of the request fail', async (name) => {
    const { status, body } = await recorded(async () => post(BOOK), [[name, new GatewayError('CONFLICT', 'The shelf is moving.')]]);
    const error = { message: 'The shelf is moving.', path: ['book'], extensions: expect.objectContaining({ code: 'CONFLICT' }) };
    expect([status, body]).toMatchObject([200, { data: { book: null }, errors: [error] }]);
  });

  it('onPlan rejects the operation, and the next request plans again', async () => {
    const query = '{ other: book(id: "2") { id } }';
    const rejected = await recorded(async () => post(query), [['onPlan', new GatewayError('FORBIDDEN', 'Too many fetches.')]]);
    expect(rejected.status).toBe(403);
    const served = await recorded(async () => post(query));
    expect([served.status, runs]).toEqual([
      200,
      ['onRequest graphql', 'onOperation query', 'onPlan query', ...ofQuery('graphql').slice(2)],
    ]);
  });

  it('onResponse runs for an operation that the gateway rejects', async () => {
    const { headers } = await recorded(async () => post('{ nothing }'));
    expect([runs, headers['access-control-expose-headers']]).toEqual([
      ['onRequest graphql', 'onResponse GRAPHQL_VALIDATION_FAILED'],
      'hooks',
    ]);
  });
});

describe('the hooks of a query', () => {
  const changed = { data: { book: { id: '1', title: 'Momo' } }, extensions: { team: 1 } };

  it('run once with POST, and change header and extensions', async () => {
    const { body, headers } = await recorded(async () => post(BOOK));
    expect([runs, body, headers['access-control-expose-headers'], headers['cache-control']]).toEqual([
      ofQuery('graphql'),
      changed,
      'hooks',
      'no-store',
    ]);
  });

  it('run for the hash of a persisted document with GET', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(BOOK).digest('hex') } };
    await client.post('/graphql', { query: BOOK, extensions });
    const path = `/graphql?extensions=${encodeURIComponent(JSON.stringify(extensions))}`;
    for (let time = 0; time < 2; time += 1) {
      const { body } = await recorded(async () => client.get(path));
      expect([runs, body]).toEqual([ofQuery('graphql'), changed]);
    }
  });

  it('run for each operation of a batch', async () => {
    const { body } = await recorded(async () => client.post('/graphql', [{ query: BOOK }, { query: BOOK }]));
    expect(body).toEqual([changed, changed]);
    expect(runs.toSorted()).toEqual([...ofQuery('graphql'), ...ofQuery('graphql')].toSorted());
  });

  it('run for a REST resource, which has the header and no extensions', async () => {
    await client.get('/books/1'); // plans the operation
    const { body, headers } = await recorded(async () => client.get('/books/1'));
    expect([runs, body, headers['access-control-expose-headers']]).toEqual([ofQuery('rest'), { id: '1', title: 'Momo' }, 'hooks']);
  });

  it('run for a WebSocket', async () => {
    await using socket = await openRawWebSocket(library.url);
    socket.send({ type: 'connection_init' });
    await socket.next();
    const { payload } = await recorded(async () => {
      socket.send({ id: '1', type: 'subscribe', payload: { query: BOOK } });
      return socket.next();
    });
    expect([runs, payload]).toEqual([ofQuery('websocket'), changed]);
  });

  it('run for a single result as an event', async () => {
    const { text } = await recorded(async () => client.post('/graphql', { query: BOOK }, { headers: { accept: 'text/event-stream' } }));
    expect([runs, text]).toEqual([ofQuery('sse'), `event: next\ndata: ${JSON.stringify(changed)}\n\nevent: complete\ndata:\n\n`]);
  });

  it('run for the embedding application', async () => {
    const result = await recorded(async () => library.gateway.run({ query: BOOK }));
    expect([runs, result]).toEqual([ofQuery('graphql'), changed]);
  });
});

describe('the hooks of a subscription', () => {
  const renamed = { bookRenamed: { id: '1', title: 'Momo' } };
  const ofStream = (transport: string, streamed = transport) => [
    `onRequest ${transport}`,
    'onOperation subscription',
    `onEvent ${streamed}`,
  ];

  it.each(['onRequest', 'onOperation'] as const)('%s rejects it before the stream opens', async (name) => {
    const opened = streams.opened.length;
    const { status } = await recorded(
      async () => client.post('/graphql', { query: EVENTS }, { headers: { accept: 'text/event-stream' } }),
      [[name, new GatewayError('FORBIDDEN', 'no')]],
    );
    expect([status, streams.opened.length]).toEqual([403, opened]);
  });

  it('run for server-sent events, with the changes of each event', async () => {
    await recorded(async () => {
      await using reader = await readStream(`${library.url}/graphql?query=${encodeURIComponent(EVENTS)}`, {
        headers: { accept: 'text/event-stream' },
      });
      const stream = await streams.next();
      expect(stream.request.headers['tenant']).toBe('blue');
      stream.push(renamed);
      await reader.until(/event: next\ndata: \{"data":\{"bookRenamed":\{"title":"Changed"\}\}\}/);
    });
    expect(runs).toEqual(ofStream('sse'));
  });

  it('run for a WebSocket, and an error of onEvent ends the subscription', async () => {
    await using socket = await openRawWebSocket(library.url);
    socket.send({ type: 'connection_init' });
    await socket.next();
    await recorded(async () => {
      socket.send({ id: '1', type: 'subscribe', payload: { query: EVENTS } });
      const stream = await streams.next();
      expect(stream.request.headers['tenant']).toBe('blue');
      stream.push(renamed);
      expect(await socket.next()).toMatchObject({ payload: { data: { bookRenamed: { title: 'Changed' } } } });
      failing.set('onEvent', new GatewayError('GONE', 'over'));
      stream.push(renamed);
      expect(await socket.next()).toMatchObject({ type: 'error', payload: [{ message: 'over', extensions: { code: 'GONE' } }] });
      await stream.returned;
    });
    expect(runs.slice(0, 3)).toEqual(ofStream('websocket'));
  });

  it('run for the events of a REST resource', async () => {
    await recorded(async () => {
      await using reader = await readStream(`${library.url}/books/events`, { headers: { accept: 'text/event-stream' } });
      (await streams.next()).push(renamed);
      await reader.until(/"title":"Changed"/);
    });
    expect(runs).toEqual(['onRequest rest', 'onEvent rest']);
  });
});
