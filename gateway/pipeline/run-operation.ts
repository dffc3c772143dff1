import type { Budgets } from '../budget/budgets.ts';
import type { CallerBudget } from '../budget/caller-budget.ts';
import type { CachedAnswer } from '../cache/cached-response.ts';
import type { ExecutionError } from '../execution/executable-operation.ts';
import type { Generation } from '../generation/generation.ts';
import type { Generations } from '../generation/generations.ts';
import type { PreparedDocument } from '../generation/prepared-document.ts';
import type { PreparedOperation } from '../generation/prepared-operation.ts';
import type { AdmitDocument } from '../operation/limits/admit-document.ts';
import { OperationRefused } from '../operation/errors.ts';
import { createPersistedDocuments, type PersistedDocuments } from '../persisted/persisted-documents.ts';
import { GatewayError } from '../platform/errors.ts';
import type { InNetworks } from '../platform/http/request/client-address.ts';
import type { Logger } from '../platform/logger.ts';
import { nextTurn } from '../platform/run-in-turn.ts';
import { type Streaming, type StreamingOptions, createStreaming } from './create-streaming.ts';
import { type AdmitReplay, createAdmitReplay } from './admit-replay.ts';
import { type PoliciesHook, createAccessDecider } from './decide-access.ts';
import { type DedupeOptions, type Outcome, type Output, type Prepared, createExecutions } from './execute-operation.ts';
import { createKeyMutation, type KeyMutation } from './keyed-mutations.ts';
import type { CostLimit } from './limit-cost.ts';
import type { BytesResult, CachedOutcome, ObjectResult, OperationRequest } from './operation-request.ts';
import { NO_ERRORS, toKeepable } from './output.ts';
import { createLabelDecider, type OverrideLabels } from './override-labels.ts';
import { clientOf } from './client-of.ts';
import { payDocument } from './pay-document.ts';
import { createPreparationTurns } from './preparation-turns.ts';
import { print, withCost } from './print-outcome.ts';
import type { Recollection } from './recollection.ts';
import type { WriteTracking } from './own-writes.ts';
import { refuseIntrospection } from './refuse-introspection.ts';
import { createErrorLocator } from './locate-errors.ts';
import { locateParts } from './locate-parts.ts';
import { createRequestedDocuments } from './requested-documents.ts';
import type { CachingSettings } from './run-cacheable.ts';
import { SETTLED_FROM, settle, settleCached } from './settle-cost.ts';

/** Runs operations of every door. */
export interface Pipeline {
  /** @throws GatewayError when the operation is refused */
  run(request: OperationRequest, output: 'bytes'): Promise<BytesResult>;
  /** @throws GatewayError when the operation is refused */
  run(request: OperationRequest, output: 'object'): Promise<ObjectResult>;
  /**
   * Finds out the kind of a requested operation, and charges the caller for a new document.
   *
   * @throws GatewayError `RATE_LIMITED` where the budget does not cover the document
   */
  kindOf(request: OperationRequest): Promise<OperationKind>;
  /** What to run in place of a mutation that came with an idempotency key. */
  readonly keyMutation: KeyMutation;
  /** Checks the rights of a caller to a response that was stored with an idempotency key. */
  readonly admitReplay: AdmitReplay;
  /** What runs subscriptions. Absent where they are not run. */
  readonly streaming?: Streaming | undefined;
}

/** Kind of an operation, with the points that were charged for its document. */
export interface OperationKind {
  /** Absent where the document is refused: the error is reported where the operation runs. */
  readonly kind?: PreparedOperation['kind'];
  /**
   * Charge for preparing the document: `documentCharge` of the request that runs it.
   *
   * @unit points
   * @defaultValue the document was known, and nothing was charged
   */
  readonly documentCharge?: number | undefined;
}

