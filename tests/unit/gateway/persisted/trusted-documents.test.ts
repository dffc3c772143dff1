import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ConfigurationInvalid,
  createGateway,
  type GatewayConfigInput,
  type GatewayError,
  type OperationError,
} from '../../../../gateway/index.ts';
import { sha256Of } from '../../../../gateway/persisted/document-reference.ts';
import { isErrorCode, statusOf } from '../../../../gateway/platform/errors.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';
import { type LibraryGateway, librarySupergraph, startLibraryGateway } from '../../../fixtures/library-graph.ts';
import { queryByWebSocket } from '../../../support/websocket/query-by-websocket.ts';
import { getGraphql, type GraphqlResponse, postGraphql } from '../../../support/http/graphql-over-http.ts';

const BOOK = 'query Book($id: ID!) { book(id: $id) { title } }';
const RENAME = 'mutation Rename { renameBook(id: "1", title: "x") { title } }';
const INTROSPECT = '{ __schema { queryType { name } } }';
const BROKEN = '{ nothing }';
const OTHER = '{ __typename }';
const VARIABLES = { id: '1' };
const DATA = { status: 200, body: { data: { book: { title: 'Momo' } } } };
const NOT_IN_LIST = { status: 404, code: 'PERSISTED_QUERY_NOT_IN_LIST' };

type Mode = NonNullable<NonNullable<GatewayConfigInput['persisted']>['mode']>;

/** Text or id of a document that a client sends, independent of the transport. */
interface QueryResult {
  readonly text?: string;
  readonly id?: string;
}

/** Sends a request through a transport. Returns the status, or undefined if the transport has none, and the error code. */
type Transport = (library: LibraryGateway, requested: QueryResult) => Promise<Partial<Pick<GraphqlResponse, 'status' | 'code'>>>;

/** Every transport that accepts texts or ids from clients. Each new transport needs a row. */
const TRANSPORTS: readonly (readonly [string, Transport])[] = [
  ['POST /graphql', ({ url }, { text, id }) => postGraphql(`${url}/graphql`, { query: text, documentId: id, variables: VARIABLES })],
  [
    'GET /graphql',
    ({ url }, { text, id }) =>
      getGraphql(`${url}/graphql`, {
        ...(text === undefined ? {} : { query: text }),
        ...(id === undefined ? {} : { documentId: id }),
        variables: VARIABLES,
      }),
  ],
  [
    'POST /graphql with event stream',
    ({ url }, { text, id }) =>
      postGraphql(
        `${url}/graphql`,
        { query: text, documentId: id, variables: VARIABLES },
        { accept: 'text/event-stream, application/json' },
      ),
  ],
  [
    'WebSocket',
    async ({ url }, { text, id }) => {
      const { errors } = await queryByWebSocket(url, { query: text, documentId: id, variables: VARIABLES });
      const code = (errors as readonly OperationError[] | undefined)?.[0]?.extensions.code;
      return { status: isErrorCode(code) ? statusOf(code) : 200, code }; // The transport has no status.
    },
  ],
  [
    'an embedding application',
    async ({ gateway }, { text, id }) => {
      const document = { ...(text === undefined ? {} : { text }), ...(id === undefined ? {} : { id }) };
      const { signal } = new AbortController();
      const request = {
        document,
        variables: VARIABLES,
        principal: ANONYMOUS,
        transport: 'graphql',
        headers: {},
        correlationId: 'x',
        signal,
      } as const;
      try {
        await gateway.executeToObject(request);
        return { status: 200, code: undefined };
      } catch (error) {
        const { status, code } = error as GatewayError;
        return { status, code };
      }
    },
  ],
];

