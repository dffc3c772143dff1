import { describe, expect, it } from '@jest/globals';
import { describeOnStack } from '../../support/stack/shared-stack.ts';

const RESPONSE_TYPE = 'application/graphql-response+json';
const JSON_TYPE = 'application/json';

describeOnStack('malformed requests to the graph', ({ http, graphql }) => {
  /** Expects a rejected operation as `interfaces.md` defines it: 200 for the old media type, 400 for the new one. */
  async function expectOperationRejected(body: unknown, code: string): Promise<readonly string[]> {
    const [old, current] = await Promise.all(
      [JSON_TYPE, RESPONSE_TYPE].map((accept) =>
        http.post<{ errors: readonly { message: string; extensions: { code: string } }[]; data?: unknown }>('/graphql', body, {
          headers: { accept },
        }),
      ),
    );
    expect({ old: old?.status, current: current?.status }).toEqual({ old: 200, current: 400 });
    expect(old?.headers['content-type']).toMatch(/^application\/json\b/);
    expect(current?.headers['content-type']).toMatch(/^application\/graphql-response\+json\b/);
    for (const response of [old, current]) {
      expect(response?.body).not.toHaveProperty('data');
      expect(response?.body.errors.map(({ extensions }) => extensions.code)).toEqual(response?.body.errors.map(() => code));
    }
    return old?.body.errors.map(({ message }) => message) ?? [];
  }

  it.each<[string, string]>([
    ['an open brace', '{ users { nodes { id }'],
    ['nothing but a comment', '# nothing'],
    ['an empty selection', '{ users { } }'],
    ['an empty operation', 'query { }'],
    ['words', 'please give me users'],
    ['JSON', '{"users": 1}'],
    ['an open string', '{ user(id: "1) { id } }'],
    ['NUL', '{ users\u0000 { nodes { id } } }'],
    ['a bad escape', '{ user(id: "\\q") { id } }'],
    ['a bad number', '{ users(first: 01) { nodes { id } } }'],
    ['SQL', 'SELECT * FROM users'],
    ['a variable without a name', 'query ($: Int) { __typename }'],
  ])('return GRAPHQL_PARSE_FAILED for a document of %s', async (_title, query) => {
    await expectOperationRejected({ query }, 'GRAPHQL_PARSE_FAILED');
  });

  it.each<[string, string]>([
    ['an unknown field', '{ users { nodes { secret } } }'],
    ['an unknown root field', '{ nothing }'],
    ['a field of the federation', '{ _service { sdl } }'],
    ['entities of the federation', '{ _entities(representations: []) { __typename } }'],
    ['an unknown argument', '{ user(id: "1", admin: true) { id } }'],
    ['a missing argument', '{ user { id } }'],
    ['an argument of another type', '{ users(first: "ten") { nodes { id } } }'],
    ['an argument beyond 32 bits', '{ users(first: 99999999999) { nodes { id } } }'],
    ['an object where a scalar is', '{ user(id: "1") { name { first } } }'],
    ['a scalar where an object is', '{ user(id: "1") }'],
    ['an unknown enum value', '{ users(sort: [{ field: PASSWORD }]) { nodes { id } } }'],
    ['an unknown input field', '{ users(filter: { password: "x" }) { nodes { id } } }'],
    ['an unknown fragment', '{ ...Nothing }'],
    ['an unused fragment', '{ __typename } fragment Unused on User { id }'],
    ['a fragment cycle', '{ user(id: "1") { ...A } } fragment A on User { ...B } fragment B on User { ...A }'],
    ['a fragment of an unknown type', '{ ...A } fragment A on Nothing { id }'],
    ['an impossible fragment', '{ user(id: "1") { ... on Book { title } } }'],
    ['an unused variable', 'query ($x: Int) { __typename }'],
    ['an undefined variable', '{ user(id: $id) { id } }'],
    ['a variable of an unknown type', 'query ($x: Nothing) { user(id: $x) { id } }'],
    ['a variable of an output type', 'query ($x: User) { user(id: $x) { id } }'],
    ['a variable in the wrong position', 'query ($x: Int) { user(id: $x) { id } }'],
    ['two fields in conflict', '{ user(id: "1") { x: name x: createdAt } }'],
    ['an unknown directive', '{ __typename @admin }'],
    ['a directive of Gatefold', '{ user(id: "1") { name @auth(requires: USER) } }'],
    ['a directive twice', '{ __typename @skip(if: false) @skip(if: false) }'],
    ['two operations of one name', 'query A { __typename } query A { __typename }'],
    ['two anonymous operations', '{ __typename } { __typename }'],
    ['a definition', 'type Hack { id: ID } query { __typename }'],
    ['an argument named __proto__', '{ user(id: "1", __proto__: {}) { id } }'],
  ])('return GRAPHQL_VALIDATION_FAILED for %s, without a subgraph request', async (_title, query) => {
    await expectOperationRejected({ query }, 'GRAPHQL_VALIDATION_FAILED');
  });

  it('name an unknown field in the message, and its location', async () => {
    const { errors } = await graphql('{\n  users { nodes { secret } }\n}');
    expect(errors?.[0]?.message).toContain('secret');
    expect(errors?.[0]?.locations).toEqual([{ line: 2, column: 19 }]);
  });

  it.each<[string, string, unknown]>([
    ['missing', 'query ($id: ID!) { user(id: $id) { id } }', {}],
    ['null', 'query ($id: ID!) { user(id: $id) { id } }', { id: null }],
    ['an object', 'query ($id: ID!) { user(id: $id) { id } }', { id: {} }],
    ['a list', 'query ($id: ID!) { user(id: $id) { id } }', { id: [['1']] }],
    ['a fraction', 'query ($id: ID!) { user(id: $id) { id } }', { id: 1.5 }],
    ['text for a number', 'query ($n: Int) { users(first: $n) { nodes { id } } }', { n: '10' }],
    ['too large a number', 'query ($n: Int) { users(first: $n) { nodes { id } } }', { n: 2_147_483_648 }],
    ['a boolean for a number', 'query ($n: Int) { users(first: $n) { nodes { id } } }', { n: true }],
    ['an unknown enum value', 'query ($s: [UserSort!]) { users(sort: $s) { nodes { id } } }', { s: [{ field: 'PASSWORD' }] }],
    ['an unknown field', 'query ($s: [UserSort!]) { users(sort: $s) { nodes { id } } }', { s: [{ field: 'ID', by: 'x' }] }],
    ['null in a list of non-nulls', 'query ($s: [UserSort!]) { users(sort: $s) { nodes { id } } }', { s: [null] }],
    ['a missing field', 'query ($s: [UserSort!]) { users(sort: $s) { nodes { id } } }', { s: [{}] }],
  ])('return BAD_USER_INPUT for a variable that is %s', async (_title, query, variables) => {
    await expectOperationRejected({ query, variables }, 'BAD_USER_INPUT');
  });

  it.each([
    ['an unknown name', 'query A { __typename }', 'B'],
    ['no name where there are two operations', 'query A { __typename } query B { __typename }', undefined],
    ['a name for an anonymous operation', '{ __typename }', 'A'],
    ['a polluting name', 'query A { __typename }', '__proto__'],
    ['only fragments', 'fragment A on User { id }', undefined],
  ])('return OPERATION_RESOLUTION_FAILURE or a validation error for %s', async (_title, query, operationName) => {
    const { status, codes } = await graphql(query, operationName === undefined ? {} : { operationName });
    expect(status).toBe(200);
    expect(['OPERATION_RESOLUTION_FAILURE', 'GRAPHQL_VALIDATION_FAILED']).toContain(codes[0]);
  });

  it.each([JSON_TYPE, RESPONSE_TYPE])('return 400 for malformed parameters when %s is accepted', async (accept) => {
    const none: readonly unknown[] = [
      {},
      { query: '' },
      { query: null },
      { query: 5 },
      { query: { a: 1 } },
      { query: ['{ __typename }'] },
      { query: '{ __typename }', variables: 'x' },
      { query: '{ __typename }', variables: [] },
      { query: '{ __typename }', variables: 5 },
      { query: '{ __typename }', operationName: 5 },
      { query: '{ __typename }', operationName: {} },
      { query: '{ __typename }', extensions: 'x' },
      { query: '{ __typename }', extensions: [] },
      { query: '{ __typename }', variables: { f: { constructor: { prototype: { x: 1 } } } } },
      [],
      [{ query: '{ __typename }' }],
      null,
      'query',
      5,
      true,
    ];
    for (const json of none) {
      const response = await http.post('/graphql', json, { headers: { accept } });
      expect({ json, status: response.status }).toEqual({ json, status: 400 });
      expect(response.headers['content-type']).toContain(accept);
    }
  });

  it.each([
    '',
    ' ',
    '{',
    '{"query":',
    '{"query":"{ __typename }"',
    'query { __typename }',
    '{"query":"{ __typename }"}}',
    "{'query':'{ __typename }'}",
    '\u0000',
    '{"query":"{ __typename }","query":"{ a }"',
    '{"__proto__":{"query":"{ __typename }"}}',
  ])('return 400 for the body %j', async (body) => {
    const response = await http.send({ method: 'POST', path: '/graphql', body, headers: { 'content-type': 'application/json' } });
    expect(response.status).toBe(400);
  });

  it('return 400 for a body with a hundred thousand levels', async () => {
    for (const body of [`{"query":"{ __typename }","variables":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`, '['.repeat(500_000)]) {
      const response = await http.send({ method: 'POST', path: '/graphql', body, headers: { 'content-type': 'application/json' } });
      expect(response.status).toBe(400);
    }
  });

  it.each<[string, string]>([
    ['selections in selections', `{ ${'a { '.repeat(3_000)} a ${'}'.repeat(3_000)} }`],
    ['lists in lists', `{ users(sort: ${'['.repeat(3_000)}${']'.repeat(3_000)}) { nodes { id } } }`],
    ['fifty thousand fields', `{ ${'__typename '.repeat(50_000)} }`],
    ['fifty thousand directives', `{ __typename ${'@a '.repeat(50_000)} }`],
    ['a long string', `{ user(id: "${'x'.repeat(900_000)}") { id } }`],
    ['a long name', `{ ${'a'.repeat(500_000)} }`],
    ['aliases of one field', `{ ${Array.from({ length: 1_500 }, (_, index) => `a${String(index)}: __typename`).join(' ')} }`],
    [
      'fragments that spread the next twice',
      `{ user(id: "1") { ...F0 } } ${Array.from({ length: 60 }, (_, i) => `fragment F${String(i)} on User { ${i === 59 ? 'id' : `...F${String(i + 1)} ...F${String(i + 1)}`} }`).join(' ')}`,
    ],
    ['a hundred inline fragments', `{ user(id: "1") { ${'... on User { '.repeat(100)} id ${'}'.repeat(100)} } }`],
  ])('get a fast response without an internal error for a document of %s', async (_title, query) => {
    const startedAt = performance.now();
    const response = await http.post('/graphql', { query });
    expect(response.status).toBeLessThan(500);
    expect(performance.now() - startedAt).toBeLessThan(8_000);
    expect(response.text.length).toBeLessThan(1_000_000);
  });

  it('return TOKEN_LIMIT_EXCEEDED for a document with too many tokens', async () => {
    await expectOperationRejected({ query: `{ ${'__typename '.repeat(5_000)} }` }, 'TOKEN_LIMIT_EXCEEDED');
  });

  it('return 413 for a body above 1 MiB', async () => {
    const response = await http.post('/graphql', { query: '{ __typename }', variables: { x: 'x'.repeat(1_100_000) } });
    expect(response.status).toBe(413);
  });

  describe('media types, methods and forgery', () => {
    it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/graphql', ''])(
      'rejects a POST of type %j before it is read',
      async (type) => {
        const response = await http.send({
          method: 'POST',
          path: '/graphql',
          body: '{"query":"{ __typename }"}',
          headers: { 'content-type': type },
        });
        expect([400, 415]).toContain(response.status);
      },
    );

    it.each(['text/html', 'image/png', 'application/xml', 'application/json;q=0'])('returns 406 for Accept %s', async (accept) => {
      expect((await http.post('/graphql', { query: '{ __typename }' }, { headers: { accept } })).status).toBe(406);
    });

    it.each([undefined, '*/*', 'application/*', 'text/html, */*;q=0.1', 'application/json, application/graphql-response+json;q=0.5'])(
      'returns application/json for Accept %s',
      async (accept) => {
        const response = await http.post('/graphql', { query: '{ __typename }' }, { headers: accept === undefined ? {} : { accept } });
        expect(response.status).toBe(200);
        expect(response.headers['content-type']).toMatch(/^application\/json\b/);
        expect(response.body).toEqual({ data: { __typename: 'Query' } });
      },
    );

    it.each(['PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'])('returns 405 with Allow for %s', async (method) => {
      const response = await http.send({ method, path: '/graphql' });
      expect([405, 501]).toContain(response.status);
      if (response.status === 405) expect(response.headers['allow']).toContain('POST');
    });

    it('returns 405 with Allow: POST for a mutation by GET, and executes nothing', async () => {
      const query = encodeURIComponent('mutation { createUser(input: { name: "x", email: "get@example.com" }) { user { id } } }');
      const response = await http.get(`/graphql?query=${query}`, { headers: { 'x-correlation-id': 'by-get' } });
      expect(response.status).toBe(405);
      expect(response.headers['allow']).toBe('POST');
    });

    it('rejects a subscription by POST without an internal error', async () => {
      const response = await http.post('/graphql', { query: 'subscription { postCreated { postId } }' });
      expect(response.status).toBeLessThan(500);
      expect(response.body).toHaveProperty('errors');
    });
  });
});
