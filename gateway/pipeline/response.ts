import type { DeferredPatch, ExecutionError, ExecutionOutcome } from '../execution/executable-operation.ts';
import type { PreparedOperation } from '../generation/prepared-operation.ts';
import { type OperationFault, OperationRefused } from '../operation/operation-refused.ts';
import type { GatewayError } from '../platform/errors.ts';
import type { MaybePromise } from '../platform/maybe-promise.ts';
import { nextTurn } from '../platform/run-in-turn.ts';
import type { Outcome } from './execution/execute.ts';
import type { OutcomeInParts, PartStream } from './execution/incremental.ts';
import type { OperationRequest } from './operation-request.ts';
import type { BytesResult, CachedOutcome, LaterParts, ObjectResult, OperationError, ResultFacts } from './operation-result.ts';
import type { OperationRun } from './operation-run.ts';
import { createRequestMemo } from './request-memo.ts';
import { settle, settleCached } from './stages/charge.ts';
import { type ErrorLocator, locateParts } from './stages/locate-errors.ts';

/** Format of a response: JSON text or values. */
export interface ResponseForm<Result> {
  /** Whether the response is needed as text. Such a response can be cached and delivered incrementally. */
  readonly isText: boolean;
  fromExecution(outcome: OutcomeInParts, run: RespondedRun): Result;
  fromCache(outcome: CachedOutcome, run: RespondedRun, varyingHeaders: readonly string[]): Result;
}

type RespondedRun = Pick<OperationRun, 'request' | 'document' | 'generation' | 'operation' | 'estimated'>;

export const TEXT_FORM: ResponseForm<BytesResult> = {
  isText: true,
  fromExecution(outcome, { operation, request }) {
    const { correlationId } = request;
    if (outcome.stream !== undefined) return toParts(outcome, correlationId);
    return toBytes(outcome, correlationId, isPersonal(operation, request) ? NO_ERRORS_PERSONAL : NO_ERRORS);
  },
  fromCache: (outcome, run) => ({
    body: outcome.cached.body,
    facts: NO_ERRORS,
    cached: outcome,
    memo: createRequestMemo(run, outcome.place),
  }),
};

export const OBJECT_FORM: ResponseForm<ObjectResult> = {
  isText: false,
  fromExecution: (outcome, { request }) => toObject(outcome, request.correlationId),
  fromCache: (outcome, _run, varyingHeaders) => toKeepable(outcome, varyingHeaders),
};

/** Settles the charge for an operation that was executed, and makes its response. */
export type Respond = <Result extends BytesResult | ObjectResult>(
  outcome: Outcome,
  run: OperationRun,
  form: ResponseForm<Result>,
) => Result;

export interface RespondOptions {
  readonly locator: ErrorLocator;
  /** Whether a client gets the cost of its operation on request. */
  readonly reportsCost: boolean;
  /** Request headers that select different responses, in lower case. */
  readonly varyingHeaders: readonly string[];
}

/** Request header with which a client requests the cost of its operation. Its value is ignored. */
const COST_HEADER = 'gatefold-cost';

export function createRespond({ locator, reportsCost, varyingHeaders }: RespondOptions): Respond {
  return (outcome, run, form) => {
    if (outcome.cached !== undefined) {
      settleCached(run, outcome);
      return form.fromCache(outcome, run, varyingHeaders);
    }
    const { request, document } = run;
    const reported = reportsCost && wantsCost(request) ? withCost(outcome, run) : outcome;
    const { stream } = reported;
    if (reported.errors.length === 0 && stream === undefined) {
      const result = form.fromExecution(reported, run);
      settle(run, outcome, reported === outcome && 'body' in result ? result.body : undefined);
      return result;
    }
    settle(run, outcome);
    // REST error responses have no field for locations.
    if (request.door === 'rest') return form.fromExecution(reported, run);
    const locate = (errors: readonly ExecutionError[]) => locator.locateErrors(errors, document, request.operationName);
    const located = { ...reported, errors: locate(reported.errors) };
    return form.fromExecution(stream === undefined ? located : { ...located, stream: locateParts(stream, locate) }, run);
  };
}

/** Whether the client requests the cost of its operation. The cost is that of an execution, so a cache hit is not used. */
export function wantsCost({ headers }: Pick<OperationRequest, 'headers'>): boolean {
  return COST_HEADER in headers;
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
  { kind, caching, authorisation }: Pick<PreparedOperation, 'kind' | 'caching' | 'authorisation'>,
  { principal, queryOnly }: Pick<OperationRequest, 'principal' | 'queryOnly'>,
): boolean {
  if (kind !== 'query' || (caching !== undefined && queryOnly === true)) return false;
  return principal.kind !== 'anonymous' || authorisation !== undefined;
}

/** Adds the cost. The cost of an incremental response is not known yet. */
function withCost(outcome: OutcomeInParts, { operation, variables, estimated }: OperationRun): OutcomeInParts {
  if (outcome.stream !== undefined) return outcome;
  return { ...outcome, cost: { estimated, actual: operation.actualCost(JSON.parse(outcome.data), variables) } };
}

/**
 * Makes the response as text. The data was printed by the execution and is not parsed again.
 *
 * @param facts facts of a response without errors
 */
export function toBytes({ data, errors, cost }: OutcomeInParts, requestId: string, facts: ResultFacts = NO_ERRORS): BytesResult {
  const extensions = cost === undefined ? '' : `,"extensions":${JSON.stringify({ cost })}`;
  if (errors.length === 0) return { body: `{"data":${data}${extensions}}`, facts };
  const printed = JSON.stringify(errors.map((error) => toOperationError(error, requestId)));
  return { body: `{"errors":${printed},"data":${data}${extensions}}`, facts: factsOf(errors) };
}

/** Makes the initial payload as text, with the stream of the further payloads. */
function toParts({ stream, ...first }: OutcomeInParts, requestId: string): BytesResult {
  const { body, facts } = toBytes(first, requestId);
  if (stream === undefined) return { body, facts };
  return { body: `${body.slice(0, -1)},"hasNext":${stream.hasNext}}`, facts, later: toLater(stream, requestId) };
}

function toLater(stream: PartStream, requestId: string): LaterParts {
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
function toObject({ data, errors }: ExecutionOutcome, requestId: string): ObjectResult {
  const told = errors.map((error) => toOperationError(error, requestId));
  return printedResult(data, told, factsOf(errors));
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
function toKeepable({ cached }: CachedOutcome, varyingHeaders: readonly string[]): ObjectResult {
  const text = cached.body.slice('{"data":'.length, -1);
  return printedResult(text, [], { errorCodes: [], cachePolicy: cached.policy, varyingHeaders });
}

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
export function toRefusalErrors(error: GatewayError, requestId: string): readonly OperationError[] {
  const faults: readonly OperationFault[] = error instanceof OperationRefused ? error.faults : [error];
  return faults.map(({ message, locations, cost }): OperationError => {
    const extensions = { code: error.code, requestId, ...(cost === undefined ? {} : { cost }) };
    return locations === undefined || locations.length === 0 ? { message, extensions } : { message, locations, extensions };
  });
}
