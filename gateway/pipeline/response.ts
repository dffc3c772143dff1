import type { DeferredPatch, ExecutionError, ExecutionResult } from '../execution/executable-operation.ts';
import type { PreparedOperation } from '../generation/prepared-operation.ts';
import { type RequestError, OperationRejected } from '../operation/operation-rejected.ts';
import type { Clock } from '../platform/clock.ts';
import type { GatewayError } from '../platform/errors.ts';
import type { MaybePromise } from '../platform/maybe-promise.ts';
import { nextTurn } from '../platform/run-in-turn.ts';
import type { PipelineResult } from './execution/execute.ts';
import type { IncrementalResult, PayloadStream } from './execution/incremental.ts';
import type { OperationRequest } from './operation-request.ts';
import type { BytesResult, CachedResult, IncrementalPayloads, ObjectResult, OperationError, ResultFacts } from './operation-result.ts';
import type { OperationRun } from './operation-run.ts';
import { createRequestMemo } from './request-memo.ts';
import { settle, settleCached } from './stages/charge.ts';
import { type ErrorLocator, locatePayloads } from './stages/locate-errors.ts';

/** Format of a response: JSON text or values. */
export interface ResultFormat<Result> {
  /** Whether the response is needed as text. Such a response can be cached and delivered incrementally. */
  readonly isText: boolean;
  fromExecution(result: IncrementalResult, run: RespondedRun): Result;
  fromCache(result: CachedResult, run: RespondedRun, options: DescribeOptions): Result;
}

type RespondedRun = Pick<OperationRun, 'request' | 'document' | 'generation' | 'operation' | 'estimated'>;

export const TEXT_FORMAT: ResultFormat<BytesResult> = {
  isText: true,
  fromExecution(result, { operation, request }) {
    const { correlationId } = request;
    if (result.stream !== undefined) return toIncremental(result, correlationId);
    return toBytes(result, correlationId, isPersonal(operation, request) ? NO_ERRORS_PERSONAL : NO_ERRORS);
  },
  fromCache: (result, run) => ({
    body: result.cached.body,
    facts: NO_ERRORS,
    cached: result,
    memo: createRequestMemo(run, result.cacheLocation),
  }),
};

export const OBJECT_FORMAT: ResultFormat<ObjectResult> = {
  isText: false,
  fromExecution: (result, { request }) => toObject(result, request.correlationId),
  fromCache: (result, run, options) => {
    const storable = toStorable(result, options);
    // Without the decision, the response is not in the response cache, and a memo would lead to it.
    if (run.request.isStorable !== undefined) storable.memo = createRequestMemo(run, result.cacheLocation);
    return storable;
  },
};

/** Settles the charge for an operation that was executed, and makes its response. */
export type Respond = <Result extends BytesResult | ObjectResult>(
  result: PipelineResult,
  run: OperationRun,
  format: ResultFormat<Result>,
) => Result;

/** Facts about all cacheable responses. */
export interface DescribeOptions {
  /** Request headers that select different responses, in lower case. */
  readonly varyingHeaders: readonly string[];
  readonly clock: Pick<Clock, 'monotonic'>;
}

export interface RespondOptions extends DescribeOptions {
  readonly locator: ErrorLocator;
}

export function createRespond({ locator, ...described }: RespondOptions): Respond {
  return (executionResult, run, format) => {
    if (executionResult.cached !== undefined) {
      settleCached(run, executionResult);
      return format.fromCache(executionResult, run, described);
    }
    const { request, document } = run;
    const { stream } = executionResult;
    if (executionResult.errors.length === 0 && stream === undefined) {
      settle(run, executionResult);
      return format.fromExecution(executionResult, run);
    }
    settle(run, executionResult);
    // REST error responses have no field for locations.
    if (request.transport === 'rest') return format.fromExecution(executionResult, run);
    const locate = (errors: readonly ExecutionError[]) => locator.locateErrors(errors, document, request.operationName);
    const located = { ...executionResult, errors: locate(executionResult.errors) };
    return format.fromExecution(stream === undefined ? located : { ...located, stream: locatePayloads(stream, locate) }, run);
  };
}

/** Length from which a body is sent in a separate turn of the event loop. @unit bytes, or UTF-16 code units of a text */
const LONG_BODY = 262_144;

/** Returns a result with a long body in the next turn of the event loop, because encoding and sending it takes as long as printing it. */
export function afterLongBody<Result extends BytesResult | ObjectResult>(result: Result): MaybePromise<Result> {
  return 'body' in result && result.body.length >= LONG_BODY ? nextTurn().then(() => result) : result;
}

/**
 * Whether a response without errors is specific to its caller, which may store it and must validate it each time. When the operation has a
 * cache policy but the response was not cached, a subgraph has forbidden caching, so no cache may store it.
 */
function isPersonal(
  { kind, caching, authorization }: Pick<PreparedOperation, 'kind' | 'caching' | 'authorization'>,
  { principal, queryOnly }: Pick<OperationRequest, 'principal' | 'queryOnly'>,
): boolean {
  if (kind !== 'query' || (caching !== undefined && queryOnly === true)) return false;
  return principal.kind !== 'anonymous' || authorization !== undefined;
}

/**
 * Makes the response as text. The data was printed by the execution and is not parsed again.
 *
 * @param facts facts of a response without errors
 */
