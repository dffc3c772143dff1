import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ApolloServer } from '@apollo/server';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import express from 'express';
import { buildSchema, execute as run } from 'graphql';
import { createRestFacade, fromApolloServer, MappingInvalid, type RestFacade, toExpress } from '../../../rest-facade/index.ts';
import { cinema, cinemaResolvers, cinemaSchema, cinemaSdl } from '../../fixtures/cinema/cinema-graph.ts';
import { createHttpClient, type HttpResponse, type HttpClient } from '../../support/http/http-client.ts';

const documents = join(cinema, 'rest');

interface FilmPage {
  readonly data: readonly { readonly title: string }[];
}

/** Serves a facade on a separate socket, with or without Express. */
async function serve(facade: RestFacade, isExpress: boolean): Promise<HttpClient & AsyncDisposable> {
  const listener = isExpress ? express().disable('x-powered-by').use(toExpress(facade)) : facade;
  const server = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return Object.assign(createHttpClient({ origin: `http://127.0.0.1:${port}` }), { [Symbol.asyncDispose]: close });
}

/** Creates a facade whose graph is executed by graphql-js. */
function byGraphqlJs(): RestFacade {
  const schema = cinemaSchema();
  return createRestFacade({
    documents,
    schema,
    execute: ({ document, variables }) => run({ schema, document, variableValues: variables }),
  });
}

const apollo = new ApolloServer({ typeDefs: cinemaSdl, resolvers: cinemaResolvers() });

/** Creates a facade whose graph is executed by an Apollo Server. */
async function byApolloServer(): Promise<RestFacade> {
  await apollo.start();
  return createRestFacade({ documents, schema: cinemaSchema(), execute: fromApolloServer(apollo, () => ({})) });
}

describe.each([
  ['graphql-js, on node:http', byGraphqlJs, false],
  ['an Apollo Server, through Express', byApolloServer, true],
] as const)('REST in front of a graph of another domain, run by %s', (_title, create, isExpress) => {
  let client: HttpClient & AsyncDisposable;
  beforeAll(async () => {
    client = await serve(await create(), isExpress);
  });
  afterAll(async () => client[Symbol.asyncDispose]());

  it('hides the message of an unexpected error from the client', async () => {
    const { status, body } = await client.get('/films/f3');
    expect({ status, error: body['error'] }).toEqual({ status: 500, error: 'INTERNAL_SERVER_ERROR' });
  });

  it('returns 200 when `fields` leaves out the field that fails', async () => {
    const { status, body } = await client.get('/films/f3?fields=id,title,cast.name');
    expect({ status, body }).toEqual({ status: 200, body: { id: 'f3', title: 'Film 3', cast: [{ name: 'Ida' }, { name: 'Jacques' }] } });
  });

  it.each([
    ['GET', '/films/f99', undefined, 404, 'NOT_FOUND'],
    ['PATCH', '/films/f99', { year: 1999 }, 404, 'NOT_FOUND'],
    ['DELETE', '/films/f99', undefined, 404, 'NOT_FOUND'],
    ['POST', '/films', { title: 'Again', genre: 'DRAMA', directorId: 'p1' }, 409, 'CONFLICT'],
    ['POST', '/films', { title: 'Untold', directorId: 'p1' }, 400, 'BAD_USER_INPUT'],
    ['POST', '/films', { title: 'Untold', genre: 'MUSICAL', directorId: 'p1' }, 400, 'BAD_USER_INPUT'],
    ['GET', '/films?page=2', undefined, 400, 'UNKNOWN_PARAMETER'],
    ['GET', '/films?first=0', undefined, 400, 'INVALID_PARAMETER'],
    ['GET', '/people?size=1', undefined, 400, 'UNKNOWN_PARAMETER'],
    ['PUT', '/people', {}, 405, 'METHOD_NOT_ALLOWED'],
  ])('%s %s with %j returns %i %s', async (...row) => {
    const [method, path, json, status, error] = row;
    const response = await client.send({ method, path, ...(json === undefined ? {} : { json }) });
    expect({ status: response.status, error: response.body['error'] }).toEqual({ status, error });
  });

  it('lists every film once when the pages of a connection are followed', async () => {
    const titles: unknown[] = [];
    for (let path: string | undefined = '/films?first=2'; path !== undefined; ) {
      const { status, body, headers }: HttpResponse<FilmPage> = await client.get<FilmPage>(path);
      expect({ status, pageSize: body }).toMatchObject({ status: 200, pageSize: { pageSize: 2 } });
      titles.push(...body.data.map(({ title }) => title));
      path = /<([^>]+)>; rel="next"/.exec(headers['link'] === undefined ? '' : String(headers['link']))?.[1];
    }
    expect(titles).toEqual(['Film 1', 'Film 2', 'Film 3', 'Film 4', 'Film 5']);
  });

  it('returns the bare items of a list as the body', async () => {
    const { status, body } = await client.get<readonly unknown[]>('/people');
    expect({ status, body }).toEqual({
      status: 200,
      body: [
        { id: 'p1', name: 'Ida', born: '1918-02-04' },
        { id: 'p2', name: 'Jacques', born: null },
        { id: 'p3', name: 'Agnès', born: '1928-05-30' },
      ],
    });
  });

  it('reports the result of creating, changing and deleting a film', async () => {
    const added = await client.post('/films', { title: 'New', genre: 'COMEDY', directorId: 'p2' });
    expect({ status: added.status, location: added.headers['location'] }).toEqual({ status: 201, location: '/films/f6' });
    expect(added.body).toEqual({ id: 'f6', title: 'New', year: null, genre: 'COMEDY', director: { id: 'p2', name: 'Jacques' } });
    const changed = await client.send({ method: 'PATCH', path: '/films/f6', json: { year: 2001 } });
    expect({ status: changed.status, year: changed.body['year'] }).toEqual({ status: 200, year: 2001 });
    const removed = await client.send({ method: 'DELETE', path: '/films/f6' });
    expect({ status: removed.status, text: removed.text }).toEqual({ status: 204, text: '' });
    expect((await client.get('/films/f6')).status).toBe(404);
  });
});

