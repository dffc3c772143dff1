import { IntrospectAndCompose, LocalCompose, RemoteGraphQLDataSource } from '@apollo/gateway';
import { ApolloServer, type BaseContext } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GraphQLError, parse } from 'graphql';
import { type ApolloGatewayOptions, createApolloGateway } from '../../../../gateway/apollo-server/index.ts';
import { startStorefront, type Storefront } from '../../../fixtures/storefront/start-storefront.ts';
import { storefrontSdl, storefrontSources } from '../../../fixtures/storefront/storefront.ts';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';

let storefront: Storefront;
let sdl: string;
beforeAll(async () => {
  storefront = await startStorefront();
  sdl = storefrontSdl(storefront.urls);
});
afterAll(async () => {
  await storefront[Symbol.asyncDispose]();
});

const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

interface Served extends AsyncDisposable {
  readonly server: ApolloServer;
  request(
    query: string,
    options?: { variables?: Record<string, unknown>; contextValue?: BaseContext; operationName?: string },
  ): Promise<ReceivedResponse>;
}

interface ReceivedResponse {
  readonly data?: unknown;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: unknown;
    readonly locations?: unknown;
    readonly extensions: Record<string, unknown>;
  }[];
  readonly status: number | undefined;
}

async function serve(
  options: Partial<ApolloGatewayOptions> = {},
  serverOptions: Partial<ConstructorParameters<typeof ApolloServer>[0]> = {},
): Promise<Served> {
  const server = new ApolloServer({
    gateway: createApolloGateway({ supergraphSdl: sdl, logger: QUIET, ...options }),
    logger: QUIET,
    introspection: true,
    includeStacktraceInErrorResponses: false,
    plugins: [ApolloServerPluginCacheControlDisabled()],
    ...serverOptions,
  } as ConstructorParameters<typeof ApolloServer>[0]);
  await server.start();
  return {
    server,
    async request(query, { contextValue = {}, ...request } = {}) {
      const { body, http } = await server.executeOperation({ query, ...request }, { contextValue });
      if (body.kind !== 'single') throw new Error('The response is incremental, but a single result was expected.');
      return { ...(JSON.parse(JSON.stringify(body.singleResult)) as Omit<ReceivedResponse, 'status'>), status: http.status };
    },
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

describe('loading and stopping', () => {
  it('rejects a text that is not a supergraph and leaves nothing running', async () => {
    const gateway = createApolloGateway({ supergraphSdl: 'type Query { a: Int }', logger: QUIET });
    await expect(gateway.load({ apollo: {} })).rejects.toThrow('cannot be served');
    await gateway.stop();
  });

  it('reports the error of a failing supergraph manager', async () => {
    const gateway = createApolloGateway({ supergraphSdl: async () => Promise.reject(new Error('the registry is down')), logger: QUIET });
    await expect(gateway.load({ apollo: {} })).rejects.toThrow('the registry is down');
  });

  it('rejects a second `load`', async () => {
    const gateway = createApolloGateway({ supergraphSdl: sdl, logger: QUIET });
    await gateway.load({ apollo: {} });
    await expect(gateway.load({ apollo: {} })).rejects.toThrow('loaded only once');
    await Promise.all([gateway.stop(), gateway.stop()]);
  });

  it('rejects a supergraph after `stop` and runs the cleanup once', async () => {
    let update: (sdl: string) => void = () => {};
    let cleanups = 0;
    const gateway = createApolloGateway({
      logger: QUIET,
      supergraphSdl: async (hooks) => {
        update = hooks.update;
        return { supergraphSdl: sdl, cleanup: async () => void (cleanups += 1) };
      },
    });
    await gateway.load({ apollo: {} });
    await gateway.stop();
    await gateway.stop();
    expect(() => update(sdl)).toThrow('stopped');
    expect(cleanups).toBe(1);
  });

  it('requires `principal` for a supergraph with authorization rules and applies them', async () => {
    const guarded = sdl
      .replace('schema\n', 'schema\n  @link(url: "https://specs.apollo.dev/authenticated/v0.1", for: SECURITY)\n')
      .replace('directive @join__directive', 'directive @authenticated on FIELD_DEFINITION\n\ndirective @join__directive')
      .replace('  me: Account @join__field(graph: ACCOUNTS)', '  me: Account @join__field(graph: ACCOUNTS) @authenticated');
    await expect(serve({ supergraphSdl: guarded })).rejects.toThrow('Query.me with @authenticated');
    const caller = { kind: 'user', id: '1', roles: new Set<string>(), scopes: new Set<string>(), claims: {} } as const;
    await using served = await serve({ supergraphSdl: guarded, principal: () => caller });
    expect(await served.request('{ me { id } }')).toMatchObject({ data: { me: { id: '1' } } });
    await using closed = await serve({ supergraphSdl: guarded, principal: () => ANONYMOUS });
    expect(await closed.request('{ me { id } }')).toMatchObject({
      data: { me: null },
      errors: [{ path: ['me'], extensions: { code: 'UNAUTHENTICATED' } }],
    });
  });
});

describe('supergraph managers', () => {
  it('IntrospectAndCompose fetches the subgraph schemas and serves the composed supergraph', async () => {
    const subgraphs = Object.entries(storefront.urls).map(([name, url]) => ({ name, url }));
    const supergraphSdl = new IntrospectAndCompose({
      subgraphs,
      subgraphHealthCheck: true,
      introspectionHeaders: { 'x-who': 'composer' },
      logger: QUIET,
    });
    await using served = await serve({ supergraphSdl });
    expect(await served.request('{ product(upc: "p1") { title seller { name } reviews { body } } }')).toMatchObject({
      data: { product: { title: 'Lamp', seller: { name: 'Bytes & Söhne' }, reviews: [{ body: 'About p1' }] } },
    });
    expect(storefront.requests.filter(({ headers }) => headers['x-who'] === 'composer')).toHaveLength(3);
  });

  it('IntrospectAndCompose fails to start with the name of an unreachable subgraph', async () => {
    const supergraphSdl = new IntrospectAndCompose({ subgraphs: [{ name: 'gone', url: 'http://127.0.0.1:1/' }], logger: QUIET });
    await expect(serve({ supergraphSdl })).rejects.toThrow('gone');
  });

  it('LocalCompose serves the composed supergraph', async () => {
    const localServiceList = storefrontSources(storefront.urls).map(({ name, url, files }) => ({
      name,
      url,
      typeDefs: parse(files[0]?.text ?? ''),
    }));
    await using served = await serve({ supergraphSdl: new LocalCompose({ localServiceList, logger: QUIET }) });
    expect(await served.request('{ me { name } }')).toMatchObject({ data: { me: { name: 'Ada' } } });
  });

  it('serves and reports a valid new supergraph, and rejects an invalid one', async () => {
    let update: (sdl: string) => void = () => {};
    const reported: string[] = [];
    const gateway = createApolloGateway({
      logger: QUIET,
      supergraphSdl: async (hooks) => {
        update = hooks.update;
        return { supergraphSdl: sdl };
      },
    });
    let heard = (): void => {};
    const unsubscribe = gateway.onSchemaLoadOrUpdate(({ coreSupergraphSdl, apiSchema }) => {
      reported.push(`${coreSupergraphSdl.length}:${String(apiSchema.getQueryType()?.getFields()['news'] !== undefined)}`);
      heard();
    });
    await using served = await serve({}, { gateway });
    expect(() => update('type Query { a: Int }')).toThrow('cannot be served');
    expect(await served.request('{ news { id } }')).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] });
    const next = sdl.replace(
      '  me: Account @join__field(graph: ACCOUNTS)',
      '  me: Account @join__field(graph: ACCOUNTS)\n  news: Account @join__field(graph: ACCOUNTS)',
    );
    const second = new Promise<void>((resolve) => {
      heard = resolve;
    });
    update(next);
    update(next);
    await second;
    expect(await served.request('{ news { id } }')).toMatchObject({ data: { news: null } }); // The subgraph does not define this field.
    expect(reported).toEqual([`${sdl.length}:false`, `${next.length}:true`]);
    unsubscribe();
  });

  it('executes a request on the schema that was current when the request began', async () => {
    let update: (sdl: string) => void = () => {};
    const gateway = createApolloGateway({
      logger: QUIET,
      supergraphSdl: async (hooks) => {
        update = hooks.update;
        return { supergraphSdl: sdl };
      },
    });
    const without = sdl.replace('  me: Account @join__field(graph: ACCOUNTS)\n', '');
    let isSwapped = false;
    await using served = await serve(
      {},
      {
        gateway,
        plugins: [
          {
            async requestDidStart() {
              return {
                async didResolveOperation() {
                  if (isSwapped) return;
                  isSwapped = true;
                  const swapped = new Promise<void>((resolve) =>
                    // A gateway with a loaded schema calls the listener at once.
                    gateway.onSchemaLoadOrUpdate(({ coreSupergraphSdl }) => (coreSupergraphSdl === without ? resolve() : undefined)),
                  );
                  update(without);
                  await swapped;
                },
              };
            },
          },
        ],
      },
    );
    expect(await served.request('{ me { name } }')).toMatchObject({ data: { me: { name: 'Ada' } } });
    expect(await served.request('{ me { name } }')).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] });
  });
});

