import type { Budgets } from '../budget/budgets.ts';
import type { CallerBudget } from '../budget/caller-budget.ts';
import type { ExecutionOutcome } from '../execution/executable-operation.ts';
import type { Generation } from '../generation/generation.ts';
import type { Generations } from '../generation/generations.ts';
import type { PreparedDocument } from '../generation/prepared-document.ts';
import type { OperationCaching, PreparedOperation } from '../generation/prepared-operation.ts';
import { OperationRefused } from '../operation/errors.ts';
import { createPersistedDocuments, type PersistedDocuments } from '../persisted/persisted-documents.ts';
import { systemClock } from '../platform/clock.ts';
import { GatewayError } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { InNetworks } from '../platform/http/networks.ts';
import type { SubgraphExecutor } from '../supergraph/subgraph-executor.ts';
import { clientOf } from './client-of.ts';
import { type PoliciesHook, createAccessDecider } from './decide-access.ts';
import { type Streaming, type StreamingOptions, createStreaming } from './create-streaming.ts';
import { flightKeyOf } from './flight-key.ts';
import type { BytesResult, CachedOutcome, ObjectResult, OperationRequest } from './operation-request.ts';
import { NO_ERRORS, NO_ERRORS_PERSONAL, toBytes, toKeepable, toObject, toParts } from './output.ts';
import { isPersonal } from './is-personal.ts';
import type { CostLimit } from './limit-cost.ts';
import { createLabelDecider, type OverrideLabels } from './override-labels.ts';
import { type OutcomeInParts, runInParts } from './run-in-parts.ts';
import type { Recollection } from './recollection.ts';
import { type CacheableRuns, type CachingSettings, createCacheableRuns, type Execute } from './run-cacheable.ts';
import { createInFlight, type InFlight } from './share-in-flight.ts';
import { SETTLED_FROM, settle } from './settle-cost.ts';
import { createStops } from './stops.ts';
import { withDeadline } from './with-deadline.ts';

/** Runs operations of every door. */
export interface Pipeline {
  /** @throws GatewayError when the operation is refused */
  run(request: OperationRequest, output: 'bytes'): Promise<BytesResult>;
  /** @throws GatewayError when the operation is refused */
  run(request: OperationRequest, output: 'object'): Promise<ObjectResult>;
  /** What kind of operation a request asks for; undefined where its document is refused, which is said where it runs. */
  kindOf(request: OperationRequest): Promise<PreparedOperation['kind'] | undefined>;
  /** What runs subscriptions. Absent where they are not run. */
  readonly streaming?: Streaming | undefined;
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
  /** Answers equal queries of one caller that run at the same time together. @defaultValue each by itself */
  readonly dedupe?: DedupeOptions | undefined;
}

export interface DedupeOptions {
  /** Headers that reach subgraphs, in lower case: requests that differ there are not equal. @defaultValue all */
  readonly headers?: readonly string[];
}

