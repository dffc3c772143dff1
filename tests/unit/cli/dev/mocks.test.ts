import { describe, expect, it } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { createMock, type Mock } from '../../../../cli/dev/mocks/create-mock.ts';
import { readOverrides } from '../../../../cli/dev/mocks/read-overrides.ts';
import { serveMocks } from '../../../../cli/dev/mocks/serve-mocks.ts';

const FILMS = {
  path: 'films.graphql',
  text: `
    extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external", "@requires"])
    type Query {
      films(first: Int, genre: Genre): [Film!]!
      film(id: ID!): Film
      search: [Hit!]!
      node(id: ID!): Node
      page: FilmPage!
    }
    interface Node { id: ID! }
    enum Genre { COMEDY DRAMA WESTERN }
    scalar DateTime
    scalar Money
    type Film implements Node @key(fields: "id") @key(fields: "sku { code }") {
      id: ID!
      title: String!
      year: Int
      genre: Genre!
      released: DateTime!
      price: Money!
      sku: Sku
      tags: [String!]!
      reviews: [Review!]!
      weight: Int @external
      shipping: Int @requires(fields: "weight")
    }
    type Sku { code: String! }
    type FilmPage { nodes: [Film!]! pageInfo: PageInfo! }
    type PageInfo { hasNextPage: Boolean! endCursor: String }
    union Hit = Film | Review`,
};
const REVIEWS = {
  path: 'reviews.graphql',
  text: `
    type Review @key(fields: "id") { id: ID! stars: Int! film: Film! }
    extend type Mutation { addFilm(input: NewFilm!): Film! renameFilm(id: ID!, title: String!): Film }
    input NewFilm { title: String! year: Int }
    extend type Film { tagline: String }`,
};

interface FilmData {
  readonly id: string;
  readonly title: string;
  readonly genre: string;
  readonly released: string;
  readonly reviews: readonly { readonly film: object }[];
}

interface Data {
  readonly film: FilmData;
  readonly films: readonly FilmData[];
  readonly _entities: readonly object[];
  readonly page: { readonly nodes: readonly FilmData[] };
  readonly search: readonly { readonly __typename: string }[];
  readonly node: object;
}

async function dataOf(mock: Mock, query: string, variables?: Readonly<Record<string, unknown>>): Promise<Data> {
  const { data, errors } = await mock.execute({ query, variables });
  expect(errors).toBeUndefined();
  return JSON.parse(JSON.stringify(data)) as Data;
}

const ENTITIES =
  'query ($of: [_Any!]!) { _entities(representations: $of) { __typename ... on Film { id title year weight shipping sku { code } } } }';

