import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { doubling, HOSTILE_DOCUMENTS, nestedDoubling } from '../../../bench/admission/hostile-documents.ts';
import { type QueryResult, SHAPE_TRANSPORTS, type ShapeTransport, type ShapesUnderTest, startShapes } from './shape-transports.ts';

const GRAPHQL_RESPONSE = { accept: 'application/graphql-response+json' };
const ONE_OF_ITS_KIND = { singleUse: ['Mutation.createPayment'] };

let shapes: ShapesUnderTest;
beforeAll(async () => {
  shapes = await startShapes({ limits: ONE_OF_ITS_KIND });
});
afterAll(async () => shapes[Symbol.asyncDispose]());

const times = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

/** Builds levels of `author { posts { … } }` below the root. Each field is one level. */
const levels = (depth: number): string => {
  const names = Array.from({ length: depth - 2 }, (_, index) => (index % 2 === 0 ? 'posts' : 'author'));
  return `user(id: 1) { ${names.map((name) => `${name} {`).join(' ')} id ${'}'.repeat(names.length)} }`;
};

async function expectRejected(transport: ShapeTransport, requested: QueryResult, code: string): Promise<void> {
  const before = shapes.requested();
  for (const [headers, status] of [[GRAPHQL_RESPONSE, 400] as const, [{ accept: 'application/json' }, 200] as const]) {
    const { status: reported, body } = await transport.request(shapes.http, requested, headers);
    expect({ status: reported, codes: [...new Set(body.errors?.map(({ extensions }) => extensions.code))] }).toEqual({
      status,
      codes: [code],
    });
    expect(body).not.toHaveProperty('data');
  }
  expect(shapes.requested()).toBe(before);
}

async function expectServed(transport: ShapeTransport, requested: QueryResult): Promise<void> {
  const before = shapes.requested();
  const { status, body } = await transport.request(shapes.http, requested);
  expect(status).toBe(200);
  expect(body).toHaveProperty('data');
  expect(shapes.requested()).toBeGreaterThan(before);
}

describe.each(SHAPE_TRANSPORTS)('operation shapes by $name', (transport) => {
  const isGet = transport.name !== 'POST';

  it.each<[string, string]>([
    ['4,001 tokens', `{ me { ${'id '.repeat(3_997)} } }`],
    ...(isGet ? [] : [['50,000 aliases', `{ ${times(50_000, (index) => `a${index}: me`)} }`] as [string, string]]),
  ])('Token flood: rejects %s', async (_what, query) => {
    await expectRejected(transport, { query }, 'TOKEN_LIMIT_EXCEEDED');
  });

  it.each([
    ['direct', (depth: number) => `{ ${levels(depth)} }`],
    ['in inline fragments', (depth: number) => `{ ... on Query { ... { ${levels(depth)} } } }`],
    ['in named fragments', (depth: number) => `{ ...A } fragment A on Query { ...B } fragment B on Query { ${levels(depth)} }`],
    ['in both', (depth: number) => `{ ... { ...A } } fragment A on Query { ... on Query { ${levels(depth)} } }`],
  ])('Deep nesting: accepts twelve levels %s, and rejects thirteen', async (_how, write) => {
    await expectRejected(transport, { query: write(13) }, 'DEPTH_LIMIT_EXCEEDED');
    for (const depth of [11, 12]) {
      const { body } = await transport.request(shapes.http, { query: write(depth) });
      expect(body.errors?.map(({ extensions }) => extensions.code)).not.toContain('DEPTH_LIMIT_EXCEEDED');
    }
  });

  it('Deep nesting: rejects 1,300 levels', async () => {
    await expectRejected(transport, { query: `${'{me'.repeat(1_300)}${'}'.repeat(1_300)}` }, 'DEPTH_LIMIT_EXCEEDED');
  });

  it.each<[string, string]>([
    ['31 aliases', `{ me { ${times(31, (index) => `a${index}: name`)} } }`],
    [
      'five fragments of seven aliases',
      `{ me { ${times(5, (index) => `...F${index}`)} } } ${times(5, (index) => `fragment F${index} on User { ${times(7, (field) => `a${index}_${field}: name`)} }`)}`,
    ],
  ])('Alias overload: rejects %s', async (_what, query) => {
    await expectRejected(transport, { query }, 'ALIAS_LIMIT_EXCEEDED');
  });

  it('Alias overload: rejects two payments in one mutation', async () => {
    const pay = '(input: { orderId: 1, amount: 1, currency: "EUR", method: CARD }, idempotencyKey: "k") { payment { id } }';
    const query = `mutation { a: createPayment${pay} b: createPayment${pay} }`;
    await expectRejected(transport, { query }, 'ALIAS_LIMIT_EXCEEDED');
  });

  it.each<[string, string, string]>([
    ['21 root fields', `{ ${'me { id } '.repeat(21)} }`, 'ROOT_FIELD_LIMIT_EXCEEDED'],
    ['2,001 selections', `{ me { ${'id '.repeat(2_000)} } }`, 'SELECTION_LIMIT_EXCEEDED'],
    ...Array.from({ length: 31 }, (_, index): [string, string, string] => [
      `${index + 10} doubling fragments`,
      doubling(index + 10),
      'SELECTION_LIMIT_EXCEEDED',
    ]),
    ...Array.from({ length: 35 }, (_, index): [string, string, string] => [
      `${index + 6} nested doubling fragments`,
      nestedDoubling(index + 6),
      'DEPTH_LIMIT_EXCEEDED',
    ]),
  ])('Root and breadth overload: rejects %s', async (_what, query, code) => {
    await expectRejected(transport, { query }, code);
  });

  it.each(
    HOSTILE_DOCUMENTS.filter(({ rejectedBy, text }) => rejectedBy !== undefined && (!isGet || text.length < 10_000)).map(
      ({ name, text }) => [name, text] as const,
    ),
  )('Root and breadth overload: sends no subgraph request for %s', async (_what, query) => {
    const before = shapes.requested();
    const { status, body } = await transport.request(shapes.http, { query }, GRAPHQL_RESPONSE);
    expect(status).toBe(400);
    expect(body.errors?.[0]?.extensions.code).toMatch(/_LIMIT_EXCEEDED$|^GRAPHQL_VALIDATION_FAILED$/);
    expect(shapes.requested()).toBe(before);
  });

  it.each<[string, string]>([
    ['51 in a document', `{ me { ${times(26, () => 'id @skip(if: false) @include(if: true)')} } }`],
    ['five at one location', `{ me { id ${'@skip(if: false) '.repeat(5)} } }`],
    ['500 @skip', `{ me { id ${'@skip(if: false) '.repeat(500)} } }`],
    ['five on a variable', `query ($a: Int ${'@deprecated '.repeat(5)}) { me { id } }`],
  ])('Directive overload: rejects %s', async (_what, query) => {
    await expectRejected(transport, { query }, 'DIRECTIVE_LIMIT_EXCEEDED');
  });

  it('Field duplication: requests a field once that is selected 500 times', async () => {
    const before = shapes.requested();
    await expectServed(transport, { query: `{ me { ${'id '.repeat(500)} } }` });
    expect(shapes.requested()).toBe(before + 1);
  });

  it.each([
    [20, 30],
    [2, 400],
    [60, 12],
  ])('Field duplication: finishes for %d inline fragments of %d equal fields', async (fragments, fields) => {
    const query = `{ me { ${times(fragments, () => `... on User { ${'id '.repeat(fields)} }`)} } }`;
    await expectServed(transport, { query });
    await expectRejected(transport, { query: query.replace('id  }', 'id id: name }') }, 'GRAPHQL_VALIDATION_FAILED');
  });

  it.each(
    HOSTILE_DOCUMENTS.filter(({ rejectedBy, text }) => rejectedBy === undefined && (!isGet || text.length < 10_000)).map(
      ({ name, text }) => [name, text] as const,
    ),
  )('Field duplication: serves %s within all limits, or rejects its cost', async (_what, query) => {
    const operationName = /^query (?<name>\w+)/.exec(query)?.groups?.['name'];
    const requested = { query, ...(operationName === undefined ? {} : { operationName }) };
    const { status, body } = await transport.request(shapes.http, requested, { accept: 'application/json' });
    expect(status).toBe(200);
    for (const { extensions } of body.errors ?? []) {
      expect(['COST_LIMIT_EXCEEDED', 'INTROSPECTION_DISABLED', 'SUBGRAPH_INVALID_RESPONSE']).toContain(extensions.code);
    }
  });

  it.each<[string, string]>([
    ['a fragment in itself', '{ me { ...A } } fragment A on User { ...A }'],
    ['a circle of two', '{ me { ...A } } fragment A on User { ...B } fragment B on User { ...A }'],
    ['a circle of a hundred', `{ me { ...F0 } } ${times(100, (index) => `fragment F${index} on User { ...F${(index + 1) % 100} }`)}`],
    ['a circle over an interface', '{ me { ...A } } fragment A on Node { ... on User { ...A } }'],
    ['an unknown fragment', '{ me { ...Nobody } }'],
    ['an unused fragment', '{ me { id } } fragment A on User { id }'],
  ])('Circular, unknown and unused fragments: rejects %s', async (_what, query) => {
    await expectRejected(transport, { query }, 'GRAPHQL_VALIDATION_FAILED');
  });

  it('Many operations in one document: rejects eleven, or one that is too large', async () => {
    await expectRejected(
      transport,
      { query: times(11, (index) => `query Q${index} { me { id } }`), operationName: 'Q0' },
      'GRAPHQL_VALIDATION_FAILED',
    );
    const query = `query Light { me { id } } query Heavy { ${'me { id } '.repeat(21)} }`;
    for (const operationName of ['Light', 'Heavy']) await expectRejected(transport, { query, operationName }, 'ROOT_FIELD_LIMIT_EXCEEDED');
  });

  it.each<[string, QueryResult]>([
    [
      'a page in a variable',
      { query: 'query ($n: Int) { users(first: $n) { nodes { posts(first: $n) { id } } } }', variables: { n: 100 } },
    ],
    ['a default', { query: 'query ($n: Int = 100) { users(first: $n) { nodes { posts(first: $n) { id } } } }' }],
    [
      'null, which leads to the assumed size',
      {
        query: 'query ($n: Int) { users(first: $n) { nodes { posts(first: $n) { id author { posts(first: $n) { id } } } } } }',
        variables: { n: null },
      },
    ],
    ['pages that are omitted', { query: '{ users { nodes { posts { id author { posts { id } } } } } }' }],
    [
      'a selection that a variable includes',
      {
        query: 'query ($no: Boolean!) { users(first: 100) @include(if: $no) { nodes { posts(first: 100) { id } } } }',
        variables: { no: false },
      },
    ],
  ])('Cost bypass via variables: rejects %s and reports the cost', async (_what, requested) => {
    await expectRejected(transport, requested, 'COST_LIMIT_EXCEEDED');
    const { body } = await transport.request(shapes.http, requested);
    expect(body.errors?.[0]?.extensions.cost).toEqual({ estimated: expect.any(Number), limit: 5_000 });
  });

  it.each<[string, unknown]>([
    ['too large', 101],
    ['negative', -1],
    ['as large as an integer is', 2_147_483_647],
  ])('Cost bypass via variables: rejects a page that is %s', async (_what, n) => {
    await expectRejected(transport, { query: 'query ($n: Int) { users(first: $n) { totalCount } }', variables: { n } }, 'BAD_USER_INPUT');
    await expectRejected(transport, { query: `{ allPosts(first: ${String(n)}) { id } }` }, 'BAD_USER_INPUT');
  });

  it('Plan-cache flooding: serves 300 different operations', async () => {
    for (let index = 0; index < 300; index += 1) {
      const { status } = await transport.request(shapes.http, { query: `{ a${index}: me { id } }` });
      expect(status).toBe(200);
    }
  });

  it.each<[string, string]>([
    ['plain', '{ __schema { types { name } } }'],
    ['under an alias', '{ me: __type(name: "User") { name } }'],
    ['in a fragment', '{ ...A } fragment A on Query { ... { __schema { description } } }'],
  ])('Introspection leak: rejects introspection %s when it is off', async (_how, query) => {
    await expectRejected(transport, { query }, 'INTROSPECTION_DISABLED');
  });

  it.each<[string, QueryResult]>([
    ['a field', { query: '{ usr { id } }' }],
    ['an argument', { query: '{ user(ids: 1) { id } }' }],
    ['a type', { query: '{ me { ... on Usr { id } } }' }],
    ['an enum value', { query: '{ orders(filter: { status: PENDIN }) { totalCount } }' }],
    ['an input field', { query: '{ orders(filter: { statu: PENDING }) { totalCount } }' }],
  ])('Suggestions: does not suggest a name for %s that is misspelled', async (_what, requested) => {
    const { text } = await transport.request(shapes.http, requested);
    expect(text).not.toMatch(/did you mean/i);
    expect(text).toContain('GRAPHQL_VALIDATION_FAILED');
  });

  it.each<[string, QueryResult]>([
    [
      'an enum value',
      { query: 'query ($s: [OrderStatus!]) { orders(filter: { status: $s }) { totalCount } }', variables: { s: 'PENDIN' } },
    ],
    ['an input field', { query: 'query ($f: OrderFilter) { orders(filter: $f) { totalCount } }', variables: { f: { statu: 'PENDING' } } }],
  ])('Suggestions: does not suggest a name for %s in a variable that is misspelled', async (_what, requested) => {
    const { text } = await transport.request(shapes.http, requested);
    expect(text).not.toMatch(/did you mean/i);
    expect(text).toContain('BAD_USER_INPUT');
  });

  it.each([
    '{ _entities(representations: []) { __typename } }',
    '{ _service { sdl } }',
    '{ me { ... on _Entity { __typename } } }',
    'query ($s: join__FieldSet) { me { id } }',
  ])('Federation internals: rejects %j', async (query) => {
    await expectRejected(transport, { query }, 'GRAPHQL_VALIDATION_FAILED');
  });

  it.each<[string, string, string]>([
    ['comments', `{ me { id } }${'#\n'.repeat(4_001)}`, 'TOKEN_LIMIT_EXCEEDED'],
    ['lines of a block string', `{ user(id: """${'\n'.repeat(4_001)}""") { id } }`, 'TOKEN_LIMIT_EXCEEDED'],
  ])('Token flood: rejects 4,001 %s', async (_what, query, code) => {
    await expectRejected(transport, { query }, code);
  });

  it('Circular, unknown and unused fragments: reports type definitions instead', async () => {
    const { body } = await transport.request(shapes.http, { query: `{ me { ...A } } fragment A on User { ...A } type T { a: Int }` });
    expect(body.errors?.map(({ message }) => message)).toEqual(['The "T" definition is not executable.']);
  });

  it('Deep JSON variables: rejects nested lists before they are walked', async () => {
    const variables = { f: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) as unknown };
    await expectRejected(
      transport,
      { query: 'query ($f: OrderFilter) { orders(filter: $f) { totalCount } }', variables },
      'BAD_USER_INPUT',
    );
  });
});

