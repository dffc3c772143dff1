import { buildSubgraphSchema } from '@apollo/subgraph';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { graphql, parse } from 'graphql';
import { createGateway, type Gateway } from '../../../gateway/index.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import type { SubgraphExecutor } from '../../../gateway/supergraph/subgraph-executor.ts';
import { createRestFacade } from '../../../rest-facade/index.ts';
import { DEVELOPMENT_KEY } from '../../fixtures/library-graph.ts';
import { createHttpClient, type HttpClient } from '../../support/http/http-client.ts';
import { signToken } from '../../support/identity/tokens.ts';

const SDL = `
  type Query { film(id: ID!): Film }
  type Mutation {
    addFilm(title: String!, year: Int = 1900, genre: Genre, tags: [String!], director: Director, rating: Float! = 5): Film
    editFilm(id: ID!, title: String, year: Int, genre: Genre = DRAMA, expectedVersion: Int): Payload
    replaceFilm(id: ID!, title: String!, year: Int, genre: Genre = DRAMA, expectedVersion: Int): Payload
    rateFilm(id: ID!, input: Rating!): Payload
  }
  "The arguments that a mutation received, as JSON."
  type Film { id: ID! received: String version: Int! }
  type Payload { film: Film userErrors: [Problem!] }
  type Problem { field: [String!] message: String! }
  enum Genre { DRAMA COMEDY }
  input Director { name: String! born: Int }
  input Rating { stars: Int! text: String = "none" }
`;

const FIELDS = '{ id received version @version @internal }';
const PAYLOAD = `{ film @result ${FIELDS} userErrors @userErrors { field message } }`;
const editing = (name: string, method: string, title: string) => `
mutation ${name}($id: ID! @in(path: "id"), $title: ${title} @body(field: "title"), $year: Int @body(field: "releaseYear"),
  $genre: Genre @body(field: "genre"), $version: Int @ifMatch
) @endpoint(method: ${method}, path: "/films/{id}") {
  ${name}(id: $id, title: $title, year: $year, genre: $genre, expectedVersion: $version) ${PAYLOAD}
}`;
const DOCUMENT = `
query GetFilm($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/films/{id}") { film(id: $id) @result ${FIELDS} }
mutation AddFilm($title: String! @body(field: "title", limits: { maxLength: 20 }), $year: Int @body(field: "releaseYear"),
  $genre: Genre @body(field: "genre"), $tags: [String!] @body(field: "tags"), $director: Director @body(field: "director"),
  $rating: Float @body(field: "rating")
) @endpoint(method: POST, path: "/films", status: 201, location: "/films/{id}", since: 2) {
  addFilm(title: $title, year: $year, genre: $genre, tags: $tags, director: $director, rating: $rating) @result ${FIELDS}
}
mutation AddFilmV1($title: String! @body(field: "name"))
@endpoint(method: POST, path: "/films", status: 201, location: "/films/{id}", until: 1) {
  addFilm(title: $title) @result ${FIELDS}
}
${editing('editFilm', 'PATCH', 'String')}
${editing('replaceFilm', 'PUT', 'String!')}
mutation RateFilm($id: ID! @in(path: "id"), $stars: Int! @body(field: "stars"), $text: String @body(field: "comment"))
@endpoint(method: POST, path: "/films/{id}/ratings") { rateFilm(id: $id, input: { stars: $stars, text: $text }) ${PAYLOAD} }
`;

type Arguments = Readonly<Record<string, unknown>>;

/** Returns the arguments that it received. Some values are business errors. */
const payload = (_parent: unknown, { id, input, ...args }: Arguments) => {
  if (typeof args['expectedVersion'] === 'number' && args['expectedVersion'] !== 3) {
    return { film: null, userErrors: [{ field: ['expectedVersion'], message: 'It has changed.' }] };
  }
  if (args['year'] === 1) return { film: null, userErrors: [{ field: ['year'], message: 'There were no films.' }] };
  const stars = (input as Arguments | undefined)?.['stars'];
  if (stars === 6) return { film: null, userErrors: [{ field: ['input', 'stars'], message: 'Too many.' }] };
  return { film: film({ ...args, ...(input === undefined ? {} : { input }) }, String(id)), userErrors: [] };
};

const calls: Arguments[] = [];
function film(args: Arguments, id = 'f1') {
  calls.push(args);
  return { id, received: JSON.stringify(args), version: 3 };
}

const resolvers = {
  Query: { film: (_parent: unknown, { id }: Arguments) => ({ id, received: null, version: 3 }) },
  Mutation: { addFilm: (_parent: unknown, args: Arguments) => film(args), editFilm: payload, replaceFilm: payload, rateFilm: payload },
};