describe('a mock of a subgraph with several files', () => {
  it.each([
    ['a field that does not exist', '{ films { nope } }', 'Cannot query field "nope" on type "Film".'],
    ['a syntax error', '{ films {', 'Syntax Error: Expected Name, found <EOF>.'],
  ])('responds with an error to %s', async (_name, query, message) => {
    const { errors } = await createMock([FILMS, REVIEWS]).execute({ query });
    expect(errors?.map((error) => error.message)).toEqual([message]);
  });

  it('names an entity that the subgraph does not have', async () => {
    const { errors } = await createMock([FILMS, REVIEWS]).execute({
      query: ENTITIES,
      variables: { of: [{ __typename: 'Actor', id: '1' }] },
    });
    expect(errors?.[0]?.message).toBe('The subgraph has no entity Actor.');
  });

  it('responds to fields with the names of properties that every object has', async () => {
    const text = 'type Query { constructor: String thing: Thing } type Thing { id: ID! toString: Int! }';
    const { data, errors } = await createMock([{ path: 'a.graphql', text }]).execute({ query: '{ constructor thing { toString } }' });
    expect(errors).toBeUndefined();
    expect(data).toEqual({ constructor: expect.any(String), thing: { toString: expect.any(Number) } });
  });

  it('returns the same values for the same id in every run, and different ones for another id', async () => {
    const query = '{ film(id: "7") { id title year genre released price tags reviews { id stars film { id title } } } }';
    const first = await dataOf(createMock([FILMS, REVIEWS]), query);
    expect(await dataOf(createMock([FILMS, REVIEWS]), query)).toEqual(first);
    expect(await dataOf(createMock([FILMS, REVIEWS]), query.replace('7', '8'))).not.toEqual(first);
  });

  it('returns an entity with the values of its representation, and the values of the same film elsewhere', async () => {
    const mock = createMock([FILMS, REVIEWS]);
    const { film } = await dataOf(mock, '{ film(id: "7") { id title year } }');
    const of = [
      { __typename: 'Film', id: '7', weight: 12 },
      { __typename: 'Film', sku: { code: 'A-1' } },
    ];
    const { _entities: found } = await dataOf(mock, ENTITIES, { of });
    expect(found[0]).toMatchObject({ __typename: 'Film', ...film, weight: 12 });
    expect(found[1]).toMatchObject({ __typename: 'Film', sku: { code: 'A-1' } });
  });

  it('leads from lists and references to the same entities', async () => {
    const mock = createMock([FILMS, REVIEWS]);
    const { films, page } = await dataOf(mock, '{ films { id title reviews { film { id title } } } page { nodes { id title } } }');
    expect(films.map(({ id }) => id)).toEqual(['1', '2', '3']);
    const known = films.map(({ id, title }) => ({ id, title }));
    for (const { film } of films.flatMap(({ reviews }) => reviews)) expect(known).toContainEqual(film);
    for (const film of page.nodes) expect(known).toContainEqual(film);
  });

  it('shortens a list by its slicing argument, and returns values that arguments select', async () => {
    const { films } = await dataOf(createMock([FILMS, REVIEWS]), '{ films(first: 2, genre: WESTERN) { id genre } }');
    expect(films).toEqual([
      { id: '1', genre: 'WESTERN' },
      { id: '2', genre: 'WESTERN' },
    ]);
  });

  it('returns the values of the input of a mutation', async () => {
    const mutation =
      'mutation { addFilm(input: { title: "Up", year: 2009 }) { title year } renameFilm(id: "7", title: "Up") { id title } }';
    expect(await dataOf(createMock([FILMS, REVIEWS]), mutation)).toEqual({
      addFilm: { title: 'Up', year: 2009 },
      renameFilm: { id: '7', title: 'Up' },
    });
  });

  it('returns possible types of unions and interfaces, valid enums and dates, and pages that end', async () => {
    const query = '{ search { __typename } node(id: "4") { __typename id } films { genre released } page { pageInfo { hasNextPage } } }';
    const { search, node, films, page } = await dataOf(createMock([FILMS, REVIEWS]), query);
    for (const hit of search) expect(['Film', 'Review']).toContain(hit.__typename);
    expect(node).toEqual({ __typename: 'Film', id: '4' });
    for (const { genre, released } of films) {
      expect(['COMEDY', 'DRAMA', 'WESTERN']).toContain(genre);
      expect(new Date(released).toISOString()).toBe(released);
    }
    expect(page).toEqual({ pageInfo: { hasNextPage: false } });
  });

  it('selects a concrete type for a representation that has only the name of an interface', async () => {
    const sdl = `
      extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])
      type Query { a: Int }
      interface Media @key(fields: "id") { id: ID! }
      type Book implements Media @key(fields: "id") { id: ID! }`;
    const query = 'query ($of: [_Any!]!) { _entities(representations: $of) { __typename ... on Media { id } } }';
    const data = await dataOf(createMock([{ path: 'a', text: sdl }]), query, { of: [{ __typename: 'Media', id: '9' }] });
    expect(data).toEqual({ _entities: [{ __typename: 'Book', id: '9' }] });
  });
});

describe('a file of mocks', () => {
  const { schema } = createMock([FILMS, REVIEWS]);
  const read = (text: string) => readOverrides({ path: 'mocks/films.yaml', text }, schema);

  it('reports all unknown types and fields with their location and a suggestion', () => {
    expect(() => read('Flim:\n  title: x\nFilm:\n  titel: x\nReview: 5\n')).toThrow(
      [
        'mocks/films.yaml:1:1: the subgraph has no type Flim. Did you mean Film?',
        'mocks/films.yaml:4:3: the type Film has no field titel. Did you mean title?',
        'mocks/films.yaml:5:1: expected the fields of the type Review.',
      ].join('\n'),
    );
    expect(() => read('Film: {')).toThrow(/mocks\/films.yaml:1:\d+: invalid YAML/);
    expect(() => read('- Film')).toThrow('mocks/films.yaml:1:1: expected types at the top level of the file.');
  });

  it('overrides fields, scalars and objects, and selects one of several values by id', async () => {
    const overrides = read(
      'Film:\n  title: The Red Shoes\n  genre: [DRAMA, COMEDY]\n  tags: [classic]\n  reviews: [{ stars: 5 }]\nMoney: "9.99"\n',
    );
    const query = '{ film(id: "7") { title genre tags price reviews { stars film { title } } } }';
    const run = async () => JSON.stringify(await createMock([FILMS, REVIEWS]).execute({ query }, overrides));
    const { data } = JSON.parse(await run()) as { readonly data: { readonly film: { readonly genre: string } } };
    expect(data.film).toEqual({
      title: 'The Red Shoes',
      genre: expect.stringMatching(/^(?:DRAMA|COMEDY)$/),
      tags: ['classic'],
      price: '9.99',
      reviews: [{ stars: 5, film: { title: 'The Red Shoes' } }],
    });
    expect(await run()).toBe(JSON.stringify({ data }));
  });

  it('of JSON is read like one of YAML', async () => {
    const { data } = await createMock([FILMS, REVIEWS]).execute(
      { query: '{ film(id: "7") { year } }' },
      read('{ "Film": { "year": 1948 } }'),
    );
    expect(data).toEqual({ film: { year: 1948 } });
  });

  it('with a value of another type gives an error that names the field', async () => {
    const { errors } = await createMock([FILMS, REVIEWS]).execute({ query: '{ film(id: "7") { year } }' }, read('Film: { year: soon }'));
    expect(errors?.[0]).toMatchObject({ message: 'Int cannot represent non-integer value: "soon"', path: ['film', 'year'] });
  });
});