export interface PipelineOptions {
  readonly generations: Generations;
  /** What clients may name instead of sending it. @defaultValue nothing */
  readonly documents?: PersistedDocuments;
  /** Tells proxies of ours, whose `X-Forwarded-For` is believed. @defaultValue there are none */
  readonly isProxy?: InNetworks | undefined;
  /** Whether `__schema` and `__type` are answered. */
  readonly isIntrospectionAllowed: boolean;
  /** Until an operation must be answered, planning included. @unit milliseconds */
  readonly operationTimeoutMs: number;
  /** Refuses what costs too much. @defaultValue nothing does */
  readonly limitCost?: CostLimit;
  /** Whether clients are told what an operation costs when they ask for it. @defaultValue false */
  readonly tellsCost?: boolean;
  /** What callers may spend. @defaultValue there is no end to it */
  readonly budgets?: Budgets | undefined;
  /** What subscriptions are run with. @defaultValue they are not run */
  readonly streaming?: StreamingOptions | undefined;
  /** Decides policies of `@policy`. @defaultValue no caller fulfils any */
  readonly policies?: PoliciesHook | undefined;
  /** Until policies must be decided. @unit milliseconds @defaultValue 1000 */
  readonly policyTimeoutMs?: number;
  /** @defaultValue one that drops everything */
  readonly logger?: Logger;
  /** Decides labels of `@override`. @defaultValue all are off but those of the form `percent(x)` */
  readonly overrideLabels?: OverrideLabels | undefined;
  /** How answers to GET are kept. @defaultValue not at all */
  readonly caching?: CachingSettings | undefined;
  /** Lets callers read their own writes. @defaultValue nobody remembers writes */
  readonly writes?: WriteTracking | undefined;
  /** Refuses documents beyond the limits. @defaultValue nothing is refused before it is prepared */
  readonly admit?: AdmitDocument;
  /** What is parsed of a document at all. @unit tokens @defaultValue all of it */
  readonly maxTokens?: number;
  /** Root fields whose answers are not kept with an idempotency key. @defaultValue none */
  readonly neverKept?: readonly string[];
  /** Answers equal queries of one caller that run at the same time together. @defaultValue each by itself */
  readonly dedupe?: DedupeOptions | undefined;
}

const NONE: Readonly<Record<string, unknown>> = Object.freeze({});
const NO_LABELS: readonly string[] = [];

/** An operation that was paid for. */
interface Paid {
  readonly ready: Prepared;
  readonly document: string | PreparedDocument;
  /** @unit points */
  readonly estimated: number;
  readonly budget: CallerBudget | undefined;
}

/** An answer that was found by what is known of its request. */
interface Recalled {
  readonly cached: CachedAnswer;
  readonly place: Recollection;
}

/** By which clients ask what an operation costs, whatever its value. */
const COST_HEADER = 'gatefold-cost';