describe('data sources of `buildService`', () => {
  class Signed extends RemoteGraphQLDataSource<{ token?: string }> {
    override willSendRequest({
      request,
      context,
    }: Parameters<NonNullable<RemoteGraphQLDataSource<{ token?: string }>['willSendRequest']>>[0]) {
      request.http?.headers.set('authorization', context.token ?? 'none');
    }
  }

  it('can send a credential from the context to every subgraph', async () => {
    const made: string[] = [];
    await using served = await serve({
      buildService: ({ name, url }) => {
        made.push(name);
        return new Signed({ url: url ?? '' });
      },
    });
    const before = storefront.requests.length;
    await served.request('{ product(upc: "p2") { seller { name } reviews { id } } }', { contextValue: { token: 'Bearer ada' } });
    const sent = storefront.requests.slice(before);
    expect(sent.map(({ subgraph }) => subgraph).toSorted((one, other) => one.localeCompare(other))).toEqual([
      'accounts',
      'products',
      'reviews',
    ]);
    expect(new Set(sent.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer ada']));
    expect(made.toSorted((one, other) => one.localeCompare(other))).toEqual(['accounts', 'products', 'reviews']);
  });

  it('receive the context of the matching request when requests are concurrent', async () => {
    await using served = await serve({ buildService: ({ url }) => new Signed({ url: url ?? '' }) });
    const before = storefront.requests.length;
    const query = '{ account(id: "1") { name } }';
    await Promise.all([served.request(query, { contextValue: { token: 'a' } }), served.request(query, { contextValue: { token: 'b' } })]);
    expect(
      storefront.requests
        .slice(before)
        .map(({ headers }) => headers.authorization)
        .toSorted((one, other) => (one ?? '').localeCompare(other ?? '')),
    ).toEqual(['a', 'b']);
  });

  it('send an error code to the client, and a constant message without a code', async () => {
    const failing = (error: Error) =>
      serve({
        buildService: () => ({
          async process() {
            throw error;
          },
        }),
      });
    await using rejecting = await failing(
      new GraphQLError('Sign in first.', { extensions: { code: 'UNAUTHENTICATED', response: { url: 'http://inside/' } } }),
    );
    const rejected = await rejecting.request('{ me { name } }');
    expect(rejected).toMatchObject({
      data: { me: null },
      errors: [{ message: 'Sign in first.', path: ['me'], extensions: { code: 'UNAUTHENTICATED' } }],
    });
    expect(JSON.stringify(rejected)).not.toContain('inside');
    await using broken = await failing(new Error('connect ECONNREFUSED 10.0.0.7'));
    const failed = await broken.request('{ me { name } }');
    expect(failed).toMatchObject({ errors: [{ path: ['me'], extensions: { code: 'SUBGRAPH_UNAVAILABLE' } }] });
    expect(JSON.stringify(failed)).not.toContain('10.0.0.7');
  });

  it.each([
    ['nothing', undefined],
    ['a list', { data: [] }],
    ['neither data nor errors', {}],
    ['invalid errors', { data: { me: null }, errors: 'all of them' }],
  ])('fail their field and no other when they return %s', async (_what, response) => {
    await using served = await serve({ buildService: () => ({ process: async () => response as never }) });
    expect(await served.request('{ me { name } __typename }')).toMatchObject({
      data: { me: null, __typename: 'Query' },
      errors: [{ extensions: { code: 'SUBGRAPH_INVALID_RESPONSE' } }],
    });
  });

  it('fail their field with an aborted signal when they do not respond in time', async () => {
    let stopped: unknown;
    await using served = await serve({
      subgraphs: { requestTimeoutMs: 20 },
      buildService: () => ({
        process: (options) => {
          const { signal } = options as typeof options & { readonly signal: AbortSignal };
          signal.addEventListener('abort', () => {
            stopped = signal.reason;
          });
          return new Promise(() => {});
        },
      }),
    });
    expect(await served.request('{ me { name } }')).toMatchObject({ errors: [{ extensions: { code: 'SUBGRAPH_TIMEOUT' } }] });
    expect(stopped).toMatchObject({ code: 'SUBGRAPH_TIMEOUT' });
  });
});

describe('errors', () => {
  it('include the code and status of an exceeded limit', async () => {
    await using served = await serve({ limits: { maxDepth: 2 } });
    expect(await served.request('{ me { offers { title } } }')).toMatchObject({
      status: 400,
      errors: [{ extensions: { code: 'DEPTH_LIMIT_EXCEEDED' } }],
    });
    expect((await served.request('{ me { offers { title } } }')).errors?.[0]?.extensions).not.toHaveProperty('http');
  });

  it('have status 400 and no data when a variable is missing', async () => {
    await using served = await serve();
    const response = await served.request('query ($id: ID!) { account(id: $id) { id } }', { variables: {} });
    expect(response).toMatchObject({ status: 400, errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
    expect(response).not.toHaveProperty('data');
  });

  it('reach formatError and didEncounterErrors with path and code', async () => {
    const seen: unknown[] = [];
    await using served = await serve(
      {
        buildService: ({ url }) =>
          new RemoteGraphQLDataSource({
            url: url ?? '',
            willSendRequest({ request }) {
              request.http?.headers.set('forbids', 'name');
            },
          }),
      },
      {
        formatError: (formatted) => ({ ...formatted, extensions: { ...formatted.extensions, formatted: true } }),
        plugins: [
          {
            async requestDidStart() {
              return {
                async didEncounterErrors({ errors }) {
                  seen.push(...errors.map((error) => [error instanceof GraphQLError, error.path, error.extensions['code']]));
                },
              };
            },
          },
        ],
      },
    );
    expect(await served.request('{ me { id name } }')).toMatchObject({
      data: { me: null },
      errors: [{ message: 'The name is not for you.', path: ['me', 'name'], extensions: { code: 'FORBIDDEN', formatted: true } }],
    });
    expect(seen).toEqual([[true, ['me', 'name'], 'FORBIDDEN']]);
  });

  it('include the abort reason when the client disconnects', async () => {
    const controller = new AbortController();
    await using served = await serve({
      signal: ({ context }) => (context as { readonly gone: AbortSignal }).gone,
      buildService: () => ({
        process: () => {
          controller.abort(new Error('the client disconnected'));
          return new Promise(() => {});
        },
      }),
    });
    const response = await served.request('{ me { name } }', { contextValue: { gone: controller.signal } });
    expect(response).toMatchObject({ errors: [{ message: 'the client disconnected' }] });
  });
});