describe('the facade in front of an executor', () => {
  const execute = () => ({ data: null });

  it('reports every mistake in documents that do not fit the schema', () => {
    const wrong = [{ path: 'rest/x.graphql', text: 'query X @endpoint(method: GET, path: "/x") { nothing @result { id } }' }];
    expect(() => createRestFacade({ documents: wrong, schema: cinemaSchema(), execute })).toThrow(MappingInvalid);
  });

  it.each([
    [
      'for callers with credentials',
      'query P @endpoint(method: GET, path: "/p", signedIn: true) { people @result(shape: LIST) { id } }',
      /authenticate/,
    ],
  ])('rejects a document %s when no option provides that', (_title, text, hint) => {
    const documents = [{ path: 'rest/x.graphql', text }];
    expect(() => createRestFacade({ documents, schema: cinemaSchema(), execute })).toThrow(hint);
  });

  it('serves the previous documents when a new schema breaks one of them', async () => {
    let use: (schema: ReturnType<typeof cinemaSchema>) => void = () => undefined;
    const schema = cinemaSchema();
    const logged: unknown[] = [];
    const logger = { error: (_facts: object, message: string) => logged.push(message) } as never;
    const facade = createRestFacade({
      documents,
      logger,
      schema: (take) => (use = take),
      execute: ({ document, variables }) => run({ schema, document, variableValues: variables }),
    });
    await using client = await serve(facade, false);
    expect((await client.get('/people')).status).toBe(503);
    use(schema);
    expect((await client.get('/people')).status).toBe(200);
    use(buildSchema(cinemaSdl.replace('people: [Person!]!', 'humans: [Person!]!')));
    expect(logged).toContain('The documents do not fit the new schema. The previous schema is still served.');
    expect((await client.get('/people')).status).toBe(200);
  });
});
