import type { SubgraphPolicies, SubgraphsConfig } from '../config/sections/subgraphs.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { type ErrorCode, GatewayError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { createDeadlineWatcher } from '../platform/deadline-watcher.ts';
import type { SubgraphAddress } from '../supergraph/read-subgraphs.ts';
import type { SubgraphContext, SubgraphExecutor, SubgraphRequest } from '../supergraph/subgraph-executor.ts';
import { type CircuitBreaker, createCircuitBreaker, withOpenCircuitRejected } from './circuit-breaker.ts';
import { compileHeaders } from './compile-headers.ts';
import type { ConnectionPool } from './connection/connection-pool.ts';
import { createDelay, createRetryBudget, repeatsQueries, type RetryOptions, withRetry } from './with-retry.ts';
import { createFailureLog, wasNeverSent } from './failures.ts';
import { compileHttpHeaders } from './http/compile-http-headers.ts';
import { createHttpSender } from './http/create-http-sender.ts';
import { repeatsIdempotent, withHttpDedupe } from './http/http-policies.ts';
import { createPools } from './open-pools.ts';
import { createLargeResponses, type LargeResponses } from './large-responses.ts';
import { nameSubgraph } from './name-subgraph.ts';
import {
  headerRulesOfConnectors,
  resolvePolicies,
  resolveTargets,
  responseBytesPerOperation,
  type SubgraphTarget,
} from './resolve-targets.ts';
import { createResponseLengths } from './response-lengths.ts';
import { createSender, maxWaitingOf } from './send-request.ts';
import { type IdentitySigner, identityKeyOf } from './sign-identity.ts';
import { createSubgraphStates, type SubgraphActivity, type SubgraphState } from './subgraph-state.ts';
import { withBulkhead } from './with-bulkhead.ts';
import { withDedupe } from './with-dedupe.ts';
import { withExpectedLength } from './with-expected-length.ts';
import { withSlowStart } from './with-slow-start.ts';

export interface SubgraphClientOptions {
  readonly subgraphs: ReadonlyMap<string, SubgraphAddress>;
  readonly settings: SubgraphsConfig;
  /** Sources of the subgraphs with connectors, by subgraph. These subgraphs need no address. @defaultValue no subgraph has connectors */
  readonly sources?: ReadonlyMap<string, ConnectorSources> | undefined;
  /** Signer of the identity header. @defaultValue no identity is sent */
  readonly identity?: IdentitySigner | undefined;
  /** Returns the caller of an operation. Callers take turns when requests are queued. @defaultValue All operations belong to one caller. */
  readonly callerOf?: ((context: SubgraphContext) => string) | undefined;
  /** Limits for large responses, shared with other clients of the process. @defaultValue Limits of this client alone. */
  readonly largeResponses?: LargeResponses | undefined;
  /** Whether hooks change headers of requests and read heads and extensions of responses. @defaultValue false */
  readonly hasHooks?: boolean | undefined;
  readonly logger: Logger;
  /** Clock for circuit breakers. Connection timeouts use the system clock. @defaultValue The system clock. */
  readonly clock?: Clock;
}

/** Back ends of a subgraph with connectors. */
export interface ConnectorSources {
  /** Origins (scheme, host and port) by the name of the source. */
  readonly origins: ReadonlyMap<string, string>;
  /** Whether the identity of the caller is sent. @defaultValue false */
  readonly sendsIdentity?: boolean;
}

/** Client that queries the subgraphs of one supergraph. */
export type SubgraphClient = SubgraphExecutor &
  AsyncDisposable & {
    /** Returns the state of each subgraph. */
    readonly states: () => readonly SubgraphState[];
  };

/** A GraphQL subgraph whose connections are open to requests. */
interface OpenedSubgraph {
  readonly target: SubgraphTarget;
  readonly breaker: CircuitBreaker | undefined;
  readonly connections: ConnectionPool;
  readonly activity: SubgraphActivity;
}

/** Codes of failures that are not logged for each request: the causes have been logged, or only the client is responsible. */
const UNLOGGED: ReadonlySet<string> = new Set<ErrorCode>(['CIRCUIT_OPEN', 'OVERLOADED', 'SUBGRAPH_RESPONSE_LIMIT_EXCEEDED']);

