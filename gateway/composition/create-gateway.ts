import { setTimeout as delay } from 'node:timers/promises';
import { challengesOf } from '../auth/authentication-errors.ts';
import { resolveGatewayConfig } from '../config/resolve-gateway-config.ts';
import type { GatewayConfigInput } from '../config/sections.ts';
import type { Gateway, GatewayDependencies, GenerationsReport } from '../gateway.ts';
import { reportReadiness } from '../http/internal/health.ts';
import { createEmbeddedHandlers, type RequestHandlers } from '../http/server/embedded-handler.ts';
import { type Listeners, openListeners } from '../http/server/listeners.ts';
import { createMounts } from '../http/server/mounts.ts';
import { createDisposalStack } from '../platform/disposal-stack.ts';
import { requirePackages } from '../platform/require-packages.ts';
import { observeGateway } from '../telemetry/metrics/observe-gateway.ts';
import { requireOneSource } from '../supergraph/sources/create-source.ts';
import { createReload } from './create-reload.ts';
import { createEngine } from './engine.ts';
import { openFoundation } from './foundation.ts';
import { loadWithDelay } from './load-with-delay.ts';
import { createReadiness } from './readiness.ts';
import { buildRequestHandlers } from './request-handlers.ts';
import { createRun } from './run-operation.ts';
import { buildStreamTransports } from './stream-transports.ts';

/**
 * Creates a gateway: foundation, engine and transports. Nothing is opened or loaded yet: `listen` does that, or the first `execute` of an
 * embedded gateway that does not listen.
 *
 * @throws ConfigurationInvalid with every mistake in the configuration
 * @throws PackagesMissing when a setting requires an optional package that is not installed
 */