describe('bodies', () => {
  const TRANSPORTS = [
    ['POST /graphql', '/graphql'],
    ['a REST route', '/users'],
  ] as const;
  let bomb: Buffer;
  beforeAll(() => {
    bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
  });

  it.each(TRANSPORTS)('Body size and compressed bombs: rejects 50 MB of compressed spaces at %s', async (_transport, path) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const { status, text } = await shapes.http.send({ method: 'POST', path, body: bomb, headers });
    expect({ status, text }).toEqual({ status: 413, text: expect.stringContaining('PAYLOAD_TOO_LARGE') });
  });

  it.each(TRANSPORTS)('Body size and compressed bombs: rejects another content coding at %s', async (_transport, path) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'zstd' };
    const { status, text } = await shapes.http.send({ method: 'POST', path, body: '{}', headers });
    expect({ status, text }).toEqual({ status: 415, text: expect.stringContaining('UNSUPPORTED_MEDIA_TYPE') });
  });

  it.each(['utf-7', 'utf-16', 'utf-16le', 'iso-8859-1', 'bogus'])('Charset tricks: rejects %s', async (charset) => {
    for (const [, path] of TRANSPORTS) {
      const headers = { 'content-type': `application/json; charset=${charset}` };
      const { status, text } = await shapes.http.send({ method: 'POST', path, body: '{"query":"{ me { id } }"}', headers });
      expect({ status, text }).toEqual({ status: 415, text: expect.stringContaining('UNSUPPORTED_MEDIA_TYPE') });
    }
  });

  it.each([
    ['an array of two', [{ query: '{ me { id } }' }, { query: '{ me { id } }' }]],
    ['arrays in arrays', [[[]]]],
  ])('Batching: rejects %s', async (_what, json) => {
    const { status, text } = await shapes.http.post('/graphql', json);
    expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining('BATCHING_DISABLED') });
  });

  it('Deep JSON variables: rejects 40,000 levels by `/graphql` and REST', async () => {
    const deep = `${'['.repeat(40_000)}${']'.repeat(40_000)}`;
    const headers = { 'content-type': 'application/json' };
    const body = `{"query":"query ($f: OrderFilter) { orders(filter: $f) { totalCount } }","variables":{"f":${deep}}}`;
    expect((await shapes.http.send({ method: 'POST', path: '/graphql', body, headers })).status).toBe(400);
    expect((await shapes.http.send({ method: 'POST', path: '/users', body: `{"name":${deep}}`, headers })).status).toBe(400);
  });
});

describe('shapes of REST parameters', () => {
  it('Cost bypass via variables: reduces a page that is too large before it queries', async () => {
    const before = shapes.requested();
    const { text } = await shapes.http.get('/books?size=1000000000');
    expect(text).toContain('SUBGRAPH_INVALID_RESPONSE'); // The test subgraph returns no data.
    expect(shapes.requested()).toBe(before + 1);
  });

  it.each(['/books?first=-1', '/books?page=1000000000&size=100', '/books?fields=id}__schema{types{name'])(
    'Cost bypass via variables: rejects %s without a subgraph request',
    async (path) => {
      const before = shapes.requested();
      expect((await shapes.http.get(path)).status).toBe(400);
      expect(shapes.requested()).toBe(before);
    },
  );

  it('Cost bypass via variables: rejects routes above the cost limit with a REST error', async () => {
    await using cheap = await startShapes({ limits: { maxCost: 5 } });
    const { status, body } = await cheap.http.get('/books');
    expect({ status, body }).toMatchObject({ status: 400, body: { error: 'COST_LIMIT_EXCEEDED' } });
    expect(cheap.requested()).toBe(0);
  });
});