/** The one place that knows the order of the stages; a stage refuses by throwing. */
export function createPipeline(options: PipelineOptions): Pipeline {
  const {
    generations,
    documents = createPersistedDocuments({}),
    isProxy,
    isIntrospectionAllowed,
    operationTimeoutMs,
    limitCost,
    budgets,
    tellsCost = false,
  } = options;
  const decideLabels = createLabelDecider(options.overrideLabels);
  const decideAccess = createAccessDecider(options);
  const locator = createErrorLocator();
  const turns = createPreparationTurns();
  function inTurn<T>(request: OperationRequest, prepare: () => T): Promise<T> | T {
    const callerOf = () => clientOf(request, isProxy);
    return turns.run(callerOf, () => {
      request.signal.throwIfAborted();
      return prepare();
    });
  }
  const { documentOf, find, register } = createRequestedDocuments(documents, isProxy);
  const { execute, cacheable } = createExecutions({ ...options, decideAccess, decideLabels, mayKeep });

  /** Of what is asked for in a way that HTTP keeps. Costs are told of an execution. */
  function mayKeep({ door, queryOnly, headers }: OperationRequest): boolean {
    return door === 'graphql' && queryOnly === true && !(tellsCost && COST_HEADER in headers);
  }

  /** Parse, admit, canonicalise, validate, select; cached per generation. Then what depends on the request. */
  function prepare(generation: Generation, document: string | PreparedDocument, request: OperationRequest): Prepared {
    const prepared = generation.prepareOperation(document, request.operationName);
    gate(prepared, request, isIntrospectionAllowed);
    try {
      return { generation, prepared, variables: prepared.coerceVariables(request.variables ?? NONE) };
    } catch (error) {
      throw locator.locateRefusal(error, document, request.operationName);
    }
  }

  /** The answer to a request that was prepared before: to the same text in the same generation, for the same partition. */
  function recall({ id }: Generation, document: string | PreparedDocument, request: OperationRequest): Recalled | undefined {
    const { recollections } = request;
    if (recollections === undefined || cacheable === undefined || !mayKeep(request)) return undefined;
    const place = recollections.get(cacheable.partitionOf(request));
    if (place === undefined || place.text !== document || place.generation !== id) return undefined;
    const cached = cacheable.findFresh(place.key, request.writes);
    return cached === undefined ? undefined : { cached, place };
  }

  /** Where its document, variables and partition alone decide about a request: labels, rights and parts are decided for each. */
  function recollect(ready: Prepared, document: string | PreparedDocument, { place }: CachedOutcome, estimated: number) {
    const { generation, prepared } = ready;
    const { labels = NO_LABELS, authorisation, isDeferred } = prepared;
    if (typeof document !== 'string' || labels.length > 0 || authorisation !== undefined || isDeferred !== undefined) return undefined;
    return { generation: generation.id, text: document, estimated, ...place };
  }

  async function answerRecalled(recalled: Recalled, request: OperationRequest, budget: CallerBudget | undefined): Promise<BytesResult> {
    const { estimated } = recalled.place;
    const payment = budget?.spend('query', estimated);
    if (payment !== undefined) await payment;
    register(request);
    budget?.settle('query', estimated, 0);
    return { body: recalled.cached.body, facts: NO_ERRORS, cached: recalled };
  }

  function toResult(outcome: Outcome, { ready, document, estimated, budget }: Paid, request: OperationRequest, output: Output) {
    if (outcome.cached === undefined) {
      const isSettled = budget !== undefined && estimated >= SETTLED_FROM;
      const told = tellsCost && COST_HEADER in request.headers ? withCost(outcome, ready, estimated) : outcome;
      const { stream } = told;
      if (told.errors.length === 0 && stream === undefined) {
        const result = print(told, ready.prepared, request, output);
        const body = told === outcome && 'body' in result ? result.body : undefined;
        if (isSettled) settle(budget, ready, estimated, { outcome, body });
        return result;
      }
      if (isSettled) settle(budget, ready, estimated, { outcome });
      // A REST response has no place for locations.
      if (request.door === 'rest') return print(told, ready.prepared, request, output);
      const locate = (errors: readonly ExecutionError[]) => locator.locateErrors(errors, document, request.operationName);
      const later = stream === undefined ? {} : { stream: locateParts(stream, locate) };
      return print({ ...told, errors: locate(told.errors), ...later }, ready.prepared, request, output);
    }
    settleCached(outcome, ready, { budget, estimated });
    if (output === 'object') return toKeepable(outcome, options.caching?.varyingHeaders);
    const recollection = recollect(ready, document, outcome, estimated);
    return { body: outcome.cached.body, facts: NO_ERRORS, cached: outcome, recollection };
  }

  function run(request: OperationRequest, output: 'bytes'): Promise<BytesResult>;
  function run(request: OperationRequest, output: 'object'): Promise<ObjectResult>;
  async function run(asked: OperationRequest, output: Output): Promise<BytesResult | ObjectResult> {
    const request = options.writes?.beforeRead(asked) ?? asked;
    const budget = request.budget ?? budgets?.of(request);
    const found = find(request, budget);
    const document = found instanceof Promise ? await found : found;
    const pin = generations.pin(request.generation); // pinned once: a reload never changes a running operation
    let { documentCharge: paid = 0 } = request;
    try {
      const recalled = recall(pin.generation, document, request);
      if (recalled !== undefined) return await answerRecalled(recalled, request, budget);
      const isKnown = pin.generation.isPrepared(document);
      if (!isKnown) {
        const paying = request.documentCharge ?? payDocument(budget, document);
        paid = paying instanceof Promise ? await paying : paying;
      }
      const preparing = isKnown
        ? prepare(pin.generation, document, request)
        : inTurn(request, () => prepare(pin.generation, document, request));
      const ready = preparing instanceof Promise ? await preparing : preparing;
      const estimated = limitCost?.(ready.prepared, ready.variables) ?? 0;
      const payment = budget?.spend(ready.prepared.kind, estimated, paid);
      if (payment !== undefined) await payment;
      register(request);
      const outcome = await execute(ready, request, output);
      return inTurnIfLong(toResult(outcome, { ready, document, estimated, budget }, request, output));
    } catch (error) {
      if (budget !== undefined && error instanceof OperationRefused) await budget.payRefusal(paid);
      throw error;
    } finally {
      pin[Symbol.dispose](); // `using` is compiled to what costs more than the rest of this function
    }
  }

  async function kindOf(request: OperationRequest): Promise<OperationKind> {
    const budget = request.budget ?? budgets?.of(request);
    const document = await find(request, budget);
    const pin = generations.pin(request.generation);
    let { documentCharge } = request;
    try {
      const kindOfDocument = () => pin.generation.prepareOperation(document, request.operationName).kind;
      if (pin.generation.isPrepared(document)) return { kind: kindOfDocument(), documentCharge };
      documentCharge ??= await payDocument(budget, document);
      return { kind: await inTurn(request, kindOfDocument), documentCharge };
    } catch (error) {
      if (error instanceof OperationRefused) return { documentCharge };
      throw error;
    } finally {
      pin[Symbol.dispose]();
    }
  }
  const stages = {
    generations,
    documentOf,
    register,
    decideAccess,
    decideLabels,
    limitCost,
    budgets,
    inTurn,
    isIntrospectionAllowed,
    operationTimeoutMs,
    locator,
  };
  const { maxTokens = Number.MAX_SAFE_INTEGER, neverKept = [], admit = () => [] } = options;
  const keyMutation = createKeyMutation({ generations, find, admit, maxTokens, neverKept });
  const admitReplay = createAdmitReplay({ generations, documentOf, decideAccess });
  const streaming = options.streaming && createStreaming(options.streaming, stages, options.logger);
  return { run, kindOf, keyMutation, admitReplay, streaming };
}

/** Length from which a body is sent in turn. @unit bytes, or UTF-16 code units of a text */
const LONG_BODY = 262_144;

/** Hands on a result with a long body in the next turn: to encode and send it takes as long again as to print it. */
function inTurnIfLong(result: BytesResult | ObjectResult): Promise<BytesResult | ObjectResult> | BytesResult | ObjectResult {
  return 'body' in result && result.body.length >= LONG_BODY ? nextTurn().then(() => result) : result;
}

function gate(prepared: PreparedOperation, { queryOnly }: OperationRequest, isIntrospectionAllowed: boolean): void {
  const { kind } = prepared;
  if (queryOnly === true && kind !== 'query') {
    const message =
      kind === 'mutation' ? 'A mutation must be sent by POST.' : 'A subscription by GET needs the header Accept: text/event-stream.';
    throw new GatewayError('METHOD_NOT_ALLOWED', message, { headers: { allow: 'POST' } });
  }
  if (kind === 'subscription') {
    throw new OperationRefused('BAD_REQUEST', [{ message: 'A subscription needs a transport that can stream.' }]);
  }
  refuseIntrospection(prepared, isIntrospectionAllowed);
}
