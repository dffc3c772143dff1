import type { Budgets } from '../budget/budgets.ts';
import type { Generations } from '../generation/generations.ts';
import type { PreparedOperation } from '../generation/prepared-operation.ts';
import { OperationRejected } from '../operation/operation-rejected.ts';
import { logRejection } from '../platform/log-rejection.ts';
import type { LogSampler } from '../platform/log-sampler.ts';
import { isPromise, type MaybePromise } from '../platform/maybe-promise.ts';
import type { ExecuteStage } from './execution/execute.ts';
import { recordResult } from './execution/record-result.ts';
import type { OperationRequest } from './operation-request.ts';
import type { BytesResult, ObjectResult } from './operation-result.ts';
import type { PreparedRequest } from './operation-run.ts';
import { type ResultFormat, type Respond, afterLongBody, OBJECT_FORMAT, TEXT_FORMAT } from './response.ts';
import type { Authorize } from './stages/authorize.ts';
import { type CostLimit, explainCost } from './stages/charge.ts';
import type { SelectLabels } from './stages/override-labels.ts';
import type { PreparationTurns } from './stages/preparation-turns.ts';
import type { OperationChecks } from './stages/check-operation.ts';
import { lengthOf, type RequestedDocuments } from './stages/resolve-document.ts';
import type { WriteTracking } from './stages/track-writes.ts';
import type { EventStream, Subscribe, SubscriptionRequest } from './streams/event-stream.ts';
import type { Subscriptions } from './streams/subscribe.ts';

/** Executes operations and subscriptions of every transport. All methods throw a GatewayError for a request that is rejected. */
export interface Pipeline {
  /** Executes a query or a mutation. The result is the response as JSON text. */
  execute(request: OperationRequest): Promise<BytesResult>;
  /** Executes a query or a mutation. The result has the response as values, for callers that process the data. */
  executeToObject(request: OperationRequest): Promise<ObjectResult>;
  /** Subscribes to a subscription. */
  readonly subscribe: Subscribe;
  /** Executes a query or a mutation, or subscribes to a subscription: for transports that accept both. */
  readonly executeOrSubscribe: ExecuteOrSubscribe;
}

/**
 * Executes an operation or subscribes to it.
 *
 * @param toSubscription makes the request for the stream. Called when the operation is known to be a subscription, before it is charged; an
 * error that it throws rejects the request
 */
export type ExecuteOrSubscribe<Result extends BytesResult = BytesResult> = (
  request: OperationRequest,
  toSubscription: ToSubscription,
) => Promise<ExecutedOrSubscribed<Result>>;

/** Makes the subscription request from a request whose operation is a subscription. */
export type ToSubscription = (request: OperationRequest) => SubscriptionRequest;

/** Result of an operation of any kind: one response, or a stream of events. */
export type ExecutedOrSubscribed<Result extends BytesResult = BytesResult> =
  | { readonly response: Result }
  | { readonly stream: EventStream };

/** Wraps the stages that follow preparation. */
export type AroundOperation = <Result>(
  next: (prepared: PreparedRequest) => Promise<Result>,
) => (prepared: PreparedRequest) => Promise<Result>;

/** Stages with their settings, and the dependencies that several stages share. */
export interface PipelineDependencies {
  readonly generations: Generations;
  readonly documents: RequestedDocuments;
  readonly budgets: Budgets;
  /** Identifies the caller whose document waits for preparation. */
  readonly callerOf: (request: OperationRequest) => string;
  readonly turns: PreparationTurns;
  readonly checks: OperationChecks;
  readonly limitCost: CostLimit;
  readonly writes: WriteTracking;
  readonly authorize: Authorize;
  readonly selectLabels: SelectLabels;
  readonly executeOperation: ExecuteStage;
  readonly respond: Respond;
  readonly subscriptions: Subscriptions;
  /** Logs rejections that a setting decided. */
  readonly sampler: LogSampler;
  /** Hooks between preparing and charging an operation. @defaultValue none */
  readonly aroundOperation?: AroundOperation | undefined;
}