/** An operation with the variables of one request. */
interface Prepared {
  readonly generation: Generation;
  readonly prepared: PreparedOperation;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** An operation that is ready to be run for one request. */
interface Bound extends Prepared {
  /** What was decided about the caller's rights. Absent where nothing is guarded. */
  readonly access?: string;
  readonly labels: readonly string[];
  /** Whether its answer comes in parts. */
  readonly isDeferring?: boolean;
  /** @defaultValue the generation's */
  readonly executor?: SubgraphExecutor;
}

type Outcome = OutcomeInParts | CachedOutcome;

type Output = 'bytes' | 'object';

const NONE: Readonly<Record<string, unknown>> = Object.freeze({});
const NO_LABELS: readonly string[] = [];

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
    dedupe,
    limitCost,
    budgets,
    tellsCost = false,
  } = options;
  const decideLabels = createLabelDecider(options.overrideLabels);
  const decideAccess = createAccessDecider(options);
  const stops = createStops();
  const cacheable = options.caching && createCacheableRuns({ ...options.caching, generations, maxFlightMs: operationTimeoutMs / 2 });
  /** Of answers as values: how long they may be kept is told, and they are made each time. */
  const tellable =
    options.caching && createCacheableRuns({ ...options.caching, cache: undefined, generations, maxFlightMs: operationTimeoutMs / 2 });
  /** Flights belong to the prepared operation, and so to the generation: each of those who wait has pinned it. */
  const flights = new WeakMap<PreparedOperation, InFlight<ExecutionOutcome>>();

  /** Without a promise of its own where rights and labels need none. */
  function executeOn(ready: Prepared, request: OperationRequest, output: Output): Promise<Outcome> {
    const { authorisation } = ready.prepared;
    if (authorisation === undefined) return executeAs(ready, undefined, request, output);
    const access = decideAccess(authorisation, request);
    if (access instanceof Promise) return access.then((decided) => executeAs(ready, decided, request, output));
    return executeAs(ready, access, request, output);
  }

  function executeAs(ready: Prepared, access: string | undefined, request: OperationRequest, output: Output): Promise<Outcome> {
    const { generation, prepared, variables } = ready;
    const { labels: known = NO_LABELS } = prepared;
    const labels = known.length === 0 ? known : decideLabels(known, request);
    const bind = (on: readonly string[]): Bound =>
      access === undefined ? { generation, prepared, variables, labels: on } : { generation, prepared, variables, labels: on, access };
    if (labels instanceof Promise) return labels.then((on) => runLabelled(bind(on), request, output));
    return runLabelled(bind(labels), request, output);
  }

  /** Parse, admit, canonicalise, validate, select; cached per generation. Then what depends on the request. */
  function prepare(generation: Generation, document: string | PreparedDocument, request: OperationRequest): Prepared {
    const prepared = generation.prepareOperation(document, request.operationName);
    gate(prepared, request, isIntrospectionAllowed);
    return { generation, prepared, variables: prepared.coerceVariables(request.variables ?? NONE) };
  }

  /** Texts by which operations are executed only. */
  function register(request: OperationRequest): void {
    const { document } = request;
    if ('prepared' in document || document.sha256 === undefined || document.text === undefined) return;
    documents.register(document, clientOf(request, isProxy));
  }

  /** What is known of a request that was prepared before: the same text in the same generation, for the same partition. */
  function recall({ id }: Generation, document: string | PreparedDocument, request: OperationRequest): Recollection | undefined {
    const { recollections } = request;
    if (recollections === undefined || cacheable === undefined || !mayKeep(request)) return undefined;
    const known = recollections.get(cacheable.partitionOf(request));
    return known !== undefined && known.text === document && known.generation === id ? known : undefined;
  }

  /** Where its document, variables and partition alone decide about a request: labels, rights and parts are decided for each. */
  function recollect(ready: Prepared, document: string | PreparedDocument, { place }: CachedOutcome, estimated: number) {
    const { generation, prepared } = ready;
    const { labels = NO_LABELS, authorisation, isDeferred } = prepared;
    if (typeof document !== 'string' || labels.length > 0 || authorisation !== undefined || isDeferred !== undefined) return undefined;
    return { generation: generation.id, text: document, estimated, ...place };
  }

  function documentOf({ document }: OperationRequest): string | PreparedDocument | Promise<string> {
    return 'prepared' in document ? document.prepared : documents.textOf(document);
  }

  /** A document that is not found, or not served, is a refused one: it is paid for as such. */
  function findDocument(request: OperationRequest, budget: CallerBudget | undefined): ReturnType<typeof documentOf> {
    if (budget === undefined) return documentOf(request);
    const refuse = async (error: unknown): Promise<never> => {
      if (error instanceof GatewayError) await budget.payRefusal();
      throw error;
    };
    try {
      const found = documentOf(request);
      return found instanceof Promise ? found.catch(refuse) : found;
    } catch (error) {
      return refuse(error);
    }
  }

  function runLabelled(bound: Bound, request: OperationRequest, output: Output): Promise<Outcome> {
    const { prepared, variables, labels, access } = bound;
    if (output === 'bytes' && request.acceptsParts === true && prepared.isDeferred?.(variables) === true)
      return runDeferred(bound, request);
    if (prepared.kind !== 'query') return runBound(bound, request, undefined); // half of a mutation may be done already
    const caching = cachingFor(bound);
    const runs = caching === undefined ? undefined : runsFor(request, output);
    if (caching !== undefined && runs !== undefined) {
      const execute: Execute = (executor, signal) => runBound({ ...bound, executor }, request, signal);
      return runs.run({ generation: bound.generation, caching, variables, labels }, request, execute);
    }
    if (dedupe === undefined) return runBound(bound, request, request.signal);
    const key = flightKeyOf(request, variables, labels, dedupe.headers, access);
    return flightsOf(prepared).run(key, request.signal, (signal) => runBound(bound, request, signal));
  }

  function runsFor(request: OperationRequest, output: Output): CacheableRuns | undefined {
    if (output === 'bytes') return mayKeep(request) ? cacheable : undefined;
    return request.queryOnly === true ? tellable : undefined;
  }

  /** Of what is asked for in a way that HTTP keeps. Costs are told of an execution. */
  function mayKeep({ door, queryOnly, headers }: OperationRequest): boolean {
    return door === 'graphql' && queryOnly === true && !(tellsCost && COST_HEADER in headers);
  }

  function runBound(bound: Bound, request: OperationRequest, clientGone: AbortSignal | undefined): Promise<ExecutionOutcome> {
    const stop = stops.take();
    const { controller } = stop;
    const work = (): Promise<ExecutionOutcome> => executeBound(bound, request, controller.signal);
    return withDeadline(operationTimeoutMs, clientGone, controller, work).then((outcome) => {
      stops.giveBack(stop);
      return outcome;
    });
  }

  /** Pins again what it runs on: it goes on when the first part is out. */
  function runDeferred(bound: Bound, request: OperationRequest): Promise<OutcomeInParts> {
    const pin = generations.pin(bound.generation);
    return runInParts({
      start: (signal) => executeBound({ ...bound, isDeferring: true }, request, signal),
      timeoutMs: operationTimeoutMs,
      clientGone: bound.prepared.kind === 'query' ? request.signal : undefined,
      onEnd: () => pin[Symbol.dispose](),
    });
  }

  function flightsOf(prepared: PreparedOperation): InFlight<ExecutionOutcome> {
    let known = flights.get(prepared);
    if (known === undefined) {
      known = createInFlight({ maxAgeMs: operationTimeoutMs / 2, now: systemClock.monotonic });
      flights.set(prepared, known);
    }
    return known;
  }

  function run(request: OperationRequest, output: 'bytes'): Promise<BytesResult>;
  function run(request: OperationRequest, output: 'object'): Promise<ObjectResult>;
  async function run(request: OperationRequest, output: Output): Promise<BytesResult | ObjectResult> {
    const budget = request.budget ?? budgets?.of(request);
    const found = findDocument(request, budget);
    const document = found instanceof Promise ? await found : found;
    const pin = generations.pin(request.generation); // pinned once: a reload never changes a running operation
    try {
      const recalled = recall(pin.generation, document, request);
      let ready = recalled === undefined ? prepare(pin.generation, document, request) : undefined;
      const estimated = recalled?.estimated ?? (ready && limitCost?.(ready.prepared, ready.variables)) ?? 0;
      const payment = budget?.spend(ready?.prepared.kind ?? 'query', estimated);
      if (payment !== undefined) await payment;
      register(request);
      const cached = recalled && cacheable?.findFresh(recalled.key);
      if (recalled !== undefined && cached !== undefined) {
        budget?.settle('query', estimated, 0);
        return { body: cached.body, facts: NO_ERRORS, cached: { cached, place: recalled } };
      }
      ready ??= prepare(pin.generation, document, request);
      const outcome = await executeOn(ready, request, output);
      if (outcome.cached !== undefined) {
        const printed = printCached(outcome, ready, { budget, estimated });
        if (output === 'object') return toKeepable(outcome, options.caching?.varyingHeaders);
        return { ...printed, recollection: recollect(ready, document, outcome, estimated) };
      }
      if (budget !== undefined && estimated >= SETTLED_FROM) settle(budget, ready, estimated, outcome);
      const told = tellsCost && COST_HEADER in request.headers ? withCost(outcome, ready, estimated) : outcome;
      return print(told, ready.prepared, request, output);
    } catch (error) {
      if (budget !== undefined && error instanceof OperationRefused) await budget.payRefusal();
      throw error;
    } finally {
      pin[Symbol.dispose](); // `using` is compiled to what costs more than the rest of this function
    }
  }

  async function kindOf(request: OperationRequest): Promise<PreparedOperation['kind'] | undefined> {
    const pin = generations.pin(request.generation);
    try {
      return pin.generation.prepareOperation(await documentOf(request), request.operationName).kind;
    } catch {
      return undefined;
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
    isIntrospectionAllowed,
    operationTimeoutMs,
  };
  return { run, kindOf, streaming: options.streaming && createStreaming(options.streaming, stages, options.logger) };
}

