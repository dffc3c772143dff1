import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { createAuthenticator } from './auth/authenticator.ts';
import { type ResolvedGatewayConfig, resolveGatewayConfig } from './config/resolve-gateway-config.ts';
import type { GatewayConfigInput } from './config/sections.ts';
import { compileOperation } from './execution/compile-operation.ts';
import { createGeneration } from './generation/create-generation.ts';
import type { Generation, GenerationBound, GenerationView } from './generation/generation.ts';
import { createGenerations } from './generation/generations.ts';
import { createGraphiqlHandler } from './http/graphiql.ts';
import { createGraphqlHandler } from './http/graphql-handler.ts';
import { createHealthHandler } from './http/health.ts';
import { createInternalHandler } from './http/internal-handler.ts';
import { type Listeners, openListeners } from './http/listeners.ts';
import { createMounts } from './http/mounts.ts';
import { createPublicHandler } from './http/public-handler.ts';
import type { BytesResult, ObjectResult, OperationRequest } from './pipeline/operation-request.ts';
import { createPipeline } from './pipeline/run-operation.ts';
import { createPlanner } from './planning/create-planner.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { createLogger, type Logger } from './platform/logger.ts';
import { packageRoot } from './platform/package-root.ts';
import type { Principal } from './platform/principal.ts';
import type { RequestHeaders } from './platform/request-headers.ts';
import { readSupergraph, requireOneSource } from './read-supergraph.ts';
import { createSubgraphClient } from './subgraph-client/create-subgraph-client.ts';
import { type SubgraphAddress, loadSupergraph } from './supergraph/load-supergraph.ts';
import type { SubgraphExecutor } from './supergraph/subgraph-executor.ts';

/** One graph, served. Every door goes through `run`. */
export interface Gateway extends AsyncDisposable {
  /** Credentials to principal. Knows no operation. @throws GatewayError `UNAUTHENTICATED` */
  authenticate(headers: RequestHeaders): Promise<Principal>;
  /** One operation, all stages; answers in JSON text. @throws GatewayError when the operation is refused */
  run(request: OperationRequest, output: 'bytes'): Promise<BytesResult>;
  /** One operation, all stages; answers in values. @throws GatewayError when the operation is refused */
  run(request: OperationRequest, output: 'object'): Promise<ObjectResult>;
  /**
   * Called with each generation while it is being built; may refuse it (throw), and returns what belongs to it.
   *
   * @throws Error once the gateway has begun to load, by `listen` or the first `run`: register before
   */
  onGeneration<T>(build: (view: GenerationView) => T | Promise<T>): GenerationBound<T>;
  /** A handler for paths that are not ours: the longest path wins; one handler without paths owns the rest and its 404. */
  mount(handler: RequestListener, paths?: readonly string[]): void;
  /** Loads the supergraph and compiles, as `listen` and the first `run` do by themselves. @throws SupergraphInvalid */
  load(): Promise<void>;
  /** Loads the supergraph, compiles, then opens both listeners. */
  listen(): Promise<{ readonly url: string; readonly internalUrl: string }>;
}

/** What a test, or an embedding application, may put in place of the real thing. */
export interface GatewayDependencies {
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** What asks the subgraphs in place of our own HTTP client; made for each supergraph that is loaded, and disposed with it. */
  readonly subgraphExecutor?: (subgraphs: ReadonlyMap<string, SubgraphAddress>) => SubgraphExecutor & AsyncDisposable;
}

/**
 * Puts a gateway together. Nothing is opened or loaded yet: `listen` does that, or the first `run` of a gateway that is
 * embedded without listening.
 *
 * @throws ConfigurationInvalid with every mistake of the configuration
 */