interface LogLine {
  readonly level: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

describe('trusted documents', () => {
  let directory = '';
  let file = '';
  let log: LogLine[] = [];
  let library: LibraryGateway | undefined;
  const gateways = new Map<string, Promise<LibraryGateway>>();
  let standingDirectory = '';

  beforeAll(async () => {
    standingDirectory = await mkdtemp(join(tmpdir(), 'gatefold-manifests-'));
    await writeManifest({ book: BOOK, rename: RENAME, introspect: INTROSPECT }, join(standingDirectory, 'web.json'));
  });
  afterAll(async () => {
    for (const each of gateways.values()) await (await each)[Symbol.asyncDispose]();
    await rm(standingDirectory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gatefold-manifests-'));
    file = join(directory, 'web.json');
    log = [];
    await writeManifest({ book: BOOK, rename: RENAME, introspect: INTROSPECT });
  });
  afterEach(async () => {
    await library?.[Symbol.asyncDispose]();
    library = undefined;
    await rm(directory, { recursive: true, force: true });
  });

  /** Returns a gateway that is shared by all tests that only send requests: one for each mode and configuration. */
  function standingIn(mode: Mode, config: Omit<GatewayConfigInput, 'supergraph'> = {}): Promise<LibraryGateway> {
    const key = JSON.stringify([mode, config]);
    const manifests = { web: join(standingDirectory, 'web.json') };
    const gateway = gateways.get(key) ?? startLibraryGateway({ config: { ...config, persisted: { mode, manifests } } });
    gateways.set(key, gateway);
    return gateway;
  }

  async function writeManifest(documents: Readonly<Record<string, string>>, to = file): Promise<void> {
    const operations = Object.entries(documents).map(([id, body]) => ({ id, body, name: id, type: 'query' }));
    const manifest = { format: 'apollo-persisted-query-manifest', version: 1, client: { name: 'web', version: '3' }, operations };
    await writeFile(`${to}.new`, JSON.stringify(manifest));
    await rename(`${to}.new`, to);
  }

  async function start(mode: Mode, config: Omit<GatewayConfigInput, 'supergraph'> = {}): Promise<LibraryGateway> {
    const retain = (level: string) => (facts: object | string) =>
      void log.push({ level, facts: typeof facts === 'string' ? {} : { ...facts } });
    const logger = { debug: retain('debug'), info: retain('info'), warn: retain('warn'), error: retain('error') };
    library = await startLibraryGateway({
      config: { ...config, persisted: { mode, manifests: { web: file }, ...config.persisted } },
      logger,
    });
    return library;
  }

  async function until(isHeld: () => Promise<boolean> | boolean): Promise<void> {
    while (!(await isHeld())) await sleep(10);
  }

  describe('at startup', () => {
    it.each<[string, GatewayConfigInput['persisted'], string]>([
      ['a missing manifest', { manifests: { web: '/nowhere/web.json' } }, 'persisted.manifests.web'],
      ['a mode that requires manifests, without manifests', { mode: 'safelist' }, 'persisted.mode'],
      ['an invalid mode', { mode: 'on' as Mode }, 'persisted.mode'],
    ])('names the setting for %s', async (_what, persisted, path) => {
      const config = { supergraph: { sdl: librarySupergraph('http://127.0.0.1:1') }, persisted };
      const failure = await createGateway(config as GatewayConfigInput, { logger: silentLogger }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ConfigurationInvalid);
      expect((failure as Error).message).toContain(path);
    });

    it('names both manifests that use the same id for different documents', async () => {
      const other = join(directory, 'other.json');
      await writeFile(other, JSON.stringify({ book: OTHER }));
      const config = { supergraph: { sdl: librarySupergraph('http://127.0.0.1:1') }, persisted: { manifests: { web: file, ios: other } } };
      await expect(createGateway(config, { logger: silentLogger })).rejects.toThrow(/"book".*web@3.*ios/s);
    });

    it('logs the client of an invalid document and serves the others', async () => {
      await writeManifest({ book: BOOK, broken: BROKEN });
      const { url } = await start('id-required');
      expect(log.filter(({ level }) => level === 'error').map(({ facts }) => facts)).toMatchObject([
        {
          client: 'web@3',
          document: 'broken',
          code: 'GRAPHQL_VALIDATION_FAILED',
          errors: [{ message: expect.stringContaining('nothing') }],
        },
      ]);
      expect(await postGraphql(`${url}/graphql`, { documentId: 'broken' })).toMatchObject({ code: 'GRAPHQL_VALIDATION_FAILED' });
      expect(await postGraphql(`${url}/graphql`, { documentId: 'book', variables: VARIABLES })).toMatchObject(DATA);
    });
  });

  describe.each(TRANSPORTS)('by %s', (_name, transport) => {
    it.each<[Mode, readonly (readonly [QueryResult, object])[]]>([
      [
        'off',
        [
          [{ id: 'book' }, { status: 200 }],
          [{ id: `sha256:${sha256Of(BOOK)}` }, { status: 200 }],
          [{ text: OTHER }, { status: 200 }],
          [{ text: OTHER, id: 'unknown' }, { status: 200 }],
          [{ id: 'unknown' }, NOT_IN_LIST],
          [
            { text: OTHER, id: 'book' },
            { status: 400, code: 'BAD_REQUEST' },
          ],
          [
            { text: OTHER, id: sha256Of(BOOK) },
            { status: 400, code: 'PERSISTED_QUERY_HASH_MISMATCH' },
          ],
        ],
      ],
      [
        'log',
        [
          [{ text: OTHER }, { status: 200 }],
          [{ id: 'unknown' }, NOT_IN_LIST],
        ],
      ],
      [
        'safelist',
        [
          [{ id: 'book' }, { status: 200 }],
          [{ text: BOOK }, { status: 200 }],
          [{ text: BOOK, id: 'book' }, { status: 200 }],
          [{ text: OTHER }, NOT_IN_LIST],
          [{ text: `${BOOK} ` }, NOT_IN_LIST],
          [{ text: OTHER, id: 'unknown' }, NOT_IN_LIST],
          [{ text: OTHER, id: sha256Of(OTHER) }, NOT_IN_LIST],
          [{ text: INTROSPECT.replace('name', 'kind') }, NOT_IN_LIST],
        ],
      ],
      [
        'id-required',
        [
          [{ id: 'book' }, { status: 200 }],
          [{ text: BOOK, id: 'book' }, { status: 200 }],
          [{ text: BOOK }, { status: 400, code: 'PERSISTED_QUERY_ID_REQUIRED' }],
          [{ text: OTHER }, { status: 400, code: 'PERSISTED_QUERY_ID_REQUIRED' }],
          [{ text: OTHER, id: sha256Of(OTHER) }, NOT_IN_LIST],
          [{ id: 'unknown' }, NOT_IN_LIST],
          [{ id: 'toString' }, NOT_IN_LIST],
        ],
      ],
    ])('executes only the texts and ids that the mode %s allows', async (mode, cases) => {
      const gateway = await standingIn(mode);
      for (const [requested, expected] of cases)
        expect({ requested, ...(await transport(gateway, requested)) }).toMatchObject({ requested, ...expected });
    });
  });

  describe('by HTTP', () => {
    it.each<[string, (url: string) => Promise<GraphqlResponse>]>([
      ['documentId in the body', (url) => postGraphql(url, { documentId: 'book', variables: VARIABLES })],
      ['documentId in the query string', (url) => getGraphql(url, { documentId: 'book', variables: VARIABLES })],
      ['id in the body', (url) => postGraphql(url, { id: 'book', query: null, variables: VARIABLES })],
      ['id in the query string', (url) => getGraphql(url, { id: 'book', variables: VARIABLES })],
      ['doc_id in the body', (url) => postGraphql(url, { doc_id: 'book', variables: VARIABLES })],
      ['doc_id in the query string', (url) => getGraphql(url, { doc_id: 'book', variables: VARIABLES })],
      ['the path, by GET', (url) => getGraphql(`${url}/book`, { variables: VARIABLES })],
      ['the path, by POST', (url) => postGraphql(`${url}/book`, { variables: VARIABLES })],
      ['a hash in the path', (url) => getGraphql(`${url}/sha256:${sha256Of(BOOK)}`, { variables: VARIABLES })],
      ['an encoded hash in the path', (url) => getGraphql(`${url}/sha256%3A${sha256Of(BOOK).toUpperCase()}`, { variables: VARIABLES })],
      ['the path and the body', (url) => postGraphql(`${url}/book`, { documentId: 'book', variables: VARIABLES })],
      [
        'the extension of automatic persisted queries',
        (url) => getGraphql(url, { variables: VARIABLES, extensions: { persistedQuery: { version: 1, sha256Hash: sha256Of(BOOK) } } }),
      ],
    ])('executes the document of %s when ids are required', async (_place, request) => {
      const { url } = await standingIn('id-required');
      expect(await request(`${url}/graphql`)).toMatchObject(DATA);
    });

    it.each<[string, (url: string) => Promise<GraphqlResponse>, object]>([
      ['a mutation by GET', (url) => getGraphql(url, { documentId: 'rename' }), { status: 405, code: 'METHOD_NOT_ALLOWED' }],
      ['a mutation by GET, in the path', (url) => getGraphql(`${url}/rename`, {}), { status: 405, code: 'METHOD_NOT_ALLOWED' }],
      ['introspection', (url) => getGraphql(url, { documentId: 'introspect' }), { code: 'INTROSPECTION_DISABLED' }],
      ['no variables', (url) => getGraphql(url, { documentId: 'book' }), { code: 'BAD_USER_INPUT' }],
      [
        'an unknown hash',
        (url) => getGraphql(url, { extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } }),
        NOT_IN_LIST,
      ],
      ['two ids', (url) => postGraphql(url, { documentId: 'book', doc_id: 'rename' }), { status: 400, code: 'BAD_REQUEST' }],
      [
        'an id in the path and another in the body',
        (url) => postGraphql(`${url}/book`, { documentId: 'rename' }),
        { status: 400, code: 'BAD_REQUEST' },
      ],
      ['an id that is a number', (url) => postGraphql(url, { doc_id: 1 }), { status: 400, code: 'BAD_REQUEST' }],
      ['an id that is a list', (url) => postGraphql(url, { documentId: ['book'] }), { status: 400, code: 'BAD_REQUEST' }],
      ['an id of half a megabyte', (url) => postGraphql(url, { documentId: 'a'.repeat(524_288) }), { status: 400, code: 'BAD_REQUEST' }],
      ['half a hash', (url) => postGraphql(url, { documentId: 'sha256:abc' }), { status: 400, code: 'BAD_REQUEST' }],
      ['a path that is not valid UTF-8', (url) => postGraphql(`${url}/%ff`, {}), { status: 400, code: 'BAD_REQUEST' }],
      ['an empty id', (url) => postGraphql(url, { documentId: '' }), { status: 400, code: 'BAD_REQUEST' }],
      ['an empty body', (url) => postGraphql(url, {}), { status: 400, code: 'BAD_REQUEST' }],
    ])('rejects %s when ids are required', async (_what, request, expected) => {
      const { url } = await standingIn('id-required', { graphql: { introspection: false } });
      expect(await request(`${url}/graphql`)).toMatchObject(expected);
    });

    it('ignores ids that accompany texts when texts are allowed', async () => {
      const { url } = await standingIn('off');
      expect(await postGraphql(`${url}/graphql`, { id: 1, doc_id: {}, query: OTHER })).toMatchObject({ status: 200 });
    });

    it('reports that ids are not supported when no manifests are configured', async () => {
      library = await startLibraryGateway();
      for (const request of [
        postGraphql(`${library.url}/graphql`, { documentId: 'book' }),
        getGraphql(`${library.url}/graphql/book`, {}),
      ]) {
        expect(await request).toMatchObject({ status: 200, code: 'PERSISTED_QUERY_NOT_SUPPORTED' });
      }
    });

    it('does not store a text that is sent with its hash under a safelist', async () => {
      const { url } = await start('safelist');
      const extensions = { persistedQuery: { version: 1, sha256Hash: sha256Of(OTHER) } };
      expect(await postGraphql(`${url}/graphql`, { query: OTHER, extensions })).toMatchObject(NOT_IN_LIST);
      expect(await postGraphql(`${url}/graphql`, { extensions })).toMatchObject(NOT_IN_LIST);
    });
  });

  it('logs each unknown text once in the mode `log`, also if it is sent by its hash', async () => {
    const { url } = await start('log');
    const extensions = { persistedQuery: { version: 1, sha256Hash: sha256Of(OTHER) } };
    for (const body of [{ query: OTHER, extensions }, { query: OTHER }, { extensions }, { query: BOOK, variables: VARIABLES }]) {
      expect(await postGraphql(`${url}/graphql`, body)).toMatchObject({ status: 200 });
    }
    const warned = log.filter(({ level, facts }) => level === 'warn' && 'sha256' in facts);
    expect(warned.map(({ facts }) => facts)).toEqual([{ sha256: sha256Of(OTHER), text: OTHER }]);
  });

  it('executes documents that the gateway itself has prepared when ids are required', async () => {
    const { gateway } = await start('id-required');
    const own = gateway.onGeneration((view) => view.prepare(OTHER));
    await own.ready;
    using bound = own.acquire();
    const { signal } = new AbortController();
    const request = { principal: ANONYMOUS, transport: 'rest', headers: {}, correlationId: 'x', signal } as const;
    const result = await gateway.executeToObject({ ...request, document: { prepared: bound.value }, generation: bound.generation });
    expect(result.data).toEqual({ __typename: 'Query' });
  });

  it('applies a valid change of a manifest and ignores an invalid one', async () => {
    const { url } = await start('safelist');
    const statusOf = async (query: string): Promise<number> =>
      (await postGraphql(`${url}/graphql`, { query, variables: VARIABLES })).status;
    expect(await statusOf(OTHER)).toBe(404);
    await writeManifest({ other: OTHER, broken: BROKEN });
    await until(async () => (await statusOf(OTHER)) === 200);
    expect(await statusOf(BOOK)).toBe(404);
    expect(log.find(({ level }) => level === 'error')?.facts).toMatchObject({ client: 'web@3', document: 'broken' });
    log.length = 0;
    await writeFile(file, '{ "half": ');
    await until(() => log.some(({ level }) => level === 'error'));
    expect(await statusOf(OTHER)).toBe(200);
    log.length = 0;
    await rm(file);
    await until(() => log.some(({ level }) => level === 'error'));
    expect(await statusOf(OTHER)).toBe(200);
  });
});
