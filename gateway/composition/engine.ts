import { NO_RESPONSE_CACHE } from '../cache/response-cache.ts';
import type { ResolvedGatewayConfig } from '../config/resolve-gateway-config.ts';
import type { GatewayDependencies } from '../gateway.ts';
import { createAdmission } from '../operation/limits/admit-document.ts';
import { modeOf } from '../operation/limits/limit-mode.ts';
import { createCacheableRuns } from '../pipeline/execution/cached-responses.ts';
import { createExecute } from '../pipeline/execution/execute.ts';
import type { OperationRequest } from '../pipeline/operation-request.ts';
import { createPipeline, type Pipeline } from '../pipeline/pipeline.ts';
import { createRespond } from '../pipeline/response.ts';
import { createAccessDecider, createAuthorize } from '../pipeline/stages/authorize.ts';
import { createAuthorizeReplay } from '../pipeline/stages/authorize-replay.ts';
import { createCostLimit } from '../pipeline/stages/charge.ts';
import { createOperationChecks } from '../pipeline/stages/check-operation.ts';
import { createKeyMutation, type KeyMutation } from '../pipeline/stages/key-mutation.ts';
import { createErrorLocator } from '../pipeline/stages/locate-errors.ts';
import { createSelectLabels } from '../pipeline/stages/override-labels.ts';
import { createPreparationTurns } from '../pipeline/stages/preparation-turns.ts';
import { clientOf, createRequestedDocuments } from '../pipeline/stages/resolve-document.ts';
import { createWriteTracking } from '../pipeline/stages/track-writes.ts';
import { createSubscriptions } from '../pipeline/streams/subscribe.ts';
import { withExternalSubscriptions } from '../pipeline/streams/with-external-subscriptions.ts';
import { createAroundOperation, hasRequestHooks, withHooks, withNotedCost } from '../pipeline/with-hooks.ts';
import { type IdempotentPipeline, withIdempotency } from '../pipeline/with-idempotency.ts';
import { withRequestMemos } from '../pipeline/with-request-memos.ts';
import { hasCapacityFor } from '../platform/http/limits/edge-limits.ts';
import { createLargeResponses } from '../subgraph-client/large-responses.ts';
import { wantsCost } from '../hooks/built-in/report-cost.ts';
import { openConfiguredIndexCache } from '../generation/open-index-cache.ts';
import { recordOperations } from '../telemetry/recording/record-operations.ts';
import { hasSubgraphHooks } from './build-dependencies.ts';
import { checkTrustedDocuments, followConfiguredSupergraph } from './follow-configured-supergraph.ts';
import type { Foundation } from './foundation.ts';
import { createMeasuredLimitsReport } from './report-measured-limits.ts';

/** Follows the supergraph, and executes operations of all transports. */
export type Engine = ReturnType<typeof createEngine>;

