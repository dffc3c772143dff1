import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../gateway/platform/errors.ts';
import { createRestFacade, MappingInvalid, readRestDocuments } from '../../../rest-facade/index.ts';
import { createFakeGateway } from './support/fake-gateway.ts';
import { libraryDocuments } from './support/library-documents.ts';
import { librarySchema } from './support/library-graph.ts';
import { serveFacade } from './support/serve-facade.ts';

describe('createRestFacade', () => {
  it('rejects a supergraph and lists all mistakes of the documents with hints', async () => {
    const { gateway, load } = createFakeGateway(librarySchema, {});
    const text = 'query Q @endpoint(method: GET, path: "x") { book(id: 1) { titel } }';
    createRestFacade({
      gateway,
      documents: [...libraryDocuments, { path: 'rest/bad.graphql', text }, { path: 'rest/worse.graphql', text: '{' }],
    });
    const rejected = await load().catch((error: unknown) => error);
    expect(rejected).toBeInstanceOf(MappingInvalid);
    expect(String(rejected)).toMatch(/2 mistakes:\nrest\/bad\.graphql:1:59: Cannot query field "titel".*\n +Did you mean "title"/);
    expect(String(rejected)).toContain('rest/worse.graphql:1:2: Syntax Error');
  });

  it('reports a document that the limits of the gateway reject as a mistake', async () => {
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

  it('names the directory when it does not exist', () => {
    expect(() => readRestDocuments('/nowhere/rest')).toThrow('rest.documents: the directory /nowhere/rest cannot be read (ENOENT)');
  });

  it.each([[{ mounts: ['api'] }], [{ maxPageSize: 0 }]])('rejects the setting %j', (settings) => {
    const { gateway } = createFakeGateway(librarySchema, {});
    expect(() => createRestFacade({ gateway, documents: [], ...settings })).toThrow();
  });

  it('returns 503 with `Retry-After` when no supergraph is loaded', async () => {
    await using facade = await serveFacade({ isLoaded: false, retryAfterSeconds: 7 });
    const response = await facade.send({ path: '/books' });
    expect({ status: response.status, error: response.json['error'], retryAfter: response.headers['retry-after'] }).toEqual({
      status: 503,
      error: 'NO_SUPERGRAPH',
      retryAfter: '7',
    });
  });

  it('applies custom mounts and page sizes', async () => {
    await using facade = await serveFacade({ mounts: ['/shop'], defaultPageSize: 3, maxPageSize: 4, maxOffset: 10 });
    expect((await facade.send({ path: '/books' })).status).toBe(404);
    expect((await facade.send({ path: '/shop/books' })).json).toMatchObject({ pageSize: 3 });
    expect((await facade.send({ path: '/shop/books?size=9' })).json).toMatchObject({ pageSize: 4 });
    expect((await facade.send({ path: '/shop/books?page=5' })).json).toMatchObject({ error: 'PAGE_TOO_DEEP' });
  });

  it('prepares one document for the same set of field names', async () => {
    await using facade = await serveFacade();
    for (const fields of ['id,title', 'title,id', 'title,id,title']) await facade.send({ path: `/books/1?fields=${fields}` });
    const documents = facade.seen.map(({ request: { document } }) => ('prepared' in document ? document.prepared : undefined));
    expect(new Set(documents).size).toBe(1);
    expect(documents[0]?.text).not.toContain('writer');
  });
});
