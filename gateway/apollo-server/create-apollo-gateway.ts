import type { SupergraphManager } from '@apollo/gateway';
import { rulesFor } from '../composition/build-generation.ts';
import { resolveGatewayConfig } from '../config/resolve-gateway-config.ts';
import type { GatewayConfigInput } from '../config/sections.ts';
import { createGateway } from '../composition/create-gateway.ts';
import { createLogger } from '../platform/logger.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import { loadSupergraph } from '../supergraph/load-supergraph.ts';
import { type ApolloGatewayOptions, checkApolloGatewayOptions, toLogger } from './apollo-gateway-options.ts';
import { createDataSourceExecutor, createDataSources } from './data-source-executor.ts';
import { createExecutor } from './create-executor.ts';
import type { GatewayInterface, IncomingRequest, SchemaCallback } from './gateway-interface.ts';
import { createIntrospectionDataSource } from './introspection-data-source.ts';
import { createServedSupergraphs, type ServedSupergraph } from './served-supergraphs.ts';

/**
 * A gateway for `new ApolloServer({ gateway })`, in place of `new ApolloGateway(…)`. Operations run by the same pipeline as
 * those of `createGateway`: limits, planning, execution.
 *
 * @throws Error that names the options which mean nothing here, and what to write instead
 * @throws ConfigurationInvalid with every mistake of the settings
 */
export function createApolloGateway(options: ApolloGatewayOptions): GatewayInterface {
  checkApolloGatewayOptions(options);
  const { supergraphSdl, buildService } = options;
  const knowsCallers = options.principal !== undefined;
  const settings = engineSettings(options);
  const { subgraphs: clientSettings, logging } = resolveGatewayConfig(settings);
  const logger = options.logger === undefined ? createLogger({ level: logging.level }) : toLogger(options.logger);
  const served = createServedSupergraphs(logger);
  const callbacks = new Set<SchemaCallback>();
  /** By the headers object, which goes along with every request to a subgraph. */
  const incoming = new WeakMap<RequestHeaders, IncomingRequest>();
  const timeoutMs = clientSettings.requestTimeoutMs;
  const dataSources = createDataSources(
    buildService ?? ((definition) => createIntrospectionDataSource(definition, { timeoutMs, maxBytes: clientSettings.maxResponseBytes })),
  );
  let phase: 'new' | 'loading' | 'loaded' | 'stopped' = 'new';
  let cleanup: (() => Promise<void>) | undefined;
  let lastSwap: Promise<unknown> = Promise.resolve();
  let stopping: Promise<void> | undefined;

  /** With its own gateway, which has one supergraph for life: what runs on it is undisturbed by the next. */
  async function serve(sdl: string): Promise<ServedSupergraph> {
    const gateway = await createGateway(
      { ...settings, supergraph: { sdl } },
      {
        logger,
        knowsCallers,
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
      dataSourceOf: (name) => known.get(name) ?? missing(`There is no subgraph "${name}".`),
      incomingOf: ({ context }) => incoming.get(context.headers) ?? missing('A request to a subgraph belongs to no operation.'),
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
        logger.error({ err: error }, 'A callback of onSchemaLoadOrUpdate failed. The supergraph is served all the same.');
      }
    }
  }

  /** One after another. */
  function enqueue(sdl: string): Promise<void> {
    const done = lastSwap.then(() => swap(sdl));
    lastSwap = done.catch(() => undefined);
    return done;
  }

  /** What a manager calls. A supergraph that cannot be read is refused at once, as managers expect it. */
  function update(sdl: string): void {
    if (phase === 'stopped') throw new Error('The gateway has been stopped: it takes no supergraph any more.');
    rulesFor(loadSupergraph(sdl), knowsCallers);
    enqueue(sdl).catch((error: unknown) => logger.error({ err: error }, 'A new supergraph cannot be served; the one before stays.'));
  }

  async function checkHealth(sdl: string): Promise<void> {
    try {
      await dataSources.check(loadSupergraph(sdl).subgraphs.values());
    } catch (cause) {
      throw new Error(`The health check of the subgraphs failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
  }

  async function initialise(): Promise<void> {
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
      if (phase !== 'new') throw new Error(`A gateway is loaded once; this one is ${phase}.`);
      phase = 'loading';
      try {
        await initialise();
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
      // Whoever asks after the start would otherwise wait for the next supergraph.
      if (served.current !== undefined) callback({ apiSchema: served.current.schema, coreSupergraphSdl: served.current.sdl });
      return () => void callbacks.delete(callback);
    },
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** Whether introspection is answered is for Apollo Server to say, unless the settings say otherwise. */
function engineSettings({ subgraphs, graphql, limits, identity, logging }: ApolloGatewayOptions): Omit<GatewayConfigInput, 'supergraph'> {
  return {
    profile: 'production',
    budget: { mode: 'off' }, // where a request comes from is known to Apollo Server alone
    graphql: { introspection: true, ...graphql },
    ...(subgraphs === undefined ? {} : { subgraphs }),
    limits: { ...limits, modes: { ...modesOfWhatIsNew(limits?.mode), ...limits?.modes } },
    ...(identity === undefined ? {} : { identity }),
    ...(logging === undefined ? {} : { logging }),
  };
}

/**
 * Limits that come from what lists are asked for and from what the schema says of them: `ApolloGateway` knows neither, and
 * nobody's schema says anything on the day of the change.
 */
function modesOfWhatIsNew(mode: 'enforce' | 'measure' = 'measure') {
  return { cost: mode, pageSize: mode };
}

function toManager(source: ApolloGatewayOptions['supergraphSdl']): SupergraphManager {
  if (typeof source === 'string') return { initialize: async () => ({ supergraphSdl: source }) };
  return typeof source === 'function' ? { initialize: source } : source;
}

function missing(message: string): never {
  throw new Error(message);
}
