import { describe, expect, it } from '@jest/globals';
import { REQUEST } from '../../../support/subgraphs/fake-subgraph.ts';
import { type ConnectedBackEndOptions, startConnectedBackEnd } from '../../../support/subgraphs/connected-back-end.ts';

const SCHEMA = `
  schema @source(name: "api", http: { baseURL: "BASE/v1", headers: [{ name: "x-key", value: "{$config.key}" }] }) { query: Query mutation: Mutation }
  type Query {
    book(id: ID!, lang: String = "en"): Book
      @connect(source: "api", http: { GET: "/books/{$args.id}?lang={$args.lang}" }, selection: "id: key title author { name } tags", entity: true)
    search(filter: Filter): [Hit!] @connect(source: "api", http: { POST: "/search", body: "$args.filter { q limit }" }, selection: "$.hits { __typename id title name }")
    hit(id: ID!): Hit @connect(source: "api", http: { GET: "/hits/{$args.id}" }, selection: "__typename id title name", entity: true)
    env: String @connect(source: "api", http: { GET: "/env?a={$env.ALLOWED}&b={$env.SECRET}&t={$request.headers.'x-tenant'->first}" }, selection: "$.value")
    status: String @connect(source: "api", http: { GET: "/status" }, selection: "$status->toString", isSuccess: "$status->lt(500)")
  }
  type Mutation {
    rename(id: ID!, title: String!): Book
      @connect(source: "api", http: { PUT: "/books/{$args.id}", headers: [{ name: "content-type", value: "application/x-www-form-urlencoded" }], body: "title: $args.title" }, selection: "id: key title")
  }
  input Filter { q: String, limit: Int = 10 }
  interface Hit { id: ID! }
  type Book implements Hit @key(fields: "id") { id: ID! title: String author: Author tags: [String] }
  type Author implements Hit { id: ID! name: String
    books(first: Int = 2): [Book] @connect(source: "api", http: { GET: "/authors/{$this.id}/books?n={$args.first}" }, selection: "id: key title") }
  type Product @key(fields: "id")
    @connect(source: "api", http: { POST: "/products", body: "ids: $batch.id" }, batch: { maxSize: 2 }, selection: "id price") { id: ID! price: Float }
  type Kit @key(fields: "parts { code }")
    @connect(source: "api", http: { POST: "/kits", body: "kits: $batch { parts { code } }" }, selection: "parts { code } price") { parts: [Part] price: Int }
  type Part { code: Int }
  type Stock @key(fields: "id")
    @connect(
      source: "api"
      http: { GET: "/stocks/{$this.id}" }
      selection: "count"
      errors: { message: "$.reason", extensions: "code: code" }
    ) { id: ID! count: Int }
`;

const CONFIG = { subgraphs: { shop: { config: { key: 'k1' } } } };

function start(respond: ConnectedBackEndOptions['respond'], options: Partial<ConnectedBackEndOptions> = {}) {
  return startConnectedBackEnd({ schema: SCHEMA, respond, connectors: CONFIG, ...options });
}

/** Adds a price that the codes determine. */
function priced({ parts }: { readonly parts: readonly { readonly code: number }[] }): object {
  return { parts, price: Number(parts.map(({ code }) => code).join('')) };
}

const STOCKS = 'query($r:[_Any!]!){_entities(representations:$r){...on Stock{count}}}';
const stock = (id: string) => ({ __typename: 'Stock', id });

