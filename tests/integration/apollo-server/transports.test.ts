import { ApolloGateway, RemoteGraphQLDataSource } from '@apollo/gateway';
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { startStandaloneServer } from '@apollo/server/standalone';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApolloGatewayOptions, createApolloGateway, stringifyResult } from '../../../gateway/apollo-server/index.ts';
import { createGateway, type Gateway } from '../../../gateway/index.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { startStorefront, type Storefront } from '../../fixtures/storefront/start-storefront.ts';
import { storefrontSdl } from '../../fixtures/storefront/storefront.ts';

const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

interface Question {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
}

interface ReceivedResponse {
  readonly data?: unknown;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: unknown;
    readonly locations?: unknown;
    readonly extensions: { readonly code: string };
  }[];
}

/** A GraphQL endpoint over HTTP. */
interface Transport extends AsyncDisposable {
  request(question: Question): Promise<ReceivedResponse>;
}

function transportAt(url: string, close: () => Promise<void>): Transport {
  return {
    async request(question) {
      const response = await fetch(url, {
        method: 'POST',
        // A keep-alive connection would delay closing the server.
        headers: { 'content-type': 'application/json', 'x-correlation-id': 'one', connection: 'close' },
        body: JSON.stringify(question),
      });
      return (await response.json()) as ReceivedResponse;
    },
    [Symbol.asyncDispose]: close,
  };
}

async function openNative(sdl: string): Promise<Transport> {
  const gateway: Gateway = await createGateway(
    {
      profile: 'dev',
      supergraph: { sdl },
      subgraphs: { errorMessages: 'listed' },
      server: { port: 0, internalPort: 0 },
      auth: { developmentKey: 'k'.repeat(32) },
    },
    { logger: silentLogger },
  );
  const { url } = await gateway.listen();
  return transportAt(`${url}/graphql`, async () => {
    await gateway[Symbol.asyncDispose]();
  });
}

type Gatewaylike = ConstructorParameters<typeof ApolloServer>[0]['gateway'];

async function openApollo(gateway: Gatewaylike, plugins: ApolloServerPlugin[] = [], more: object = {}): Promise<Transport> {
  const server = new ApolloServer({
    gateway: gateway ?? (undefined as never),
    introspection: true,
    includeStacktraceInErrorResponses: false,
    logger: QUIET,
    plugins: [ApolloServerPluginCacheControlDisabled(), ...plugins],
    ...more,
  });
  const { url } = await startStandaloneServer(server, {
    listen: { port: 0, host: '127.0.0.1' },
    context: async () => ({ token: 'from the context' }),
  });
  return transportAt(url, () => server.stop());
}

let storefront: Storefront;
let sdl: string;
const ours = (options: Partial<ApolloGatewayOptions> = {}) => createApolloGateway({ supergraphSdl: sdl, logger: QUIET, ...options });

beforeAll(async () => {
  storefront = await startStorefront();
  sdl = storefrontSdl(storefront.urls);
});
afterAll(async () => {
  await storefront[Symbol.asyncDispose]();
});

const QUESTIONS: readonly (Question & { readonly what: string })[] = [
  { what: 'one subgraph', query: '{ me { id name kind } }' },
  {
    what: 'three subgraphs',
    query: '{ products { upc title price attributes seller { name offers { title } } reviews { body author { name } } } }',
  },
  {
    what: 'aliases and fragments',
    query:
      'query { a: product(upc: "p1") { ...P } b: product(upc: "p2") { ...P } } fragment P on Product { t: title s: seller { __typename n: name } }',
  },
  {
    what: 'variables and a name',
    query: 'query A($f: Int = 1) { products(first: $f) { upc } } query B { me { id } }',
    variables: { f: 2 },
    operationName: 'A',
  },
  {
    what: 'conditions',
    query: 'query ($c: Boolean!) { me { id name @include(if: $c) } product(upc: "p1") @skip(if: $c) { upc } }',
    variables: { c: true },
  },
  { what: 'a mutation', query: 'mutation { rename(id: "1", name: "Grace \\"Murray\\"") { id name } }' },
  { what: 'nothing found', query: '{ account(id: "9") { name } product(upc: "none") { title } }' },
  { what: 'introspection', query: '{ __schema { queryType { name } } __type(name: "Account") { fields { name type { name kind } } } }' },
  { what: 'a type name only', query: '{ __typename }' },
  { what: 'a failing subgraph', query: '{ account(id: "broken") { name } me { id } }' },
];

const REJECTED: readonly (Question & { readonly what: string; readonly code: string })[] = [
  { what: 'no GraphQL', query: '{ me { ', code: 'GRAPHQL_PARSE_FAILED' },
  { what: 'an unknown field', query: '{ you }', code: 'GRAPHQL_VALIDATION_FAILED' },
  { what: 'a missing variable', query: 'query ($id: ID!) { account(id: $id) { id } }', variables: {}, code: 'BAD_USER_INPUT' },
  { what: 'a wrong variable', query: 'query ($f: Int) { products(first: $f) { upc } }', variables: { f: 'two' }, code: 'BAD_USER_INPUT' },
  {
    what: 'too many root fields',
    query: `{ ${Array.from({ length: 21 }, (_, index) => `a${index}: me { id }`).join(' ')} }`,
    code: 'ROOT_FIELD_LIMIT_EXCEEDED',
  },
];

