import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../gateway/platform/errors.ts';
import { createRestFacade, MappingInvalid, readRestDocuments } from '../../../rest-facade/index.ts';
import { createFakeGateway } from './support/fake-gateway.ts';
import { libraryDocuments } from './support/library-documents.ts';
import { librarySchema } from './support/library-graph.ts';
import { serveFacade } from './support/serve-facade.ts';

describe('createRestFacade', () => {
  it('given documents with mistakes, when a graph is loaded, then it is refused with all of them and what to do', async () => {
    const { gateway, load } = createFakeGateway(librarySchema, {});
    const text = 'query Q @endpoint(method: GET, path: "x") { book(id: 1) { titel } }';
    createRestFacade({
      gateway,
      documents: [...libraryDocuments, { path: 'rest/bad.graphql', text }, { path: 'rest/worse.graphql', text: '{' }],
    });
    const refused = await load().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(MappingInvalid);
    expect(String(refused)).toMatch(/2 mistakes:\nrest\/bad\.graphql:1:59: Cannot query field "titel".*\n +Did you mean "title"/);
    expect(String(refused)).toContain('rest/worse.graphql:1:2: Syntax Error');
  });

  it('given a gateway whose limits refuse a document, when a graph is loaded, then it is told like any mistake', async () => {
    const { gateway, load } = createFakeGateway(librarySchema, {});
    const strict = {
      ...gateway,
      onGeneration: <T>(build: Parameters<typeof gateway.onGeneration<T>>[0]) =>
        gateway.onGeneration<T>((view) =>
          build({
            ...view,
            prepare: () => {
              throw new GatewayError('TOKEN_LIMIT_EXCEEDED', 'Too many tokens.');
            },
          }),
        ),
    };
    createRestFacade({ gateway: strict, documents: libraryDocuments });
    await expect(load()).rejects.toThrow(/rest\/books\.graphql:13:1: The gateway rejects ListBooks: Too many tokens\./);
  });

  it('given a directory that is not there, when read, then its name is told', () => {
    expect(() => readRestDocuments('/nowhere/rest')).toThrow('The directory of the REST documents cannot be read: /nowhere/rest');
  });

  it.each([[{ mounts: ['api'] }], [{ maxPageSize: 0 }]])('given the setting %j, when created, then it is refused', (settings) => {
    const { gateway } = createFakeGateway(librarySchema, {});
    expect(() => createRestFacade({ gateway, documents: [], ...settings })).toThrow();
  });

  it('given no graph yet, when asked, then the answer is 503 with the time to try again', async () => {
    await using facade = await serveFacade({ isLoaded: false, retryAfterSeconds: 7 });
    const answer = await facade.send({ path: '/books' });
    expect({ status: answer.status, error: answer.json['error'], retryAfter: answer.headers['retry-after'] }).toEqual({
      status: 503,
      error: 'NO_SUPERGRAPH',
      retryAfter: '7',
    });
  });

  it('given other mounts and sizes, when asked, then they hold', async () => {
    await using facade = await serveFacade({ mounts: ['/shop'], defaultPageSize: 3, maxPageSize: 4, maxOffset: 10 });
    expect((await facade.send({ path: '/books' })).status).toBe(404);
    expect((await facade.send({ path: '/shop/books' })).json).toMatchObject({ pageSize: 3 });
    expect((await facade.send({ path: '/shop/books?size=9' })).json).toMatchObject({ pageSize: 4 });
    expect((await facade.send({ path: '/shop/books?page=5' })).json).toMatchObject({ error: 'PAGE_TOO_DEEP' });
  });

  it('given the same names again, when narrowed, then one document serves them all', async () => {
    await using facade = await serveFacade();
    for (const fields of ['id,title', 'title,id', 'title,id,title']) await facade.send({ path: `/books/1?fields=${fields}` });
    const documents = facade.seen.map(({ request: { document } }) => ('prepared' in document ? document.prepared : undefined));
    expect(new Set(documents).size).toBe(1);
    expect(documents[0]?.text).not.toContain('writer');
  });
});
