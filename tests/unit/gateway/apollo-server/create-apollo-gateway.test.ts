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
  ask(
    query: string,
    options?: { variables?: Record<string, unknown>; contextValue?: BaseContext; operationName?: string },
  ): Promise<Answer>;
}

interface Answer {
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
    async ask(query, { contextValue = {}, ...request } = {}) {
      const { body, http } = await server.executeOperation({ query, ...request }, { contextValue });
      if (body.kind !== 'single') throw new Error('An answer in parts was not asked for.');
      return { ...(JSON.parse(JSON.stringify(body.singleResult)) as Omit<Answer, 'status'>), status: http.status };
    },
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

describe('loading and stopping', () => {
  it('given a text that is no supergraph, when Apollo Server starts, then it fails and nothing is left running', async () => {
    const gateway = createApolloGateway({ supergraphSdl: 'type Query { a: Int }', logger: QUIET });
    await expect(gateway.load({ apollo: {} })).rejects.toThrow('cannot be served');
    await gateway.stop();
  });

  it('given a manager that fails, when loading, then its reason is passed on', async () => {
    const gateway = createApolloGateway({ supergraphSdl: async () => Promise.reject(new Error('the registry is down')), logger: QUIET });
    await expect(gateway.load({ apollo: {} })).rejects.toThrow('the registry is down');
  });

  it('given a loaded gateway, when it is loaded again, then it refuses', async () => {
    const gateway = createApolloGateway({ supergraphSdl: sdl, logger: QUIET });
    await gateway.load({ apollo: {} });
    await expect(gateway.load({ apollo: {} })).rejects.toThrow('loaded only once');
    await Promise.all([gateway.stop(), gateway.stop()]);
  });

  it('given a stopped gateway, when its manager hands over a supergraph, then it refuses and the cleanup has run once', async () => {
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

  it('given a supergraph with rules, when loading, then it is refused unless somebody tells who the callers are', async () => {
    const guarded = sdl
      .replace('schema\n', 'schema\n  @link(url: "https://specs.apollo.dev/authenticated/v0.1", for: SECURITY)\n')
      .replace('directive @join__directive', 'directive @authenticated on FIELD_DEFINITION\n\ndirective @join__directive')
      .replace('  me: Account @join__field(graph: ACCOUNTS)', '  me: Account @join__field(graph: ACCOUNTS) @authenticated');
    await expect(serve({ supergraphSdl: guarded })).rejects.toThrow('Query.me with @authenticated');
    const caller = { kind: 'user', id: '1', roles: new Set<string>(), scopes: new Set<string>(), claims: {} } as const;
    await using served = await serve({ supergraphSdl: guarded, principal: () => caller });
    expect(await served.ask('{ me { id } }')).toMatchObject({ data: { me: { id: '1' } } });
    await using closed = await serve({ supergraphSdl: guarded, principal: () => ANONYMOUS });
    expect(await closed.ask('{ me { id } }')).toMatchObject({
      data: { me: null },
      errors: [{ path: ['me'], extensions: { code: 'UNAUTHENTICATED' } }],
    });
  });
});

describe('supergraph managers', () => {
  it('given IntrospectAndCompose, when Apollo Server starts, then it asks the subgraphs and serves what it composes', async () => {
    const subgraphs = Object.entries(storefront.urls).map(([name, url]) => ({ name, url }));
    const supergraphSdl = new IntrospectAndCompose({
      subgraphs,
      subgraphHealthCheck: true,
      introspectionHeaders: { 'x-who': 'composer' },
      logger: QUIET,
    });
    await using served = await serve({ supergraphSdl });
    expect(await served.ask('{ product(upc: "p1") { title seller { name } reviews { body } } }')).toMatchObject({
      data: { product: { title: 'Lamp', seller: { name: 'Bytes & Söhne' }, reviews: [{ body: 'About p1' }] } },
    });
    expect(storefront.requests.filter(({ headers }) => headers['x-who'] === 'composer')).toHaveLength(3);
  });

  it('given a subgraph that is not there, when IntrospectAndCompose asks it, then starting fails with its name', async () => {
    const supergraphSdl = new IntrospectAndCompose({ subgraphs: [{ name: 'gone', url: 'http://127.0.0.1:1/' }], logger: QUIET });
    await expect(serve({ supergraphSdl })).rejects.toThrow('gone');
  });

  it('given LocalCompose, when Apollo Server starts, then it serves what it composes', async () => {
    const localServiceList = storefrontSources(storefront.urls).map(({ name, url, files }) => ({
      name,
      url,
      typeDefs: parse(files[0]?.text ?? ''),
    }));
    await using served = await serve({ supergraphSdl: new LocalCompose({ localServiceList, logger: QUIET }) });
    expect(await served.ask('{ me { name } }')).toMatchObject({ data: { me: { name: 'Ada' } } });
  });

  it('given newer supergraphs, when they are handed over, then the good one is served and told, and the bad one is refused', async () => {
    let update: (sdl: string) => void = () => {};
    const told: string[] = [];
    const gateway = createApolloGateway({
      logger: QUIET,
      supergraphSdl: async (hooks) => {
        update = hooks.update;
        return { supergraphSdl: sdl };
      },
    });
    let heard = (): void => {};
    const unsubscribe = gateway.onSchemaLoadOrUpdate(({ coreSupergraphSdl, apiSchema }) => {
      told.push(`${coreSupergraphSdl.length}:${String(apiSchema.getQueryType()?.getFields()['news'] !== undefined)}`);
      heard();
    });
    await using served = await serve({}, { gateway });
    expect(() => update('type Query { a: Int }')).toThrow('cannot be served');
    expect(await served.ask('{ news { id } }')).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] });
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
    expect(await served.ask('{ news { id } }')).toMatchObject({ data: { news: null } }); // the subgraph knows no such field
    expect(told).toEqual([`${sdl.length}:false`, `${next.length}:true`]);
    unsubscribe();
  });

  it('given a request that began on the schema before, when it comes to be executed, then it runs on that one', async () => {
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
                    // A gateway that has a schema already reports it at once.
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
    expect(await served.ask('{ me { name } }')).toMatchObject({ data: { me: { name: 'Ada' } } });
    expect(await served.ask('{ me { name } }')).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] });
  });
});

