import { UNLIMITED_BUDGETS } from '../../../gateway/budget/budgets.ts';
import { NO_RESPONSE_CACHE } from '../../../gateway/cache/response-cache.ts';
import { createRecentWrites } from '../../../gateway/cache/recent-writes.ts';
import type { CompiledHooks } from '../../../gateway/hooks/compile-hooks.ts';
import type { AdmitDocument } from '../../../gateway/operation/limits/admit-document.ts';
import { createPersistedDocuments } from '../../../gateway/persisted/persisted-documents.ts';
import { createCacheableRuns } from '../../../gateway/pipeline/execution/cached-responses.ts';
import { createExecute, type Deduplication } from '../../../gateway/pipeline/execution/execute.ts';
import { createPipeline, type Pipeline } from '../../../gateway/pipeline/pipeline.ts';
import { createAroundOperation, withHooks, withNotedCost } from '../../../gateway/pipeline/with-hooks.ts';
import { createRespond } from '../../../gateway/pipeline/response.ts';
import { type AuthorizeReplay, createAuthorizeReplay } from '../../../gateway/pipeline/stages/authorize-replay.ts';
import { createAccessDecider, createAuthorize, type PoliciesHook } from '../../../gateway/pipeline/stages/authorize.ts';
import type { CostLimit } from '../../../gateway/pipeline/stages/charge.ts';
import { createOperationChecks } from '../../../gateway/pipeline/stages/check-operation.ts';
import { createKeyMutation, type KeyMutation } from '../../../gateway/pipeline/stages/key-mutation.ts';
import { createErrorLocator } from '../../../gateway/pipeline/stages/locate-errors.ts';
import { createSelectLabels, type OverrideLabels } from '../../../gateway/pipeline/stages/override-labels.ts';
import { createPreparationTurns } from '../../../gateway/pipeline/stages/preparation-turns.ts';
import { clientOf, createRequestedDocuments } from '../../../gateway/pipeline/stages/resolve-document.ts';
import { createWriteTracking } from '../../../gateway/pipeline/stages/track-writes.ts';
import { createSubscriptions, type SubscriptionSettings, type Subscriptions } from '../../../gateway/pipeline/streams/subscribe.ts';
import { systemClock } from '../../../gateway/platform/clock.ts';
import { createGenerations, type Generations } from '../../../gateway/generation/generations.ts';
import type { OperationRequest } from '../../../gateway/pipeline/operation-request.ts';
import type { LogSampler } from '../../../gateway/platform/log-sampler.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { ANONYMOUS } from '../../../gateway/platform/principal.ts';
import { newGeneration, type Overrides } from './new-generation.ts';

/** Settings of a pipeline that tests change. */
export interface PipelineSettings {
  readonly isIntrospectionAllowed: boolean;
  readonly operationTimeoutMs: number;
  readonly limitCost: CostLimit;
  readonly hooks: CompiledHooks | undefined;
  readonly policies: PoliciesHook | undefined;
  readonly overrideLabels: OverrideLabels | undefined;
  readonly dedupe: Deduplication;
  readonly neverStored: readonly string[];
  readonly admit: AdmitDocument;
  readonly maxTokens: number;
  readonly subscriptions: SubscriptionSettings;
  readonly sampler: LogSampler;
}

const NO_STREAMS: SubscriptionSettings = {
  upstream: {
    addressOf: (_subgraph, url) => url,
    open() {
      throw new Error('The subgraphs of this test have no streams.');
    },
    async [Symbol.asyncDispose]() {},
  },
  sharing: { headers: [], isIdentityForwarded: true },
  maxQueuedEvents: 3,
  maxQueuedBytes: 10_000,
  reloadWindowMs: 1,
  clock: systemClock,
};