export async function createGateway(input: GatewayConfigInput, dependencies: GatewayDependencies = {}): Promise<Gateway> {
  const config = resolveGatewayConfig(input);
  if (dependencies.supergraphSource === undefined) {
    requireOneSource(config.supergraph);
    if (config.supergraph.subgraphs !== undefined) requirePackages(['@apollo/composition'], 'the setting supergraph.subgraphs');
  }
  const resources = createDisposalStack();
  const foundation = await openFoundation(config, dependencies, resources);
  const { generations, budgets, maintenance, callbacks, shedding, clock, logger, recording } = foundation;
  const engine = createEngine(config, foundation, dependencies);
  const { pipeline, subscriptions, supergraphs, measuredLimits } = engine;
  const streams = buildStreamTransports(config, { ...foundation, engine });
  const mounts = createMounts();
  const { drainTimeoutMs, shutdown } = config.server;
  const readiness = createReadiness(config.server, { current: () => generations.report().current, isDraining: () => isDraining });
  if (recording?.metrics !== undefined) {
    observeGateway(recording.metrics, {
      generations: () => generations.report(),
      subgraphs: () => generations.report().current?.subgraphStates?.() ?? [],
    });
  }
  let isDraining = false;
  let drainsUntil = 0;
  let stopping: PromiseLike<void> | undefined;
  let pendingListeners: Promise<Listeners> | undefined;
  let closing: Promise<void> | undefined;
  let builtHandlers: RequestHandlers | undefined;
  const loadLater = loadWithDelay({
    load: () => supergraphs.first(),
    hasSupergraph: () => generations.report().current !== undefined,
    clock,
  });
  const embedded = createEmbeddedHandlers({ handlers: requestHandlers, load: loadOpen, logger });

  // Resources are closed in the reverse order, before the foundation.
  resources.defer(() => callbacks.run());
  resources.defer(() => stopping);
  // A mutation whose client has disconnected continues without a connection, and so do operations of an embedding application.
  resources.defer(() => generations.drain(Math.max(0, drainsUntil - clock.monotonic())));
  resources.defer(() => subscriptions.close());
  resources.defer(async () => {
    const listeners = await pendingListeners?.catch(() => undefined);
    await spendAsLameDuck(listeners);
    await Promise.all([streams.connections.drain(drainTimeoutMs), listeners?.drain(drainTimeoutMs), embedded.drain(drainTimeoutMs)]);
  });
  resources.defer(() => {
    isDraining = true;
    stopping = supergraphs[Symbol.asyncDispose]();
  });

  /** Serves requests for the time in which load balancers notice that the gateway is not ready. */
  async function spendAsLameDuck(listeners: Listeners | undefined): Promise<void> {
    if (listeners !== undefined && shutdown.lameDuckMs > 0) {
      listeners.announceEnd();
      await delay(shutdown.lameDuckMs);
    }
    drainsUntil = clock.monotonic() + drainTimeoutMs;
  }

  function report(): GenerationsReport {
    const { current, alive } = generations.report();
    return { current: current?.id, alive, ...supergraphs.report() };
  }

  function requestHandlers(): RequestHandlers {
    measuredLimits.serve();
    shedding.start();
    builtHandlers ??= buildRequestHandlers(config, {
      foundation,
      engine,
      streams,
      mounts,
      readiness,
      reports: {
        supergraph: report,
        load: shedding.report,
        streams: () => ({ connections: streams.connections.size, ...subscriptions.report() }),
      },
    });
    return builtHandlers;
  }

  async function open(): Promise<Listeners> {
    return openListeners(config.server, requestHandlers(), logger, () => supergraphs.start());
  }

  /** Loads the supergraph for the application. @throws Error when the gateway has been closed */
  async function loadOpen(): Promise<void> {
    if (closing !== undefined) throw new Error('The gateway has been closed. Create a new one.');
    await loadLater();
  }

  async function close(): Promise<void> {
    await resources[Symbol.asyncDispose]();
  }

  /** Whether the first supergraph is known, so that requests need not wait for it. */
  let isServing = false;

  /** Waits for the first supergraph. @throws GatewayError `MAINTENANCE` */
  async function whenServing(): Promise<void> {
    maintenance.check();
    if (isServing) return;
    await supergraphs.first();
    isServing = true;
  }

  function closeOnce(): Promise<void> {
    closing ??= close();
    return closing;
  }

  return {
    authenticate: foundation.authenticate,
    challenges: challengesOf(config.auth),
    budgetOf: (caller) => budgets.of(caller),
    idempotency: foundation.idempotency,
    responseCache: engine.responseCache,
    authorizeReplay: engine.authorizeReplay,
    recorderOf: recording && (({ headers }) => recording.requestOf(headers)),
    async execute(request) {
      await whenServing();
      return pipeline.execute(request);
    },
    executeToObject(request) {
      // A REST read that is served from the cache waits for as few promises as possible.
      if (isServing && !maintenance.isOn) return pipeline.executeToObject(request);
      return whenServing().then(() => pipeline.executeToObject(request));
    },
    run: createRun({
      load: loadOpen,
      async execute(request) {
        maintenance.check();
        return pipeline.execute(request);
      },
      logger,
    }),
    async stream(request, delivery) {
      await supergraphs.first();
      await streams.openStream(request, delivery);
    },
    load: () => supergraphs.first(),
    health: () => reportReadiness(readiness.state()),
    generations: report,
    reload: createReload({ settings: foundation.settings, rebuild: () => supergraphs.rebuild() }),
    async warmUp() {
      if (foundation.hooks?.onPlan !== undefined) return;
      try {
        await generations.exercise(config.supergraph.warmSamples);
      } catch (error) {
        logger.warn({ err: error }, 'Generated operations could not be prepared. The first operations of clients take longer.');
      }
    },
    onGeneration: (build) => generations.onGeneration(build),
    handler: embedded.handler,
    upgrade: embedded.upgrade,
    mount: (handler, paths) => mounts.add(handler, paths),
    onShutdown: (callback) => callbacks.add(callback),
    async listen() {
      if (closing !== undefined) throw new Error('The gateway has been closed and cannot listen again.');
      pendingListeners ??= open().catch((error: unknown) => {
        pendingListeners = undefined;
        throw error;
      });
      const { url, internalUrl } = await pendingListeners;
      return { url, internalUrl };
    },
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
}