describe.each<[string, () => Promise<Transport>]>([
  ['createApolloGateway', () => openApollo(ours())],
  ['createApolloGateway with serialized data', () => openApollo(ours({ serializedData: true }), [], { stringifyResult })],
  ['createApolloGateway with serialized data that Apollo Server serializes again', () => openApollo(ours({ serializedData: true }))],
  [
    'createApolloGateway with data sources',
    () => openApollo(ours({ buildService: ({ url }) => new RemoteGraphQLDataSource({ url: url ?? '' }) })),
  ],
])('%s', (_name, open) => {
  let native: Transport;
  let transport: Transport;
  beforeAll(async () => {
    [native, transport] = await Promise.all([openNative(sdl), open()]);
  });
  afterAll(async () => {
    await native[Symbol.asyncDispose]();
    await transport[Symbol.asyncDispose]();
  });

  it.each(REJECTED)('rejects $what with $code, like the native gateway', async ({ what: _what, code, ...question }) => {
    const [expected, response] = await Promise.all([native.request(question), transport.request(question)]);
    expect(response.errors?.map(({ extensions }) => extensions.code)).toEqual(expected.errors?.map(({ extensions }) => extensions.code));
    expect(response.errors?.[0]?.extensions.code).toBe(code);
    expect(response.data).toBeUndefined();
  });

  it.each(QUESTIONS)('returns the same response as the native gateway: $what', async ({ what: _what, ...question }) => {
    const [expected, response] = await Promise.all([native.request(question), transport.request(question)]);
    expect(response).toEqual(expected);
    expect(JSON.stringify(response)).toBe(JSON.stringify(expected)); // The keys follow the order of the client's selections.
  });
});

describe('plugins', () => {
  /** Plugin that records every hook that does not depend on resolvers, with its arguments. */
  function recorder(lines: string[]): ApolloServerPlugin {
    const say = (hook: string, ...facts: unknown[]) => void lines.push(`${hook} ${JSON.stringify(facts)}`);
    return {
      async serverWillStart() {
        return {
          schemaDidLoadOrUpdate: ({ coreSupergraphSdl, apiSchema }) =>
            say(
              'schemaDidLoadOrUpdate',
              coreSupergraphSdl?.length,
              Object.keys(apiSchema.getTypeMap()).filter((type) => !type.startsWith('__')).length,
            ),
          async serverWillStop() {
            say('serverWillStop');
          },
        };
      },
      async requestDidStart({ contextValue, request }) {
        say('requestDidStart', contextValue, request.http?.method, request.http?.headers.get('x-correlation-id'));
        return {
          async didResolveSource({ source }) {
            say('didResolveSource', source);
          },
          async parsingDidStart() {
            say('parsingDidStart');
          },
          async validationDidStart() {
            say('validationDidStart');
          },
          async didResolveOperation({ operationName, operation, document }) {
            say('didResolveOperation', operationName, operation?.operation, document.definitions.length);
          },
          async executionDidStart() {
            say('executionDidStart');
            return {
              async executionDidEnd(error?: Error) {
                say('executionDidEnd', error?.message);
              },
            };
          },
          async didEncounterErrors({ errors }) {
            say(
              'didEncounterErrors',
              errors.map(({ path }) => path),
            );
          },
          async willSendResponse({ response, metrics }) {
            const { body } = response;
            say('willSendResponse', body.kind === 'single' ? body.singleResult.data : body.kind, metrics.persistedQueryHit);
          },
        };
      },
    };
  }

  const SEEN: readonly Question[] = [
    { query: 'query Q { me { name } }' },
    { query: 'query Q { me { name } }' },
    { query: '{ you }' },
    { query: 'query ($id: ID!) { account(id: $id) { id } }', variables: {} },
    { query: '{ account(id: "broken") { name } }' },
    { query: 'mutation M { rename(id: "1", name: "Grace") { name } }' },
  ];

  it('receive the same events as with the stock gateway', async () => {
    const heard = async (gateway: Gatewaylike, more: object = {}): Promise<readonly string[]> => {
      const lines: string[] = [];
      const transport = await openApollo(gateway, [recorder(lines)], more);
      for (const question of SEEN) await transport.request(question);
      await transport[Symbol.asyncDispose]();
      return lines;
    };
    const expected = await heard(new ApolloGateway({ supergraphSdl: sdl, logger: QUIET }));
    expect(expected.length).toBeGreaterThan(30);
    expect(await heard(ours())).toEqual(expected);
    expect(await heard(ours({ serializedData: true }), { stringifyResult })).toEqual(expected);
  });

  it('can change serialized data before the client reads it', async () => {
    const plugin: ApolloServerPlugin = {
      async requestDidStart() {
        return {
          async willSendResponse({ response: { body } }) {
            if (body.kind !== 'single') return;
            (body.singleResult.data as { me: { name: string } }).me.name = 'Somebody';
            body.singleResult.extensions = { changed: true };
          },
        };
      },
    };
    await using transport = await openApollo(ours({ serializedData: true }), [plugin], { stringifyResult });
    expect(await transport.request({ query: '{ me { name } }' })).toEqual({
      data: { me: { name: 'Somebody' } },
      extensions: { changed: true },
    });
  });

  it('with `willResolveField` do not change responses, and are not called for subgraph fields', async () => {
    let calls = 0;
    const plugin: ApolloServerPlugin = {
      async requestDidStart() {
        return { executionDidStart: async () => ({ willResolveField: () => void (calls += 1) }) };
      },
    };
    await using transport = await openApollo(ours(), [plugin]);
    expect(await transport.request({ query: '{ me { name } }' })).toEqual({ data: { me: { name: 'Ada' } } });
    expect(calls).toBe(0);
  });
});