describe('an executor of a connector, if requests fail', () => {
  it.each([
    [400, 'BAD_USER_INPUT'],
    [401, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [409, 'CONFLICT'],
    [418, 'SUBGRAPH_INVALID_RESPONSE'],
    [429, 'SUBGRAPH_UNAVAILABLE'],
    [500, 'SUBGRAPH_UNAVAILABLE'],
  ])('reports status %i as %s without its text', async (status, code) => {
    await using backEnd = await start(() => ({ status, body: { message: 'at db-7.internal' } }));
    const response = await backEnd.execute('Query.book', '{book(id:"1"){title}}');
    expect(response).toMatchObject({ data: { book: null }, errors: [{ code, path: ['book'] }] });
    expect(JSON.stringify(response.errors)).not.toContain('db-7');
  });

  it('resolves the other entities, and passes on messages of the mapping with listed codes only', async () => {
    await using backEnd = await start(({ url }) => {
      if (url.endsWith('/2')) return { status: 404, body: { reason: 'No stock 2', code: 'NOT_FOUND' } };
      if (url.endsWith('/3')) return { status: 503, body: { reason: 'secret', code: 'DB_DOWN' } };
      return { body: { count: 5 } };
    });
    const response = await backEnd.execute('Stock', STOCKS, { r: [stock('1'), stock('2'), stock('3'), stock('1')] });
    expect(response.data).toEqual({ _entities: [{ count: 5 }, null, null, { count: 5 }] });
    expect(response.errors).toEqual([
      { message: 'No stock 2', code: 'NOT_FOUND', path: ['_entities', 1, 'count'] },
      { message: expect.stringContaining('internal error'), code: 'INTERNAL_SERVER_ERROR', path: ['_entities', 2, 'count'] },
    ]);
    expect(backEnd.received).toHaveLength(3);
  });

  it('fails only the objects above the limit of requests, with a clear error', async () => {
    await using backEnd = await start(() => ({ body: { count: 1 } }), {
      connectors: { subgraphs: { shop: { sources: { api: { maxRequestsPerOperation: 2 } } } } },
    });
    const response = await backEnd.execute('Stock', STOCKS, { r: ['1', '2', '3'].map(stock) });
    expect(response.data).toEqual({ _entities: [{ count: 1 }, { count: 1 }, null] });
    expect(response.errors).toMatchObject([{ code: 'CONNECTOR_REQUEST_LIMIT_EXCEEDED', path: ['_entities', 2, 'count'] }]);
    expect(response.errors?.[0]?.message).toContain('more than 2 requests');
  });

  it.each([
    ['a path that leaves its segment', '..'],
    ['a list', ['a']],
  ])('rejects a value that cannot be sent: %s', async (_what, id) => {
    await using backEnd = await start(() => ({ body: {} }));
    const response = await backEnd.execute('Stock', STOCKS, { r: [{ __typename: 'Stock', id }] });
    expect(response.errors).toMatchObject([{ code: 'BAD_USER_INPUT', path: ['_entities', 0, 'count'] }]);
    expect(backEnd.received).toEqual([]);
  });

  it('sends no request for a batch of which no id can be sent, and returns null for its entities', async () => {
    const schema = SCHEMA.replace('body: "ids: $batch.id"', 'body: "$batch.id->map(@->parseInt)->filter(@->eq(null)->not)"');
    await using backEnd = await start(() => ({ body: [{ id: '3', price: 1 }] }), { schema });
    const query = 'query($r:[_Any!]!){_entities(representations:$r){...on Product{price}}}';
    const of = (...ids: readonly string[]) => ({ r: ids.map((id) => ({ __typename: 'Product', id })) });
    expect(await backEnd.execute('Product', query, of('x', 'y'))).toMatchObject({ data: { _entities: [null, null] } });
    expect(backEnd.received).toEqual([]);
    expect(await backEnd.execute('Product', query, of('x', '3'))).toMatchObject({ data: { _entities: [null, { price: 1 }] } });
    expect(backEnd.received.map(({ body }) => body)).toEqual(['[3]']);
  });

  it('reports a batch whose response is not a list of objects for all its entities', async () => {
    await using backEnd = await start(() => ({ body: 'text', headers: { 'content-type': 'text/plain' } }));
    const query = 'query($r:[_Any!]!){_entities(representations:$r){...on Product{price}}}';
    const response = await backEnd.execute('Product', query, { r: [{ __typename: 'Product', id: '1' }] });
    expect(response).toMatchObject({ data: { _entities: [null] }, errors: [{ code: 'SUBGRAPH_INVALID_RESPONSE' }] });
  });
});

describe('an executor of a connector', () => {
  it('resolves several root fields with literals, variables and defaults', async () => {
    await using backEnd = await start(({ url }) => ({ body: { key: 7, title: url, author: { name: 'Ann', age: 3 }, tags: ['a'] } }));
    const response = await backEnd.execute(
      'Query.book',
      'query($id:ID!){a:book(id:$id){t:title __typename author{name}} b:book(id:2,lang:"no"){id tags}}',
      { id: 'x/y' },
    );
    expect(response).toEqual({
      data: {
        a: { t: '/v1/books/x%2Fy?lang=en', __typename: 'Book', author: { name: 'Ann' } },
        b: { id: '7', tags: ['a'] },
      },
      needsNoEscape: true,
    });
    expect(backEnd.received[0]?.headers).toMatchObject({ 'x-key': 'k1' });
  });

  it.each([
    ['plain text', 'a title', true],
    ['a quote', 'a "title"', false],
    ['a character that a mapping can divide', 'a title \u{1F600}', false],
  ])('says whether strings of a response with %s can be printed unchanged', async (_name, title, needsNoEscape) => {
    await using backEnd = await start(() => ({ body: { key: 1, title } }));
    expect(await backEnd.execute('Query.book', '{book(id:"1"){title}}')).toMatchObject({
      data: { book: { title } },
      needsNoEscape,
    });
  });

  it('parses only the variables of further requests of a fetch, and all of another text', async () => {
    await using backEnd = await start(({ url }) => ({ body: { key: 1, title: url } }));
    const fetch = {};
    const titleOf = async (query: string, id: string) => (await backEnd.execute('Query.book', query, { id }, { fetch })).data;
    const query = 'query($id:ID!){book(id:$id){title}}';
    expect(await titleOf(query, '1')).toEqual({ book: { title: '/v1/books/1?lang=en' } });
    expect(await titleOf(query, '}2"')).toEqual({ book: { title: '/v1/books/%7D2%22?lang=en' } });
    expect(await titleOf('query($id:ID!){book(id:$id){t:title}}', '3')).toEqual({ book: { t: '/v1/books/3?lang=en' } });
  });

  it('resolves entities of a root field with entity: true by its arguments', async () => {
    await using backEnd = await start(({ url }) => ({ body: { key: 1, title: url } }));
    const query = 'query($r:[_Any!]!){_entities(representations:$r){...on Book{id title}}}';
    const response = await backEnd.execute('Query.book', query, { r: [{ __typename: 'Book', id: '1' }] });
    expect(response.data).toEqual({ _entities: [{ id: '1', title: expect.stringMatching(/^\/v1\/books\/1\?/) }] });
  });

  it.each([
    ['aliases', '{book(id:1){by:author{label:name} title}}', { by: { label: 'Ann' }, title: 'Emma' }],
    ['names of types', '{book(id:1){author{__typename name}}}', { author: { __typename: 'Author', name: 'Ann' } }],
    ['numbers of IDs', '{book(id:1){author{id name}}}', { author: { id: '7', name: 'Ann' } }],
    ['fields of other types', '{book(id:1){author{...on Author{name}...on Book{title}}}}', { author: { name: 'Ann' } }],
  ])('selects objects of a mapping with %s', async (_case, query, book) => {
    const schema = SCHEMA.replace('author { name } tags', 'author { id name title: name } tags');
    await using backEnd = await start(() => ({ body: { key: 1, title: 'Emma', author: { id: 7, name: 'Ann' } } }), { schema });
    expect((await backEnd.execute('Query.book', query)).data).toEqual({ book });
  });

  it('shares no object between equal representations', async () => {
    await using backEnd = await start(() => ({ body: { key: 1, title: 'Emma', author: { name: 'Ann' } } }));
    const query = 'query($r:[_Any!]!){_entities(representations:$r){...on Book{author{name}}}}';
    const representation = { __typename: 'Book', id: '1' };
    const { data } = await backEnd.execute('Query.book', query, { r: [representation, representation] });
    const { _entities: entities } = data as { readonly _entities: readonly { readonly author: object }[] };
    expect(entities).toEqual([{ author: { name: 'Ann' } }, { author: { name: 'Ann' } }]);
    expect(entities[0]?.author).not.toBe(entities[1]?.author);
    expect(backEnd.received).toHaveLength(1);
  });

  it('distinguishes representations whose texts look alike', async () => {
    await using backEnd = await start(({ url }) => ({ body: { key: 1, title: url } }));
    const query = 'query($r:[_Any!]!){_entities(representations:$r){...on Book{title}}}';
    const ids = ['1', '{"__typename":"Book","id":"1"}', '1"', 1, '1'];
    const { data } = await backEnd.execute('Query.book', query, { r: ids.map((id) => ({ __typename: 'Book', id })) });
    const { _entities: entities } = data as { readonly _entities: readonly { readonly title: string }[] };
    expect(entities.map(({ title }) => decodeURIComponent(title.replace(/^.*books\/|\?.*$/g, '')))).toEqual(ids.map(String));
    expect(backEnd.received).toHaveLength(4);
  });

  it('selects fields of an abstract type by __typename', async () => {
    await using backEnd = await start(({ body }) => ({
      body: { hits: [{ __typename: 'Book', id: 1, title: body }, { __typename: 'Author', id: 2, name: 'Ann' }, null] },
    }));
    const query = '{search(filter:{q:"x"}){id ...on Book{title} ...on Author{__typename name}}}';
    expect((await backEnd.execute('Query.search', query)).data).toEqual({
      search: [{ id: '1', title: '{"q":"x","limit":10}' }, { id: '2', __typename: 'Author', name: 'Ann' }, null],
    });
  });

  it('resolves a field of entities for each representation and each set of arguments', async () => {
    await using backEnd = await start(({ url }) => ({ body: [{ key: 1, title: url }] }));
    const query = 'query($r:[_Any!]!,$n:Int){_entities(representations:$r){...on Author{id books{title} more:books(first:$n){title}}}}';
    const response = await backEnd.execute('Author.books', query, { r: [{ __typename: 'Author', id: '9' }], n: 5 });
    expect(response.data).toEqual({
      _entities: [{ id: '9', books: [{ title: '/v1/authors/9/books?n=2' }], more: [{ title: '/v1/authors/9/books?n=5' }] }],
    });
  });

  it('matches the results of a batch by key, in any order, and leaves out missing ones', async () => {
    await using backEnd = await start(({ body }) => ({
      body: (JSON.parse(body) as { ids: string[] }).ids
        .filter((id) => id !== '2')
        .reverse()
        .map((id) => ({ id: Number(id), price: Number(id) / 2 })),
    }));
    const query = 'query($r:[_Any!]!){_entities(representations:$r){...on Product{price}}}';
    const response = await backEnd.execute('Product', query, { r: ['1', '2', '3', '4', '5'].map((id) => ({ __typename: 'Product', id })) });
    expect(response).toMatchObject({ data: { _entities: [{ price: 0.5 }, null, { price: 1.5 }, { price: 2 }, { price: 2.5 }] } });
    expect(backEnd.received.map(({ body }) => body).sort()).toEqual(['{"ids":["1","2"]}', '{"ids":["3","4"]}', '{"ids":["5"]}']);
  });

  it('returns null for a mapping without a result', async () => {
    await using backEnd = await start(() => ({ body: {} }));
    expect((await backEnd.execute('Query.env', '{env}')).data).toEqual({ env: null });
  });

  it('matches the results of a batch by a key with a list', async () => {
    await using backEnd = await start(
      ({ body }) => ({ body: (JSON.parse(body) as { kits: { parts: { code: number }[] }[] }).kits.toReversed().map(priced) }),
      { keys: { Kit: 'parts { code }' } },
    );
    const query = 'query($r:[_Any!]!){_entities(representations:$r){...on Kit{price}}}';
    const kit = (...codes: number[]) => ({ __typename: 'Kit', parts: codes.map((code) => ({ code })) });
    const { data } = await backEnd.execute('Kit', query, { r: [kit(1, 2), kit(2, 1), kit(3)] });
    expect(data).toEqual({ _entities: [{ price: 12 }, { price: 21 }, { price: 3 }] });
  });

  it('resolves an object that enters as an interface by the type in its response', async () => {
    await using backEnd = await start(({ url }) => ({
      body: url.endsWith('1') ? { __typename: 'Book', id: 1, title: 'T' } : { __typename: 'Author', id: 2, name: 'N' },
    }));
    const query = 'query($r:[_Any!]!){_entities(representations:$r){...on Hit{__typename ...on Book{title} ...on Author{name}}}}';
    const { data } = await backEnd.execute('Query.hit', query, { r: ['1', '2'].map((id) => ({ __typename: 'Hit', id })) });
    expect(data).toEqual({
      _entities: [
        { __typename: 'Book', title: 'T' },
        { __typename: 'Author', name: 'N' },
      ],
    });
  });

  it('reads only allowed environment variables, and headers of the client by name', async () => {
    await using backEnd = await start(({ url }) => ({ body: { value: url } }), {
      connectors: { ...CONFIG, env: ['ALLOWED'] },
      environment: { ALLOWED: 'yes', SECRET: 'no' },
    });
    const context = { ...REQUEST.context, headers: { 'x-tenant': 't' } };
    const response = await backEnd.execute('Query.env', '{env}', {}, { context });
    expect(response.data).toEqual({ env: '/v1/env?a=yes&b=&t=t' });
  });

  it('sends a form, and mutations one after another', async () => {
    let running = 0;
    let most = 0;
    await using backEnd = await start(({ body }) => {
      running += 1;
      most = Math.max(most, running);
      setTimeout(() => (running -= 1), 15);
      return { body: { key: 1, title: body }, afterMs: 20 };
    });
    const response = await backEnd.execute(
      'Mutation.rename',
      'mutation{a:rename(id:1,title:"A & B"){title} b:rename(id:2,title:"C"){title}}',
    );
    expect(response.data).toEqual({ a: { title: 'title=A+%26+B' }, b: { title: 'title=C' } });
    expect(most).toBe(1);
  });

  it('lets isSuccess decide, and maps the status', async () => {
    await using backEnd = await start(() => ({ status: 404 }));
    expect(await backEnd.execute('Query.status', '{status}')).toMatchObject({ data: { status: '404' } });
  });

  it('reads own properties only', async () => {
    await using backEnd = await start(() => ({ body: {} }));
    expect((await backEnd.execute('Query.book', '{book(id:1){title author{name}}}')).data).toEqual({ book: { title: null, author: null } });
  });

  it('evaluates conditions that a request still has', async () => {
    await using backEnd = await start(() => ({ body: { key: 1, title: 'T' } }));
    const query = 'query($no:Boolean!){book(id:1){id title@include(if:$no)} x:book(id:2)@skip(if:true){id}}';
    expect((await backEnd.execute('Query.book', query, { no: false })).data).toEqual({ book: { id: '1' } });
    expect((await backEnd.execute('Query.book', query, { no: true })).data).toEqual({ book: { id: '1', title: 'T' } });
    expect(backEnd.received).toHaveLength(2);
  });
});

describe('the lifetime of a response of a connector', () => {
  const lifetimes = async (headers: (url: string) => Readonly<Record<string, string>>, status = 200) => {
    await using backEnd = await start(({ url }) => ({ status, headers: headers(url), body: { count: 1 } }));
    const response = await backEnd.execute('Stock', STOCKS, { r: ['1', '2'].map(stock) }, { wantsFreshness: true });
    return response.cacheControl;
  };

  it('is the most restrictive of all responses, less their age', async () => {
    expect(await lifetimes((url) => ({ 'cache-control': url.endsWith('1') ? 'max-age=60' : 'private, max-age=30', age: '10' }))).toBe(
      'private, max-age=20',
    );
    expect(await lifetimes((url) => ({ 'cache-control': url.endsWith('1') ? 'no-store' : 'max-age=30' }))).toBe('no-store');
    expect(await lifetimes((url): Record<string, string> => (url.endsWith('1') ? {} : { 'cache-control': 'max-age=5' }))).toBe('max-age=5');
  });

  it('is undefined without headers, and zero for errors', async () => {
    expect(await lifetimes(() => ({}))).toBeUndefined();
    expect(await lifetimes(() => ({ 'cache-control': 'max-age=60' }), 404)).toBe('no-store');
  });
});