const DEFAULTS: PipelineSettings = {
  isIntrospectionAllowed: true,
  operationTimeoutMs: 5_000,
  limitCost: () => 0,
  hooks: undefined,
  policies: undefined,
  overrideLabels: undefined,
  dedupe: 'off',
  neverStored: [],
  admit: () => [],
  maxTokens: Number.MAX_SAFE_INTEGER,
  subscriptions: NO_STREAMS,
  sampler: { warn() {} },
};

/** A pipeline with its stages. */
export interface PipelineDependencies {
  readonly pipeline: Pipeline;
  readonly subscriptions: Subscriptions;
  readonly keyMutation: KeyMutation;
  readonly authorizeReplay: AuthorizeReplay;
}

/** Creates a pipeline over generations, without budgets, persisted documents and caches. */
export function pipelineOver(generations: Generations, changed: Partial<PipelineSettings> = {}): PipelineDependencies {
  const settings = { ...DEFAULTS, ...changed };
  const { operationTimeoutMs, dedupe, admit, maxTokens, neverStored, hooks } = settings;
  const budgets = UNLIMITED_BUDGETS;
  const documents = createRequestedDocuments(createPersistedDocuments({}), undefined);
  const locator = createErrorLocator();
  const checks = createOperationChecks({ isIntrospectionAllowed: settings.isIntrospectionAllowed, locator });
  const writes = createWriteTracking({ recentWrites: createRecentWrites({ maxCallers: 100, clock: systemClock }), clock: systemClock });
  const decideAccess = createAccessDecider({ policies: settings.policies, policyTimeoutMs: 1_000, logger: silentLogger });
  const authorize = createAuthorize(decideAccess);
  const selectLabels = createSelectLabels(settings.overrideLabels);
  const runs = createCacheableRuns({
    cache: NO_RESPONSE_CACHE,
    staleMs: 0,
    varyingHeaders: [],
    clock: systemClock,
    generations,
    maxFlightMs: operationTimeoutMs / 2,
  });
  const subscriptions = createSubscriptions({
    ...settings.subscriptions,
    generations,
    checks,
    authorize,
    selectLabels,
    locator,
    operationTimeoutMs,
    logger: silentLogger,
  });
  const pipeline = createPipeline({
    generations,
    documents,
    budgets,
    callerOf: (request) => clientOf(request, undefined),
    turns: createPreparationTurns(),
    checks,
    limitCost: settings.limitCost,
    writes,
    authorize,
    selectLabels,
    executeOperation: withNotedCost(
      createExecute({
        generations,
        operationTimeoutMs,
        cached: runs,
        uncached: runs,
        isCacheable: () => false,
        dedupe,
        writes,
      }),
      hooks,
    ),
    respond: createRespond({ locator, varyingHeaders: [], clock: systemClock }),
    subscriptions,
    sampler: settings.sampler,
    aroundOperation: hooks && createAroundOperation(hooks),
  });
  return {
    pipeline: hooks === undefined ? pipeline : withHooks(pipeline, hooks),
    subscriptions,
    keyMutation: createKeyMutation({ generations, documents, budgets, admit, maxTokens, neverStored }),
    authorizeReplay: createAuthorizeReplay({ generations, documents, decideAccess }),
  };
}

export interface PipelineUnderTest extends PipelineDependencies {
  readonly generations: Generations;
}

/** Creates a pipeline over the storefront, with replacements for everything that would leave the process. */
export async function newPipeline(overrides: Overrides = {}, settings: Partial<PipelineSettings> = {}): Promise<PipelineUnderTest> {
  const generations = createGenerations({ logger: silentLogger });
  await generations.load(() => newGeneration(overrides));
  return { generations, ...pipelineOver(generations, settings) };
}

/** Creates a request for a document, like a transport does. */
export function requestFor(text: string, more: Partial<OperationRequest> = {}): OperationRequest {
  return {
    document: { text },
    principal: ANONYMOUS,
    transport: 'graphql',
    headers: {},
    correlationId: 'trace-1',
    signal: new AbortController().signal,
    ...more,
  };
}