/** Creates the pipeline. This is the one list of the stages and their order; a stage rejects a request by throwing. */
export function createPipeline(dependencies: PipelineDependencies): Pipeline {
  const { generations, documents, budgets, callerOf, turns, checks, limitCost, writes } = dependencies;
  const { authorize, selectLabels, executeOperation, respond, subscriptions, sampler, aroundOperation = passOn } = dependencies;

  /** Resolves the document, pins the generation, charges for a new document, prepares it, and continues with `next`. */
  async function withPrepared<Result>(request: OperationRequest, next: (prepared: PreparedRequest) => Promise<Result>): Promise<Result> {
    const budget = request.budget ?? budgets.of(request);
    const resolving = documents.resolve(request, budget);
    const document = isPromise(resolving) ? await resolving : resolving;
    const pin = generations.pin(request.generation); // pinned once: a reload never changes a running operation
    const { generation } = pin;
    let documentCharge = 0;
    let operation: PreparedOperation | undefined;
    let prepared: PreparedRequest | undefined;
    try {
      if (generation.isPrepared(document)) {
        operation = generation.prepareOperation(document, request.operationName);
      } else {
        const charging = budget.payDocument(lengthOf(document));
        documentCharge = isPromise(charging) ? await charging : charging;
        const preparing = prepareInTurn(request, () => generation.prepareOperation(document, request.operationName, request.recorder));
        operation = isPromise(preparing) ? await preparing : preparing;
      }
      prepared = { request, document, generation, operation, budget, documentCharge, isSpent: false };
      return await next(prepared);
    } catch (error) {
      logRejection(sampler, error, { caller: request.principal.kind, operation: operation?.name ?? request.operationName });
      if (error instanceof OperationRejected) await budget.chargeRejection(documentCharge, prepared?.isSpent);
      throw error;
    } finally {
      pin[Symbol.dispose](); // `using` compiles to code that is slower than the rest of this function
    }
  }

  /** Parses, checks the limits, normalizes, validates and selects the operation: cached per generation. */
  function prepareInTurn(request: OperationRequest, prepare: () => PreparedOperation) {
    return turns.run(
      () => callerOf(request),
      () => {
        request.signal.throwIfAborted();
        return prepare();
      },
    );
  }

  /** Estimates the cost and charges the caller. @returns the estimated cost. @unit points */
  function charge(prepared: PreparedRequest, variables: Variables): MaybePromise<number> {
    const { operation, budget, documentCharge } = prepared;
    const estimated = limitCost(prepared, variables);
    prepared.request.recorder?.cost(estimated);
    try {
      const payment = budget.spend(operation, estimated, documentCharge);
      prepared.isSpent = true;
      return payment === undefined ? estimated : payment.then(() => estimated);
    } catch (error) {
      throw explainCost(error, operation, variables);
    }
  }

  async function executePrepared<Result extends BytesResult | ObjectResult>(
    prepared: PreparedRequest,
    format: ResultFormat<Result>,
  ): Promise<Result> {
    const { document, generation, operation, budget } = prepared;
    prepared.request.recorder?.operation(operation);
    checks.checkExecutable(prepared);
    const variables = checks.coerceVariables(prepared);
    const charging = charge(prepared, variables);
    const estimated = isPromise(charging) ? await charging : charging;
    documents.register(prepared.request);
    const request = writes.beforeRead(prepared.request);
    const authorizing = authorize(operation, request);
    const access = isPromise(authorizing) ? await authorizing : authorizing;
    const selecting = selectLabels(operation, request);
    const labels = isPromise(selecting) ? await selecting : selecting;
    const { executor } = generation;
    const run = { request, document, generation, operation, budget, variables, estimated, access, labels, executor };
    request.recorder?.beginExecution();
    const result = await executeOperation(run, format.isText);
    if (request.recorder !== undefined) recordResult(request.recorder, result, run);
    return afterLongBody(respond(result, run, format));
  }

  async function subscribePrepared(prepared: PreparedRequest, request: SubscriptionRequest): Promise<EventStream> {
    const subscription = { ...prepared, request };
    request.recorder?.operation(prepared.operation);
    checks.checkSubscription(subscription);
    subscriptions.checkExpiry(request);
    const variables = checks.coerceVariables(subscription);
    await charge(prepared, variables);
    documents.register(request);
    return subscriptions.open(subscription, variables);
  }

  const executeAsText = (prepared: PreparedRequest): Promise<BytesResult> => executePrepared(prepared, TEXT_FORMAT);
  const executeToText = aroundOperation(executeAsText);
  const executeToValues = aroundOperation((prepared): Promise<ObjectResult> => executePrepared(prepared, OBJECT_FORMAT));

  function subscribeOrReject(request: SubscriptionRequest): Promise<EventStream> {
    const open = (prepared: PreparedRequest) => subscribePrepared(prepared, withVariablesOf(prepared, request));
    return withPrepared(request, aroundOperation(open));
  }

  function executeAnyKind(request: OperationRequest, toSubscription: ToSubscription): Promise<ExecutedOrSubscribed> {
    const run = async (prepared: PreparedRequest): Promise<ExecutedOrSubscribed> => {
      if (prepared.operation.kind !== 'subscription') return { response: await executeAsText(prepared) };
      return { stream: await subscribePrepared(prepared, toSubscription(prepared.request)) };
    };
    return withPrepared(request, aroundOperation(run));
  }

  return {
    execute: (request) => withPrepared(request, executeToText),
    executeToObject: (request) => withPrepared(request, executeToValues),
    subscribe: subscribeOrReject,
    executeOrSubscribe: executeAnyKind,
  };
}

const passOn: AroundOperation = (next) => next;

/** Returns the request with the variables of `onOperation`. */
function withVariablesOf({ request: { variables } }: PreparedRequest, request: SubscriptionRequest): SubscriptionRequest {
  return variables === request.variables ? request : { ...request, variables };
}

type Variables = Readonly<Record<string, unknown>>;