function print(
  outcome: OutcomeInParts,
  prepared: PreparedOperation,
  request: OperationRequest,
  output: Output,
): BytesResult | ObjectResult {
  const { correlationId } = request;
  if (output === 'object') return toObject(outcome, correlationId);
  if (outcome.stream !== undefined) return toParts(outcome, correlationId);
  return toBytes(outcome, correlationId, isPersonal(prepared, request) ? NO_ERRORS_PERSONAL : NO_ERRORS);
}

interface Paid {
  readonly budget: CallerBudget | undefined;
  readonly estimated: number;
}

/** What was there already costs as little as anything can. */
function printCached(outcome: CachedOutcome, ready: Prepared, { budget, estimated }: Paid): BytesResult {
  const { cached, executed } = outcome;
  if (budget !== undefined && estimated >= SETTLED_FROM && executed !== undefined) settle(budget, ready, estimated, executed);
  else if (executed === undefined) budget?.settle(ready.prepared.kind, estimated, 0);
  return { body: cached.body, facts: NO_ERRORS, cached: outcome };
}

/** With what it cost; of an answer in parts that is not known yet. */
function withCost(outcome: OutcomeInParts, { prepared, variables }: Prepared, estimated: number): OutcomeInParts {
  if (outcome.stream !== undefined) return outcome;
  return { ...outcome, cost: { estimated, actual: prepared.actualCost(JSON.parse(outcome.data), variables) } };
}

