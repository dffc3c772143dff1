import type { SubgraphPolicies, SubgraphsConfig } from '../config/sections/subgraphs.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { GatewayError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import { createPendingList } from '../platform/deadline-watcher.ts';
import type { SubgraphAddress } from '../supergraph/read-subgraphs.ts';
import type { SubgraphContext, SubgraphExecutor, SubgraphRequest } from '../supergraph/subgraph-executor.ts';
import { type CircuitBreaker, createCircuitBreaker, withOpenCircuitRefused } from './circuit-breaker.ts';
import { compileHeaders } from './compile-headers.ts';
import { createDelay, createRetryBudget, withRetry } from './with-retry.ts';
import { createFailureLog, wasNeverSent } from './failures.ts';
import { createPools } from './open-pools.ts';
import type { IdentityKey } from '../config/identity-key.ts';
import { createLargeResponses, type LargeResponses } from './large-responses.ts';
import { resolvePolicies, resolveTargets, type SubgraphTarget } from './resolve-targets.ts';
import { createResponseLengths } from './response-lengths.ts';
import { createSender, maxWaitingOf } from './send-request.ts';
import { createIdentitySigner, identityKeyOf } from './sign-identity.ts';
import { withBulkhead } from './with-bulkhead.ts';
import { withDedupe } from './with-dedupe.ts';
import { withExpectedLength } from './with-expected-length.ts';
import { withSlowStart } from './with-slow-start.ts';

export interface SubgraphClientOptions {
  readonly subgraphs: ReadonlyMap<string, SubgraphAddress>;
  readonly settings: SubgraphsConfig;
  /** Key of the identity header; without one, none is sent. */
  readonly identityKey?: IdentityKey | undefined;
  /** Names the caller of an operation: callers take turns where they have to wait. @defaultValue all callers are one */
  readonly callerOf?: ((context: SubgraphContext) => string) | undefined;
  /** Bounds large responses, those of other clients of the process too. @defaultValue bounds of this client alone */
  readonly largeResponses?: LargeResponses | undefined;
  readonly logger: Logger;
  /** For circuit breakers and identity tokens; what bounds a connection runs by the system's. @defaultValue the system's */
  readonly clock?: Clock;
}

/**
 * Asks subgraphs over HTTP. JSON only, no redirects, no content codings, a deadline and a byte limit over the whole
 * exchange; around it the policies of `stack`, for each subgraph its own.
 *
 * The executor throws a `GatewayError` for every failure, and the reason of the caller's signal when that ended the
 * request.
 *
 * @throws Error when a subgraph has no address that HTTP can reach, or a file of its TLS settings cannot be read
 */
export function createSubgraphClient(options: SubgraphClientOptions): SubgraphExecutor & AsyncDisposable {
  const { subgraphs, settings, identityKey, logger, clock = systemClock } = options;
  const { callerOf = () => '', largeResponses = createLargeResponses({ maxBytes: settings.maxLargeResponseBytes, callerOf }) } = options;
  const lengths = createResponseLengths();
  const pending = createPendingList();
  const delay = createDelay(pending);
  const pools = createPools();
  const logFailure = createFailureLog(logger);
  const sign = identityKey === undefined ? undefined : createIdentitySigner({ key: identityKey, clock });

  /** All policies, from the inside out. */
  function stack(target: SubgraphTarget, policies: SubgraphPolicies): SubgraphExecutor {
    const { requestTimeoutMs: timeoutMs, bulkhead, retry } = policies;
    const headers = compileHeaders(policies.headers);
    const breaker = policies.circuitBreaker.enabled ? openBreaker(target.name, policies) : undefined;

    let executor: SubgraphExecutor = createSender({
      target,
      connections: pools.of(target, policies),
      headers,
      sign,
      policies,
      pending,
      largeResponses,
      lengths,
      logFailure,
    });
    executor = withBulkhead(executor, { ...bulkhead, timeoutMs, breaker, callerOf, pending, now: systemClock.monotonic });
    const turns = createLargeResponses({
      maxBytes: settings.maxLargeResponseBytes,
      maxBegun: maxWaitingOf(policies),
      callerOf,
      hasRoom: largeResponses.hasRoom,
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
    if (breaker !== undefined) executor = withOpenCircuitRefused(executor, breaker);
    executor = withRetry(executor, { ...retry, budget: createRetryBudget(retry.budgetPercent), delay, random: Math.random, giveUp });
    if (policies.dedupe)
      executor = withDedupe(
        executor,
        ({ body, context, wantsFreshness }) =>
          JSON.stringify([
            identityKeyOf(context.principal),
            headers.takenOver(context),
            body,
            wantsFreshness === true,
            context.writes?.flight ?? '',
          ]),
        pending,
      );
    return executor;
  }

  function giveUp(request: SubgraphRequest, signal: AbortSignal, failure: unknown): never {
    if (signal.aborted) throw signal.reason;
    // The breaker has said once that it is open, and the bound on unread responses that it refuses.
    const isTold = failure instanceof GatewayError && (failure.code === 'CIRCUIT_OPEN' || failure.code === 'OVERLOADED');
    if (!isTold) logFailure(request, { err: failure }, 'A subgraph did not answer.');
    throw failure;
  }

  function openBreaker(subgraph: string, { circuitBreaker }: SubgraphPolicies): CircuitBreaker {
    return createCircuitBreaker({
      ...circuitBreaker,
      now: () => clock.monotonic(),
      onChange(state) {
        if (state === 'open') logger.warn({ subgraph }, 'A subgraph keeps failing and is left alone for a moment.');
        else logger.info({ subgraph }, 'A subgraph is back.');
      },
    });
  }

  const executors = new Map<string, SubgraphExecutor>();
  for (const target of resolveTargets(subgraphs, settings.override).values()) {
    executors.set(target.name, stack(target, resolvePolicies(settings, settings.override[target.name])));
  }

  const execute: SubgraphExecutor = (request, signal) => {
    if (signal.aborted) return Promise.reject(signal.reason);
    const executor = executors.get(request.subgraph);
    // A defect of a plan, not of a request.
    if (executor === undefined) return Promise.reject(new Error(`There is no subgraph "${request.subgraph}".`));
    const answer = executor(request, signal);
    const { onUnsent } = request.context;
    if (onUnsent === undefined || request.kind !== 'mutation') return answer;
    return answer.catch((error: unknown) => {
      if (wasNeverSent(error)) onUnsent();
      throw error;
    });
  };

  return Object.assign(execute, {
    async [Symbol.asyncDispose](): Promise<void> {
      pools[Symbol.dispose]();
      pending[Symbol.dispose]();
    },
  });
}
