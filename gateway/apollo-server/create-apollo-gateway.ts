import { rulesFor } from '../composition/build-generation.ts';
import { resolveGatewayConfig } from '../config/resolve-gateway-config.ts';
import type { GatewayConfigInput } from '../config/sections.ts';
import { createGateway } from '../composition/create-gateway.ts';
import { createLogger } from '../platform/logger.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import { loadSupergraph } from '../supergraph/load-supergraph.ts';
import { type ApolloGatewayOptions, checkApolloGatewayOptions, toLogger } from './apollo-gateway-options.ts';
import { createDataSourceExecutor, createDataSources } from './data-source-executor.ts';
import type { SupergraphProvider } from './data-source.ts';
import { createExecutor } from './create-executor.ts';
import type { GatewayInterface, IncomingRequest, SchemaCallback } from './gateway-interface.ts';
import { createIntrospectionDataSource } from './introspection-data-source.ts';
import { createServedSupergraphs, type ServedSupergraph } from './served-supergraphs.ts';

/**
 * Creates a gateway for `new ApolloServer({ gateway })`, as a replacement for `new ApolloGateway(…)`. Operations use the same pipeline as
 * those of `createGateway`: limits, planning, execution.
 *
 * @throws Error that lists every unsupported option and its replacement
 * @throws ConfigurationInvalid with every mistake in the settings
 */