describe('the servers of mocks', () => {
  const start = (names: readonly string[]) => serveMocks({ names, onInvalidOverrides: () => undefined, eventIntervalMs: 1 });

  async function post(url: string, body: string, headers: Readonly<Record<string, string>> = {}) {
    const response = await fetch(url, { method: 'POST', body, headers });
    return { status: response.status, body: await response.json() };
  }

  it('respond with the reason while a subgraph has no valid SDL, and afterwards with values', async () => {
    await using mocks = await start(['my films']);
    const url = mocks.urlOf('my films');
    const query = '{"query":"{ film(id: \\"7\\") { id } }"}';
    expect(await post(url, query)).toEqual({
      status: 500,
      body: { errors: [{ message: 'The SDL of the subgraph "my films" is not known yet.' }] },
    });
    mocks.setSdl('my films', [{ path: 'a.graphql', text: 'type Query { a: Missing }' }]);
    expect(await post(url, query)).toEqual({
      status: 500,
      body: { errors: [{ message: 'The subgraph "my films" cannot be mocked: Unknown type: "Missing".' }] },
    });
    mocks.setSdl('my films', [FILMS, REVIEWS]);
    expect(await post(url, query)).toEqual({ status: 200, body: { data: { film: { id: '7' } } } });
    expect((await post(url, 'nonsense')).status).toBe(400);
    expect((await fetch(url)).status).toBe(400);
  });

  it('continue with the previous values if a file of mocks is invalid', async () => {
    await using mocks = await start(['films']);
    mocks.setSdl('films', [FILMS, REVIEWS]);
    mocks.setOverrides('films', { path: 'films.yaml', text: 'Film: { title: Up }' });
    expect(() => mocks.setOverrides('films', { path: 'films.yaml', text: 'Film: { titel: Up }' })).toThrow('no field titel');
    const { body } = await post(mocks.urlOf('films'), '{"query":"{ film(id: \\"7\\") { title } }"}');
    expect(body).toEqual({ data: { film: { title: 'Up' } } });
  });

  const SUBSCRIPTION = 'subscription { filmRated(stars: 4) { id stars } }';
  const EVENTS = {
    path: 'events.graphql',
    text: 'type Query { a: Int } type Subscription { filmRated(stars: Int!): Film } type Film { id: ID! stars: Int! }',
  };

  it('reject subscriptions that are invalid, that a client sends without a stream, or while the SDL is not known', async () => {
    await using mocks = await start(['events', 'absent']);
    mocks.setSdl('events', [EVENTS]);
    const url = mocks.urlOf('events');
    const plain = await post(url, JSON.stringify({ query: SUBSCRIPTION }));
    expect(plain).toMatchObject({ status: 400, body: { errors: [{ message: expect.stringContaining('text/event-stream') }] } });
    const invalid = await post(url, JSON.stringify({ query: 'subscription { nope }' }), { accept: 'text/event-stream' });
    expect(invalid.body).toMatchObject({ errors: [{ message: 'Cannot query field "nope" on type "Subscription".' }] });
    await expect(eventsOverWebSocket(mocks.urlOf('absent'), SUBSCRIPTION)).rejects.toMatchObject([
      { message: 'The SDL of the subgraph "absent" is not known yet.' },
    ]);
  });

  it.each([
    ['server-sent events', eventsOverSse],
    ['WebSocket', eventsOverWebSocket],
  ])('send events over %s, on every path, which keep the values of arguments and differ otherwise', async (_name, eventsOf) => {
    await using mocks = await start(['events']);
    mocks.setSdl('events', [EVENTS]);
    const events = await eventsOf(`${mocks.urlOf('events')}any/path`, SUBSCRIPTION);
    const films = events.map(({ data }) => data?.filmRated);
    for (const film of films) expect(film?.stars).toBe(4);
    expect(new Set(films.map((film) => film?.id)).size).toBeGreaterThan(1);
  });
});

interface FilmEvent {
  readonly data?: Rated | null | undefined;
}

interface Rated {
  readonly filmRated: { readonly id: string; readonly stars: number };
}

const EVENT_COUNT = 5;

async function eventsOverSse(url: string, query: string): Promise<readonly FilmEvent[]> {
  const headers = { accept: 'text/event-stream' };
  const response = await fetch(url, { method: 'POST', body: JSON.stringify({ query }), headers });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  if (response.body === null) throw new Error('The response has no body.');
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const events = [...text.matchAll(/event: next\ndata: (.*)\n\n/g)].map(([, data = '']) => JSON.parse(data) as FilmEvent);
    if (events.length >= EVENT_COUNT) return events;
  }
  throw new Error('The stream ended.');
}

async function eventsOverWebSocket(url: string, query: string): Promise<readonly FilmEvent[]> {
  const client = createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket, retryAttempts: 0 });
  const events: FilmEvent[] = [];
  for await (const event of client.iterate<Rated>({ query })) {
    events.push(event);
    if (events.length >= EVENT_COUNT) break;
  }
  await client.dispose();
  return events;
}