export async function createGateway(input: GatewayConfigInput, dependencies: GatewayDependencies = {}): Promise<Gateway> {
  const config = resolveGatewayConfig(input);
  requireOneSource(config.supergraph);
  const { clock = systemClock, logger = createLogger({ level: config.logging.level }) } = dependencies;
  const generations = createGenerations({ logger });
  const pipeline = createPipeline({
    generations,
    isIntrospectionAllowed: config.graphql.introspection,
    operationTimeoutMs: config.graphql.operationTimeoutMs,
  });
  const authenticate = createAuthenticator(config.auth, clock);
  const mounts = createMounts();
  const health = { hasSupergraph: false, isDraining: false };
  let loading: Promise<void> | undefined;
  let opening: Promise<Listeners> | undefined;
  let closing: Promise<void> | undefined;

  function load(): Promise<void> {
    loading ??= generations
      .load(() => buildGeneration(config, { ...dependencies, clock, logger }))
      .then(
        () => {
          health.hasSupergraph = true;
        },
        (error: unknown) => {
          loading = undefined; // what was wrong may be repaired until the next try
          throw error;
        },
      );
    return loading;
  }

  async function open(): Promise<Listeners> {
    await load();
    const answerHealth = createHealthHandler(() => health);
    return openListeners(config.server, {
      public: createPublicHandler({
        maxUrlBytes: config.server.maxUrlBytes,
        graphql: createGraphqlHandler({
          pipeline,
          authenticate,
          logger,
          maxBodyBytes: config.server.maxBodyBytes,
          // The request object, its variables, and room for what else a request may carry.
          maxJsonDepth: Math.max(MIN_JSON_DEPTH, config.graphql.maxVariableDepth + 2),
        }),
        health: answerHealth,
        ...(config.graphql.graphiql ? { pages: createGraphiqlHandler(join(packageRoot, 'dist', 'studio')) } : {}),
        mounts,
        logger,
      }),
      internal: createInternalHandler(answerHealth),
    });
  }

  async function close(): Promise<void> {
    health.isDraining = true;
    const endsAt = clock.monotonic() + config.server.drainTimeoutMs;
    const listeners = await opening?.catch(() => undefined);
    await listeners?.drain(config.server.drainTimeoutMs);
    // A mutation whose client has left runs on without a connection, and so does what an embedding application runs.
    await generations.drain(Math.max(0, endsAt - clock.monotonic()));
    await generations[Symbol.asyncDispose]();
  }

  function run(request: OperationRequest, output: 'bytes'): Promise<BytesResult>;
  function run(request: OperationRequest, output: 'object'): Promise<ObjectResult>;
  async function run(request: OperationRequest, output: 'bytes' | 'object'): Promise<BytesResult | ObjectResult> {
    await load();
    return output === 'bytes' ? pipeline.run(request, output) : pipeline.run(request, output);
  }

  return {
    authenticate,
    run,
    load,
    onGeneration: (build) => generations.onGeneration(build),
    mount: (handler, paths) => mounts.add(handler, paths),
    async listen() {
      if (closing !== undefined) throw new Error('A closed gateway does not listen again.');
      opening ??= open().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      const { url, internalUrl } = await opening;
      return { url, internalUrl };
    },
    [Symbol.asyncDispose]() {
      closing ??= close();
      return closing;
    },
  };
}

/** Deepest JSON of a request where the configuration asks for no more. @unit levels */
const MIN_JSON_DEPTH = 64;

interface GenerationDependencies extends GatewayDependencies {
  readonly clock: Clock;
  readonly logger: Logger;
}

async function buildGeneration(config: ResolvedGatewayConfig, dependencies: GenerationDependencies): Promise<Generation> {
  const { clock, logger, subgraphExecutor } = dependencies;
  const loaded = loadSupergraph(await readSupergraph(config.supergraph), { unenforcedRules: config.supergraph.unenforcedRules, logger });
  const { subgraphs } = loaded;
  const executor =
    subgraphExecutor?.(subgraphs) ??
    createSubgraphClient({ subgraphs, settings: config.subgraphs, identitySecret: config.identity.secret, logger, clock });
  return createGeneration({
    loaded,
    planner: createPlanner(loaded),
    executor,
    compile: compileOperation,
    settings: { ...config.graphql, isSchemaShown: config.graphql.introspection, limits: config.limits },
    logger,
  });
}