describe('mutations with plain arguments', () => {
  let gateway: Gateway;
  let http: HttpClient;
  beforeAll(async () => {
    const composition = composeSubgraphs([{ name: 'films', url: 'http://films', files: [{ path: 'films', text: SDL }] }]);
    if ('errors' in composition) throw new Error(composition.errors.map(({ message }) => message).join('\n'));
    const schema = buildSubgraphSchema({ typeDefs: parse(SDL), resolvers });
    const executor: SubgraphExecutor = async ({ body }) => {
      const { query, variables } = JSON.parse(body) as { readonly query: string; readonly variables?: Arguments };
      const { data, errors } = await graphql({ schema, source: query, variableValues: variables ?? {} });
      return JSON.parse(JSON.stringify({ data, ...(errors === undefined ? {} : { errors }) }));
    };
    gateway = await createGateway(
      {
        profile: 'dev',
        auth: { developmentKey: DEVELOPMENT_KEY },
        server: { port: 0, internalPort: 0 },
        supergraph: { sdl: composition.supergraphSdl },
      },
      {
        logger: silentLogger,
        subgraphExecutor: () => Object.assign(executor, { [Symbol.asyncDispose]: async () => undefined }),
      },
    );
    gateway.mount(createRestFacade({ gateway, documents: [{ path: 'films.graphql', text: DOCUMENT }], defaultVersion: 2 }));
    const { url } = await gateway.listen();
    http = createHttpClient({ origin: url, described: [url] });
  });
  beforeEach(() => void calls.splice(0));
  afterAll(async () => gateway[Symbol.asyncDispose]());

  const send = (method: string, path: string, json: unknown, headers: Readonly<Record<string, string>> = {}) =>
    http.send({ method, path, json, headers });

  it.each<readonly [string, string, unknown, readonly { readonly field: string; readonly message: string }[]]>([
    ['POST', '/films', {}, [{ field: 'title', message: '"title" is required.' }]],
    ['POST', '/films', { title: null }, [{ field: 'title', message: '"title" must not be null.' }]],
    ['POST', '/films', { title: 7 }, [{ field: 'title', message: '"title" must be a string.' }]],
    ['POST', '/films', { title: 'x'.repeat(21) }, [{ field: 'title', message: '"title" must have at most 20 characters.' }]],
    [
      'POST',
      '/films',
      { title: 'Heat', year: 1995 },
      [{ field: 'year', message: expect.stringContaining('the allowed fields are title, releaseYear') as never }],
    ],
    [
      'POST',
      '/films',
      { title: 'Heat', director: { born: 1943.5 } },
      [
        { field: 'director.name', message: '"director.name" is required.' },
        { field: 'director.born', message: '"director.born" must be an integer from -2147483648 to 2147483647.' },
      ],
    ],
    ['POST', '/films', [], [{ field: '', message: 'The body must be an object.' }]],
    ['PUT', '/films/f1', { releaseYear: 1995 }, [{ field: 'title', message: '"title" is required.' }]],
    ['PATCH', '/films/f1', { genre: 'HEIST' }, [{ field: 'genre', message: '"genre" must be one of DRAMA, COMEDY.' }]],
    ['PATCH', '/films/f1', { releaseYear: 1 }, [{ field: 'releaseYear', message: 'There were no films.' }]],
    ['POST', '/films/f1/ratings', { stars: 6 }, [{ field: 'stars', message: 'Too many.' }]],
  ])('%s %s with %j returns 400 with the members that are invalid', async (method, path, json, details) => {
    const { status, body } = await send(method, path, json);
    expect({ status, error: body['error'], details: body['details'] }).toEqual({ status: 400, error: 'BAD_USER_INPUT', details });
    expect(calls).toEqual([]);
  });

  it.each([
    ['no body', undefined, 'application/json', [400, 'BAD_REQUEST']],
    ['malformed JSON', '{"title":', 'application/json', [400, 'BAD_REQUEST']],
    ['a member twice', '{"title":"a","title":"b"}', 'application/json', [400, 'BAD_REQUEST']],
    ['a form', 'title=Heat', 'application/x-www-form-urlencoded', [415, 'UNSUPPORTED_MEDIA_TYPE']],
    ['a merge patch in a POST', '{"title":"a"}', 'application/merge-patch+json', [415, 'UNSUPPORTED_MEDIA_TYPE']],
  ])('POST with %s is rejected', async (_title, body, type, expected) => {
    const sent = await http.send({
      method: 'POST',
      path: '/films',
      headers: { 'content-type': type },
      ...(body === undefined ? {} : { body }),
    });
    expect([sent.status, sent.body['error']]).toEqual(expected);
    expect(calls).toEqual([]);
  });

  it.each([
    [{ title: 'Heat' }],
    [{ title: 'Heat', year: null, genre: null, tags: null, director: null }],
    [{ title: 'Heat', year: 1995, genre: 'DRAMA', tags: ['a', 'b'], director: { name: 'Mann', born: null }, rating: 4.5 }],
  ])('POST with %j returns the result of the mutation with these arguments', async ({ ...args }) => {
    const { year, ...same } = args as Arguments;
    const json = { ...same, ...(year === undefined ? {} : { releaseYear: year }) };
    const { status, headers, body } = await send('POST', '/films', json);
    const variables = Object.entries({
      title: 'String!',
      year: 'Int',
      genre: 'Genre',
      tags: '[String!]',
      director: 'Director',
      rating: 'Float',
    });
    const query = `mutation M(${variables.map(([name, type]) => `$${name}: ${type}`).join(', ')}) {
      addFilm(${variables.map(([name]) => `${name}: $${name}`).join(', ')}) { id received }
    }`;
    const sameInGraphql = await http.post<{ readonly data: { readonly addFilm: unknown } }>('/graphql', { query, variables: args });
    expect({ status, location: headers['location'], body }).toEqual({
      status: 201,
      location: '/films/f1',
      body: sameInGraphql.body.data.addFilm,
    });
    expect(calls[0]).toEqual(calls[1]);
  });

  it.each([
    ['PATCH', {}, { genre: 'DRAMA' }],
    ['PATCH', { title: null, releaseYear: 1995 }, { title: null, year: 1995, genre: 'DRAMA' }],
    ['PUT', { title: 'Heat' }, { title: 'Heat', year: null, genre: 'DRAMA' }],
    ['PUT', { title: 'Heat', releaseYear: 1995, genre: null }, { title: 'Heat', year: 1995, genre: null }],
  ])('%s with %j passes the arguments that the body has', async (method, json, args) => {
    expect((await send(method, '/films/f1', json)).status).toBe(200);
    expect(calls).toEqual([args]);
  });

  it('an object literal contains the members of the body, and absent members have their default', async () => {
    await send('POST', '/films/f1/ratings', { stars: 5 });
    await send('POST', '/films/f1/ratings', { stars: 4, comment: null });
    expect(calls).toEqual([{ input: { stars: 5, text: 'none' } }, { input: { stars: 4, text: null } }]);
  });

  it('PATCH accepts a merge patch, and a resource as GET returned it', async () => {
    const { body } = await http.get('/films/f1');
    const type = { 'content-type': 'application/merge-patch+json' };
    expect(await send('PATCH', '/films/f1', { ...body, title: 'Heat' }, type)).toMatchObject({ status: 200 });
    expect(calls).toEqual([{ title: 'Heat', genre: 'DRAMA' }]);
  });

  it('`If-Match` passes the version of the entity tag', async () => {
    const etag = String((await http.get('/films/f1')).headers['etag']);
    expect((await send('PATCH', '/films/f1', { title: 'Heat' }, { 'if-match': etag })).status).toBe(200);
    expect(calls).toEqual([{ title: 'Heat', genre: 'DRAMA', expectedVersion: 3 }]);
    const { status, body } = await send('PATCH', '/films/f1', {}, { 'if-match': etag.replace('3', '2') });
    expect({ status, details: body['details'] }).toEqual({ status: 400, details: [{ field: 'If-Match', message: 'It has changed.' }] });
  });

  it('a repeated idempotency key returns the first response, and 422 for another body', async () => {
    const headers = { 'idempotency-key': 'k-1', authorization: `Bearer ${signToken({ sub: 'ada' }, { key: DEVELOPMENT_KEY })}` };
    const first = await send('POST', '/films', { title: 'Heat' }, headers);
    const second = await send('POST', '/films', { title: 'Heat' }, headers);
    expect({ status: second.status, body: second.body, replayed: second.headers['idempotent-replayed'] }).toEqual({
      status: 201,
      body: first.body,
      replayed: 'true',
    });
    expect(calls).toHaveLength(1);
    expect((await send('POST', '/films', { title: 'Ronin' }, headers)).status).toBe(422);
  });

  it('each version has the body of its operation', async () => {
    expect((await send('POST', '/v1/films', { name: 'Heat' })).status).toBe(201);
    expect((await send('POST', '/v1/films', { title: 'Heat' })).status).toBe(400);
    expect((await send('POST', '/v2/films', { title: 'Heat' })).status).toBe(201);
  });
});