export function createApolloGateway(options: ApolloGatewayOptions): GatewayInterface {
  checkApolloGatewayOptions(options);
  const { supergraphSdl, buildService } = options;
  const hasAuthentication = options.principal !== undefined;
  const settings = engineSettings(options);
  const { subgraphs: clientSettings, logging } = resolveGatewayConfig(settings);
  const logger = options.logger === undefined ? createLogger(logging) : toLogger(options.logger);
  const served = createServedSupergraphs(logger);
  const callbacks = new Set<SchemaCallback>();
  /** Requests by their headers object, which is passed along with every request to a subgraph. */
  const incoming = new WeakMap<RequestHeaders, IncomingRequest>();
  const timeoutMs = clientSettings.requestTimeoutMs;
  const dataSources = createDataSources(
    buildService ?? ((definition) => createIntrospectionDataSource(definition, { timeoutMs, maxBytes: clientSettings.maxResponseBytes })),
  );
  let phase: 'new' | 'loading' | 'loaded' | 'stopped' = 'new';
  let cleanup: (() => Promise<void>) | undefined;
  let lastSwap: Promise<unknown> = Promise.resolve();
  let stopping: Promise<void> | undefined;

  /** Creates a separate gateway for one supergraph, so that a new supergraph does not affect operations that are running. */
  async function serve(sdl: string): Promise<ServedSupergraph> {
    const gateway = await createGateway(
      { ...settings, supergraph: { sdl } },
      {
        logger,
        hasAuthentication,
        ...(options.policies === undefined ? {} : { policies: options.policies }),
        ...(buildService === undefined ? {} : { subgraphExecutor: (subgraphs) => executorOf(subgraphs) }),
      },
    );
    try {
      const schema = gateway.onGeneration((view) => view.schema);
      await gateway.load();
      using bound = schema.acquire();
      return { sdl, gateway, schema: bound.value };
    } catch (error) {
      await gateway[Symbol.asyncDispose]();
      throw error;
    }
  }

  function executorOf(subgraphs: ReadonlyMap<string, { readonly name: string; readonly url: string }>) {
    const known = new Map([...subgraphs.values()].map((subgraph) => [subgraph.name, dataSources.get(subgraph)]));
    return createDataSourceExecutor({
      dataSourceOf: (name) => known.get(name) ?? missing(`The subgraph "${name}" does not exist.`),
      incomingOf: ({ context }) => incoming.get(context.headers) ?? missing('A request to a subgraph does not belong to any operation.'),
      timeoutMs,
      maxErrors: clientSettings.maxErrors,
      errorRules: clientSettings,
      logger,
    });
  }

  async function swap(sdl: string): Promise<void> {
    if (served.current?.sdl === sdl || phase === 'stopped') return;
    const next = await serve(sdl);
    served.replace(next);
    for (const callback of callbacks) {
      try {
        callback({ apiSchema: next.schema, coreSupergraphSdl: sdl });
      } catch (error) {
        logger.error({ err: error }, 'A callback of onSchemaLoadOrUpdate failed. The supergraph is served anyway.');
      }
    }
  }

  /** Queues a supergraph. Supergraphs are loaded one after another. */
  function enqueue(sdl: string): Promise<void> {
    const done = lastSwap.then(() => swap(sdl));
    lastSwap = done.catch(() => undefined);
    return done;
  }

  /** Callback for managers. Rejects an invalid supergraph synchronously, as managers expect. */
  function update(sdl: string): void {
    if (phase === 'stopped') throw new Error('The gateway has been stopped and accepts no further supergraph.');
    rulesFor(loadSupergraph(sdl), hasAuthentication);
    enqueue(sdl).catch((error: unknown) =>
      logger.error({ err: error }, 'A new supergraph cannot be served. The previous one remains active.'),
    );
  }

  async function checkHealth(sdl: string): Promise<void> {
    try {
      const { subgraphs, connectors } = loadSupergraph(sdl);
      // Back ends of connectors do not support GraphQL requests.
      await dataSources.check([...subgraphs.values()].filter(({ name }) => connectors?.has(name) !== true));
    } catch (cause) {
      throw new Error(`The health check of the subgraphs failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
  }

  async function initialize(): Promise<void> {
    const manager = toManager(supergraphSdl);
    const first = await manager.initialize({
      update,
      healthCheck: checkHealth,
      getDataSource: (definition) => dataSources.get(definition),
    });
    cleanup = first.cleanup;
    await enqueue(first.supergraphSdl);
  }

  async function stop(): Promise<void> {
    phase = 'stopped';
    await cleanup?.().catch((error: unknown) => logger.error({ err: error }, 'The cleanup of the supergraph manager failed.'));
    await lastSwap;
    await served[Symbol.asyncDispose]();
  }

  return {
    async load() {
      if (phase !== 'new') throw new Error(`A gateway can be loaded only once; this one is ${phase}.`);
      phase = 'loading';
      try {
        await initialize();
      } catch (error) {
        stopping = stop();
        await stopping;
        throw error;
      }
      phase = 'loaded';
      return { executor: createExecutor({ ...options, served, logger, onRequest: (headers, request) => incoming.set(headers, request) }) };
    },
    onSchemaLoadOrUpdate(callback) {
      callbacks.add(callback);
      // Without this call, a callback that is registered late would wait for the next supergraph.
      if (served.current !== undefined) callback({ apiSchema: served.current.schema, coreSupergraphSdl: served.current.sdl });
      return () => void callbacks.delete(callback);
    },
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** Makes the settings of the engine. Apollo Server decides whether introspection is allowed, unless the settings specify it. */
function engineSettings({ subgraphs, graphql, limits, identity, logging }: ApolloGatewayOptions): Omit<GatewayConfigInput, 'supergraph'> {
  return {
    profile: 'production',
    budget: { mode: 'off' }, // only Apollo Server knows the address of a request
    graphql: { introspection: true, ...graphql },
    ...(subgraphs === undefined ? {} : { subgraphs }),
    limits: { ...limits, modes: { ...modesOfWhatIsNew(limits?.mode), ...limits?.modes } },
    ...(identity === undefined ? {} : { identity }),
    ...(logging === undefined ? {} : { logging }),
  };
}

/**
 * Returns the modes of limits that depend on page sizes and on schema directives. `ApolloGateway` has no such limits, and no schema has
 * these directives when an application migrates.
 */
function modesOfWhatIsNew(mode: 'enforce' | 'measure' = 'measure') {
  return { cost: mode, pageSize: mode };
}

function toManager(source: ApolloGatewayOptions['supergraphSdl']): SupergraphProvider {
  if (typeof source === 'string') return { initialize: async () => ({ supergraphSdl: source }) };
  return typeof source === 'function' ? { initialize: source } : source;
}

function missing(message: string): never {
  throw new Error(message);
}