describe('data sources of buildService', () => {
  class Signed extends RemoteGraphQLDataSource<{ token?: string }> {
    override willSendRequest({
      request,
      context,
    }: Parameters<NonNullable<RemoteGraphQLDataSource<{ token?: string }>['willSendRequest']>>[0]) {
      request.http?.headers.set('authorization', context.token ?? 'none');
    }
  }

  it('given a data source that signs, when asked, then every subgraph reads what the context holds', async () => {
    const made: string[] = [];
    await using served = await serve({
      buildService: ({ name, url }) => {
        made.push(name);
        return new Signed({ url: url ?? '' });
      },
    });
    const before = storefront.requests.length;
    await served.ask('{ product(upc: "p2") { seller { name } reviews { id } } }', { contextValue: { token: 'Bearer ada' } });
    const sent = storefront.requests.slice(before);
    expect(sent.map(({ subgraph }) => subgraph).toSorted((one, other) => one.localeCompare(other))).toEqual([
      'accounts',
      'products',
      'reviews',
    ]);
    expect(new Set(sent.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer ada']));
    expect(made.toSorted((one, other) => one.localeCompare(other))).toEqual(['accounts', 'products', 'reviews']);
  });

  it('given two requests at once, when asked, then each subgraph request belongs to its own', async () => {
    await using served = await serve({ buildService: ({ url }) => new Signed({ url: url ?? '' }) });
    const before = storefront.requests.length;
    const query = '{ account(id: "1") { name } }';
    await Promise.all([served.ask(query, { contextValue: { token: 'a' } }), served.ask(query, { contextValue: { token: 'b' } })]);
    expect(
      storefront.requests
        .slice(before)
        .map(({ headers }) => headers.authorization)
        .toSorted((one, other) => (one ?? '').localeCompare(other ?? '')),
    ).toEqual(['a', 'b']);
  });

  it('given one that throws with a code, when asked, then the client reads it; without a code it reads a constant', async () => {
    const failing = (error: Error) =>
      serve({
        buildService: () => ({
          async process() {
            throw error;
          },
        }),
      });
    await using refusing = await failing(
      new GraphQLError('Sign in first.', { extensions: { code: 'UNAUTHENTICATED', response: { url: 'http://inside/' } } }),
    );
    const refused = await refusing.ask('{ me { name } }');
    expect(refused).toMatchObject({
      data: { me: null },
      errors: [{ message: 'Sign in first.', path: ['me'], extensions: { code: 'UNAUTHENTICATED' } }],
    });
    expect(JSON.stringify(refused)).not.toContain('inside');
    await using broken = await failing(new Error('connect ECONNREFUSED 10.0.0.7'));
    const failed = await broken.ask('{ me { name } }');
    expect(failed).toMatchObject({ errors: [{ path: ['me'], extensions: { code: 'SUBGRAPH_UNAVAILABLE' } }] });
    expect(JSON.stringify(failed)).not.toContain('10.0.0.7');
  });

  it.each([
    ['nothing', undefined],
    ['a list', { data: [] }],
    ['neither data nor errors', {}],
    ['errors that are none', { data: { me: null }, errors: 'all of them' }],
  ])('given one that answers %s, when asked, then the field fails and the rest stands', async (_what, answer) => {
    await using served = await serve({ buildService: () => ({ process: async () => answer as never }) });
    expect(await served.ask('{ me { name } __typename }')).toMatchObject({
      data: { me: null, __typename: 'Query' },
      errors: [{ extensions: { code: 'SUBGRAPH_INVALID_RESPONSE' } }],
    });
  });

  it('given one that never answers, when its time is over, then the field fails and the data source is told', async () => {
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
    expect(await served.ask('{ me { name } }')).toMatchObject({ errors: [{ extensions: { code: 'SUBGRAPH_TIMEOUT' } }] });
    expect(stopped).toMatchObject({ code: 'SUBGRAPH_TIMEOUT' });
  });
});

describe('errors', () => {
  it('given an operation beyond a limit, when asked, then Apollo Server answers with our code and its status', async () => {
    await using served = await serve({ limits: { maxDepth: 2 } });
    expect(await served.ask('{ me { offers { title } } }')).toMatchObject({
      status: 400,
      errors: [{ extensions: { code: 'DEPTH_LIMIT_EXCEEDED' } }],
    });
    expect((await served.ask('{ me { offers { title } } }')).errors?.[0]?.extensions).not.toHaveProperty('http');
  });

  it('given variables that do not fit, when asked, then the status is 400 and the place is told', async () => {
    await using served = await serve();
    const answer = await served.ask('query ($id: ID!) { account(id: $id) { id } }', { variables: {} });
    expect(answer).toMatchObject({ status: 400, errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
    expect(answer).not.toHaveProperty('data');
  });

  it('given a field that a subgraph refuses, when asked, then formatError and didEncounterErrors see it with path and code', async () => {
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
    expect(await served.ask('{ me { id name } }')).toMatchObject({
      data: { me: null },
      errors: [{ message: 'The name is not for you.', path: ['me', 'name'], extensions: { code: 'FORBIDDEN', formatted: true } }],
    });
    expect(seen).toEqual([[true, ['me', 'name'], 'FORBIDDEN']]);
  });

  it('given a client that has left, when its operation runs, then it stops', async () => {
    const controller = new AbortController();
    await using served = await serve({
      signal: ({ context }) => (context as { readonly gone: AbortSignal }).gone,
      buildService: () => ({
        process: () => {
          controller.abort(new Error('the client has left'));
          return new Promise(() => {});
        },
      }),
    });
    const answer = await served.ask('{ me { name } }', { contextValue: { gone: controller.signal } });
    expect(answer).toMatchObject({ errors: [{ message: 'the client has left' }] });
  });
});