async function executeBound(
  { generation, prepared, variables, labels, isDeferring, access, executor = generation.executor }: Bound,
  request: OperationRequest,
  signal: AbortSignal,
): Promise<ExecutionOutcome> {
  const known = prepared.executable(variables, labels, isDeferring, access); // plan, compile; cached per generation
  const executable = known instanceof Promise ? await known : known;
  signal.throwIfAborted();
  const run = { variables, context: request, executor, signal };
  const { aliases, isPassing = false } = prepared;
  const outcome = await executable.execute(aliases === undefined ? run : { ...run, aliases, isPassing });
  if (signal.aborted && isWithoutData(outcome)) throw signal.reason; // nothing arrived in time: the operation as a whole failed
  return outcome;
}

/** Answers to those who may not see the same are not the same. */
function cachingFor({ prepared: { caching }, access = '' }: Bound): OperationCaching | undefined {
  return caching === undefined || access === '' ? caching : { ...caching, id: `${caching.id} ${access}` };
}

function gate({ kind, isIntrospecting }: PreparedOperation, { queryOnly }: OperationRequest, isIntrospectionAllowed: boolean): void {
  if (queryOnly === true && kind !== 'query') {
    const message =
      kind === 'mutation' ? 'A mutation must be sent by POST.' : 'A subscription by GET needs the header Accept: text/event-stream.';
    throw new GatewayError('METHOD_NOT_ALLOWED', message, { headers: { allow: 'POST' } });
  }
  if (kind === 'subscription') {
    throw new OperationRefused('BAD_REQUEST', [{ message: 'A subscription needs a transport that can stream.' }]);
  }
  if (isIntrospecting && !isIntrospectionAllowed) {
    throw new OperationRefused('INTROSPECTION_DISABLED', [{ message: 'Introspection is switched off.' }]);
  }
}

const NOTHING = /^(?:null|\{(?:"[^"]*":null,?)*\})$/;

function isWithoutData({ data }: ExecutionOutcome): boolean {
  return NOTHING.test(data);
}