/**
 * Creates a client that queries subgraphs over HTTP. Only JSON is accepted. Redirects and content codings are rejected. A deadline and a
 * byte limit apply to the whole exchange, and the policies of `stack` apply to each subgraph separately.
 *
 * The executor throws a `GatewayError` for every failure. When the caller's signal ends the request, it throws the reason of the signal.
 *
 * @throws Error when a subgraph has no HTTP address, or when a file of its TLS settings cannot be read
 */
export function createSubgraphClient(options: SubgraphClientOptions): SubgraphClient {
  const { subgraphs, settings, sources, identity, logger, clock = systemClock } = options;
  const { callerOf = () => '', largeResponses = createLargeResponses({ maxBytes: settings.maxLargeResponseBytes, callerOf }) } = options;
  const lengths = createResponseLengths();
  const pending = createDeadlineWatcher();
  const delay = createDelay(pending);
  const pools = createPools();
  const logFailure = createFailureLog(logger);
  const states = createSubgraphStates();

  const maxBytesPerOperation = responseBytesPerOperation(settings);
  const common = { pending, largeResponses, lengths, maxBytesPerOperation, logFailure, hasHooks: options.hasHooks };

  /** Opens one GraphQL subgraph, and returns a function that creates its executor with all policies. */
  function stack(target: SubgraphTarget, policies: SubgraphPolicies): () => SubgraphExecutor {
    const breaker = openBreaker({ subgraph: target.name }, policies);
    const connections = pools.of(target, policies);
    const activity = states.add(target.name, breaker, connections);
    return () => stackOn({ target, breaker, connections, activity }, policies);
  }

  function stackOn({ target, breaker, connections, activity }: OpenedSubgraph, policies: SubgraphPolicies): SubgraphExecutor {
    const headers = compileHeaders(policies.headers);
    const sender = createSender({
      ...common,
      target,
      connections,
      headers,
      identity: headers.isRemoved(identity?.header) ? undefined : identity,
      policies,
      activity,
    });
    const executor = withPolicies(sender, policies, breaker, repeatsQueries);
    if (!policies.dedupe) return executor;
    return withDedupe(executor, {
      pending,
      maxBytesPerOperation,
      keyOf: ({ body, context, headers: changes, wantsFreshness }) =>
        JSON.stringify([
          identityKeyOf(context.principal),
          headers.adopted(context),
          body,
          wantsFreshness === true,
          context.writes?.flight ?? '',
          changes ?? null,
        ]),
    });
  }

  /** Creates the executor of a subgraph with connectors. Each source has its own policies, because sources fail independently. */
  function stackOfSources(
    name: string,
    { origins, sendsIdentity = false }: ConnectorSources,
    policies: SubgraphPolicies,
  ): SubgraphExecutor {
    const bySource = new Map<string, SubgraphExecutor>();
    const headers = compileHttpHeaders(headerRulesOfConnectors(settings, settings.override[name]));
    const signer = sendsIdentity && identity !== undefined && !headers.isRemoved(identity.header) ? identity : undefined;
    for (const [source, origin] of origins) {
      const breaker = openBreaker({ subgraph: name, source }, policies);
      const connections = pools.of({ name, origin }, policies);
      const activity = states.add(name, breaker, connections, source);
      const sender = createHttpSender({ ...common, subgraph: name, origin, connections, headers, identity: signer, policies, activity });
      const executor = withPolicies(sender, policies, breaker, repeatsIdempotent);
      bySource.set(source, policies.dedupe ? withHttpDedupe(executor, { headers, signer, pending, maxBytesPerOperation }) : executor);
    }
    return (request, signal) => {
      const executor = bySource.get(request.http?.source ?? '');
      if (executor === undefined) return Promise.reject(new Error(`Subgraph "${name}" has no such source.`));
      return executor(request, signal);
    };
  }

  /** Adds the policies of one subgraph, from the innermost to the outermost. */
  function withPolicies(
    sender: SubgraphExecutor,
    policies: SubgraphPolicies,
    breaker: CircuitBreaker | undefined,
    repeats: RetryOptions['repeats'],
  ): SubgraphExecutor {
    const { requestTimeoutMs: timeoutMs, bulkhead, retry } = policies;
    let executor = withBulkhead(sender, { ...bulkhead, timeoutMs, breaker, callerOf, pending, now: systemClock.monotonic });
    const turns = createLargeResponses({
      maxBytes: settings.maxLargeResponseBytes,
      maxBegun: maxWaitingOf(policies),
      callerOf,
      hasCapacity: largeResponses.hasCapacity,
    });
    executor = withExpectedLength(executor, {
      lengths,
      turns,
      maxQueued: bulkhead.maxQueued,
      timeoutMs,
      pending,
      now: systemClock.monotonic,
    });
    executor = withSlowStart(executor, { lengths, callerOf, pending, now: systemClock.monotonic });
    if (breaker !== undefined) executor = withOpenCircuitRejected(executor, breaker);
    const budget = createRetryBudget(retry.budgetPercent);
    return withRetry(executor, { ...retry, budget, delay, random: Math.random, repeats, giveUp });
  }

  function giveUp(request: SubgraphRequest, signal: AbortSignal, failure: unknown): never {
    if (signal.aborted) throw signal.reason;
    const isReported = failure instanceof GatewayError && UNLOGGED.has(failure.code);
    if (!isReported) logFailure(request, { err: failure }, 'A request to a subgraph failed.');
    throw failure;
  }

  function openBreaker(facts: Readonly<Record<string, string>>, { circuitBreaker }: SubgraphPolicies): CircuitBreaker | undefined {
    if (!circuitBreaker.enabled) return undefined;
    return createCircuitBreaker({
      ...circuitBreaker,
      now: () => clock.monotonic(),
      onChange(state) {
        if (state === 'open') logger.warn(facts, 'The circuit breaker opened, because the subgraph fails repeatedly.');
        else logger.info(facts, 'The circuit breaker closed, because the subgraph responds again.');
      },
    });
  }

  const executors = new Map<string, SubgraphExecutor>();
  /**
   * Functions that create executors for the first request. A supergraph of hundreds of subgraphs would otherwise block the event loop when it
   * is loaded.
   */
  const stacks = new Map<string, () => SubgraphExecutor>();
  /** Subgraphs whose failures are named, in development. */
  const named = new Set<string>();
  function add(name: string, stackOf: (policies: SubgraphPolicies) => () => SubgraphExecutor): void {
    const policies = resolvePolicies(settings, settings.override[name]);
    stacks.set(name, stackOf(policies));
    if (policies.errorMessages === 'all') named.add(name);
  }
  const servers = sources === undefined ? subgraphs : new Map([...subgraphs].filter(([name]) => !sources.has(name)));
  for (const target of resolveTargets(servers, settings.override).values()) add(target.name, (policies) => stack(target, policies));
  for (const [name, own] of sources ?? []) {
    add(name, (policies) => {
      const executor = stackOfSources(name, own, policies);
      return () => executor;
    });
  }

  function createExecutor(subgraph: string): SubgraphExecutor | undefined {
    const executor = stacks.get(subgraph)?.();
    if (executor !== undefined) executors.set(subgraph, executor);
    return executor;
  }

  const send: SubgraphExecutor = (request, signal) => {
    if (signal.aborted) return Promise.reject(signal.reason);
    const executor = executors.get(request.subgraph) ?? createExecutor(request.subgraph);
    // An unknown subgraph is a defect of the plan, not of the request.
    if (executor === undefined) return Promise.reject(new Error(`Unknown subgraph "${request.subgraph}".`));
    const response = executor(request, signal);
    const { onUnsent } = request.context;
    if (onUnsent === undefined || request.kind !== 'mutation') return response;
    return response.catch((error: unknown) => {
      if (wasNeverSent(error)) onUnsent();
      throw error;
    });
  };

  /** Adds the name of the subgraph to failures, for development. */
  const sendNamed: SubgraphExecutor = async (request, signal) => {
    try {
      return await send(request, signal);
    } catch (error) {
      throw named.has(request.subgraph) ? nameSubgraph(error, request.subgraph) : error;
    }
  };

  const execute: SubgraphExecutor = named.size === 0 ? send : sendNamed;
  return Object.assign(execute, {
    states: states.list,
    async [Symbol.asyncDispose](): Promise<void> {
      pools[Symbol.dispose]();
      pending[Symbol.dispose]();
    },
  });
}