export function createEngine(config: ResolvedGatewayConfig, foundation: Foundation, dependencies: GatewayDependencies) {
  const { generations, budgets, isProxy, clock, logger, sampler, varying, caches, manifests, idempotency, hooks, recording, settings } =
    foundation;
  const { operationTimeoutMs } = config.graphql;
  const documents = createRequestedDocuments(foundation.documents, isProxy);
  const locator = createErrorLocator();
  const checks = createOperationChecks({ isIntrospectionAllowed: config.graphql.introspection, locator });
  const writes = createWriteTracking({ recentWrites: foundation.recentWrites, isProxy, clock });
  const decideAccess = createAccessDecider({ policies: dependencies.policies, policyTimeoutMs: config.auth.policyTimeoutMs, logger });
  const authorize = createAuthorize(decideAccess);
  const selectLabels = createSelectLabels(dependencies.overrideLabels);
  const reportsCost = config.limits.exposeCost;
  /** Whether HTTP may cache the response. A response that reports its cost must be executed. */
  const isCacheable = (request: OperationRequest): boolean =>
    (request.transport === 'graphql' || request.isStorable !== undefined) &&
    request.queryOnly === true &&
    !(reportsCost && wantsCost(request));
  const staleMs = config.cache.staleWhileRevalidateSeconds * 1_000;
  const described = { varyingHeaders: varying, clock };
  const isShared = !hasSubgraphHooks(hooks);
  const caching = { staleMs, varyingHeaders: varying, clock, generations, maxFlightMs: operationTimeoutMs / 2, isShared };
  const cached = createCacheableRuns({ ...caching, cache: caches?.responses ?? NO_RESPONSE_CACHE });
  const uncached = createCacheableRuns({ ...caching, cache: NO_RESPONSE_CACHE });
  const subscriptions = createSubscriptions({
    ...config.subscriptions,
    generations,
    checks,
    authorize,
    selectLabels,
    locator,
    operationTimeoutMs,
    logger,
    clock,
    upstream: foundation.subgraphStreams,
    sharing: { headers: varying, isIdentityForwarded: foundation.identity !== undefined || dependencies.subgraphExecutor !== undefined },
  });
  const staged = createPipeline({
    generations,
    documents,
    budgets,
    callerOf: (request) => clientOf(request, isProxy),
    turns: createPreparationTurns(),
    checks,
    limitCost: createCostLimit({
      maxCost: config.limits.maxCost,
      isMeasuredByOperator: () => settings.current.limits.modes.cost === 'measure',
      logger,
      sampler,
    }),
    executeOperation: withNotedCost(
      createExecute({
        generations,
        operationTimeoutMs,
        cached,
        uncached,
        isCacheable,
        // An executor of the application may read all headers.
        dedupe: config.graphql.dedupe && isShared ? { headers: dependencies.subgraphExecutor === undefined ? varying : 'all' } : 'off',
        writes,
      }),
      hooks,
    ),
    writes,
    authorize,
    selectLabels,
    respond: createRespond({ locator, ...described }),
    subscriptions,
    sampler,
    aroundOperation: hasRequestHooks(hooks) ? createAroundOperation(hooks) : undefined,
  });
  const pipeline: Pipeline = dependencies.subscribe === undefined ? staged : withExternalSubscriptions(staged, dependencies.subscribe);
  /** Adds hooks, and records what they changed. */
  function decorate(one: IdempotentPipeline): IdempotentPipeline {
    const hooked = hasRequestHooks(hooks) ? withHooks(one, hooks) : one;
    return recording === undefined ? hooked : recordOperations(hooked, recording);
  }
  const authorizeReplay = createAuthorizeReplay({ generations, documents, decideAccess });
  const keyMutationFor = ({ graphql, limits }: ResolvedGatewayConfig): KeyMutation =>
    createKeyMutation({
      generations,
      documents,
      budgets,
      admit: createAdmission({ maxTokens: graphql.maxTokens, limits: limits }),
      maxTokens: modeOf(limits, 'tokens') === 'enforce' ? graphql.maxTokens : Number.MAX_SAFE_INTEGER,
      neverStored: config.idempotency.noStore,
    });
  let keyWithLimits = keyMutationFor(config);
  settings.onReload((reloaded) => {
    keyWithLimits = keyMutationFor(reloaded);
  });
  const keyMutation: KeyMutation = (request, readKey) => keyWithLimits(request, readKey);
  // A memo serves a request without its operation, so `onOperation` would not run.
  const memoized =
    hooks?.onOperation !== undefined
      ? pipeline
      : withRequestMemos(pipeline, { generations, documents, budgets, writes, cached, isCacheable, described });
  const measuredLimits = createMeasuredLimitsReport(settings, logger);
  if (manifests !== undefined) checkTrustedDocuments(manifests, generations, logger);
  return {
    /** Pipeline for all transports except HTTP. */
    pipeline: decorate(memoized),
    /** Pipeline for `/graphql`, with memos of GET requests and idempotency keys. */
    httpPipeline: decorate(withIdempotency(memoized, { idempotency, keyMutation, authorizeReplay })),
    responseCache: caches?.responses === undefined ? undefined : { ...config.cache, servesMemos: hooks?.onOperation === undefined },
    authorizeReplay,
    subscriptions,
    measuredLimits,
    supergraphs: followConfiguredSupergraph(settings, {
      ...dependencies,
      measuredLimits,
      identity: foundation.identity,
      recording,
      largeResponses: createLargeResponses({
        maxBytes: config.subgraphs.maxLargeResponseBytes,
        callerOf: (context) => clientOf(context, isProxy),
        hasCapacity: (context, bytes) => hasCapacityFor(foundation.limits, context, bytes),
      }),
      hooks,
      entities: caches?.entities && { cache: caches.entities, varyingHeaders: varying },
      varyBy: foundation.varyBy,
      indexCache: openConfiguredIndexCache(config.supergraph, logger),
      spareThread: foundation.spareThread,
      generations,
      clock,
      logger,
    }),
  };
}