export function toBytes(result: IncrementalResult, requestId: string, facts: ResultFacts = NO_ERRORS): BytesResult {
  const { data, errors, shared, longData } = result;
  if (shared !== undefined) return { body: shared.text, bytes: shared.bytes, facts };
  const before =
    errors.length === 0 ? '{"data":' : `{"errors":${JSON.stringify(errors.map((error) => toOperationError(error, requestId)))},"data":`;
  const response = { body: `${before}${data}}`, facts: errors.length === 0 ? facts : factsOf(errors) };
  return longData === undefined ? response : { ...response, longBody: longData.enclosed(before, '}') };
}

/** Makes the initial payload as text, with the stream of the further payloads. */
function toIncremental({ stream, ...first }: IncrementalResult, requestId: string): BytesResult {
  const { body, facts } = toBytes(first, requestId);
  if (stream === undefined) return { body, facts };
  return { body: `${body.slice(0, -1)},"hasNext":${stream.hasNext}}`, facts, incremental: toLater(stream, requestId) };
}

function toLater(stream: PayloadStream, requestId: string): IncrementalPayloads {
  const print = (patches: readonly DeferredPatch[], hasNext: boolean): string => {
    return `{"incremental":[${patches.map((patch) => printPatch(patch, requestId)).join(',')}],"hasNext":${hasNext}}`;
  };
  return {
    hasNext: stream.hasNext,
    async next() {
      const { patches, hasNext } = await stream.next();
      return { body: print(patches, hasNext), hasNext };
    },
    giveUp({ message, code }: GatewayError) {
      const missing = stream.giveUp().patches.map(({ label, path, data }) => ({ label, path, data, errors: [{ message, code, path }] }));
      return print(missing, false);
    },
    cancel: () => stream.cancel(),
  };
}

/** Formats a payload, with its members in the order of the incremental delivery draft. */
function printPatch({ label, path, data, errors }: DeferredPatch, requestId: string): string {
  const named = label === undefined ? '' : `"label":${JSON.stringify(label)},`;
  const failed = errors.length === 0 ? '' : `,"errors":${JSON.stringify(errors.map((error) => toOperationError(error, requestId)))}`;
  return `{${named}"path":${JSON.stringify(path)},"data":${data}${failed}}`;
}

/** Makes the response as values. */
function toObject({ data, errors }: ExecutionResult, requestId: string): ObjectResult {
  const reported = errors.map((error) => toOperationError(error, requestId));
  return printedResult(data, reported, factsOf(errors));
}

/** Makes a response from text. The text is parsed when the values are first read. */
function printedResult(text: string, errors: readonly OperationError[], facts: ResultFacts): ObjectResult {
  let data: ObjectResult['data'] | undefined;
  return {
    text,
    errors,
    facts,
    get data() {
      if (data === undefined) data = JSON.parse(text) as ObjectResult['data'];
      return data;
    },
  };
}

/** Makes the response as values when HTTP may cache it. */
export function toStorable(result: CachedResult, { varyingHeaders, clock }: DescribeOptions): StorableResult {
  const { cached, executed } = result;
  const { policy: cachePolicy, madeAt } = cached;
  const facts =
    executed === undefined
      ? { errorCodes: [], cachePolicy, varyingHeaders, ageSeconds: Math.floor((clock.monotonic() - madeAt) / 1_000) }
      : { errorCodes: [], cachePolicy, varyingHeaders };
  return new StorableResult(result, facts);
}

/** A response as values that HTTP may cache. It is a class, because an object literal with a getter costs more than a cache hit. */
class StorableResult implements ObjectResult {
  readonly cached: CachedResult;
  readonly errors: readonly OperationError[] = NO_OPERATION_ERRORS;
  readonly facts: ResultFacts;
  memo: ObjectResult['memo'] = undefined;
  #data: ObjectResult['data'] | undefined;

  constructor(cached: CachedResult, facts: ResultFacts) {
    this.cached = cached;
    this.facts = facts;
  }

  get text(): string {
    return this.cached.cached.body.slice('{"data":'.length, -1);
  }

  get data(): ObjectResult['data'] {
    this.#data ??= JSON.parse(this.text) as ObjectResult['data'];
    return this.#data;
  }
}

const NO_OPERATION_ERRORS: readonly OperationError[] = [];

function toOperationError({ message, locations, path, code, subgraph }: ExecutionError, requestId: string): OperationError {
  const extensions = subgraph === undefined ? { code, requestId } : { code, requestId, subgraph };
  if (locations !== undefined && path !== undefined) return { message, locations, path, extensions };
  return path === undefined ? { message, extensions } : { message, path, extensions };
}

export const NO_ERRORS: ResultFacts = { errorCodes: [] };

const NO_ERRORS_PERSONAL: ResultFacts = { errorCodes: [], isPersonal: true };

function factsOf(errors: readonly ExecutionError[]): ResultFacts {
  return errors.length === 0
    ? NO_ERRORS
    : { errorCodes: errors.map(({ code, subgraph }) => (subgraph === undefined ? code : 'INTERNAL_SERVER_ERROR')) };
}

/** Makes the entries of `errors` for a rejected request. */
export function toRequestErrors(error: GatewayError, requestId: string): readonly OperationError[] {
  const errors: readonly RequestError[] = error instanceof OperationRejected ? error.errors : [error];
  return errors.map(({ message, locations, cost }): OperationError => {
    const extensions = { code: error.code, requestId, ...(cost === undefined ? {} : { cost }) };
    return locations === undefined || locations.length === 0 ? { message, extensions } : { message, locations, extensions };
  });
}
