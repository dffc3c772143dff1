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

/** Form of a response: as JSON text, or as values. */
export interface ResponseForm<Result> {
  /** Whether the response is wanted as text: such a response can be cached, and delivered incrementally. */
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
  /** Headers of clients by which responses differ, in lower case. */
  readonly varyingHeaders: readonly string[];
}

/** Header by which a client requests the cost of its operation, whatever its value. */
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
    // A REST response has no place for locations.
    if (request.door === 'rest') return form.fromExecution(reported, run);
    const locate = (errors: readonly ExecutionError[]) => locator.locateErrors(errors, document, request.operationName);
    const located = { ...reported, errors: locate(reported.errors) };
    return form.fromExecution(stream === undefined ? located : { ...located, stream: locateParts(stream, locate) }, run);
  };
}

/** Tells if the client requests the cost of its operation, which is that of an execution and not of a cache hit. */
export function wantsCost({ headers }: Pick<OperationRequest, 'headers'>): boolean {
  return COST_HEADER in headers;
}

/** Length from which a body is sent in a turn of its own. @unit bytes, or UTF-16 code units of a text */
const LONG_BODY = 262_144;

/** Hands on a result with a long body in the next turn: to encode and send it takes as long again as to print it. */
export function afterLongBody<Result extends BytesResult | ObjectResult>(result: Result): MaybePromise<Result> {
  return 'body' in result && result.body.length >= LONG_BODY ? nextTurn().then(() => result) : result;
}

/**
 * Tells if a response without errors belongs to its caller, who may store it and validates it each time. Where the operation has a
 * policy that HTTP could have followed, a subgraph has withdrawn it: then nobody may store the response.
 */
function isPersonal(
  { kind, caching, authorisation }: Pick<PreparedOperation, 'kind' | 'caching' | 'authorisation'>,
  { principal, queryOnly }: Pick<OperationRequest, 'principal' | 'queryOnly'>,
): boolean {
  if (kind !== 'query' || (caching !== undefined && queryOnly === true)) return false;
  return principal.kind !== 'anonymous' || authorisation !== undefined;
}

/** Adds the cost; that of an incremental response is not known yet. */
function withCost(outcome: OutcomeInParts, { operation, variables, estimated }: OperationRun): OutcomeInParts {
  if (outcome.stream !== undefined) return outcome;
  return { ...outcome, cost: { estimated, actual: operation.actualCost(JSON.parse(outcome.data), variables) } };
}

/**
 * The response put together as text: the data was printed by the execution and is not read again.
 *
 * @param facts of it when it has no errors
 */
export function toBytes({ data, errors, cost }: OutcomeInParts, requestId: string, facts: ResultFacts = NO_ERRORS): BytesResult {
  const extensions = cost === undefined ? '' : `,"extensions":${JSON.stringify({ cost })}`;
  if (errors.length === 0) return { body: `{"data":${data}${extensions}}`, facts };
  const printed = JSON.stringify(errors.map((error) => toOperationError(error, requestId)));
  return { body: `{"errors":${printed},"data":${data}${extensions}}`, facts: factsOf(errors) };
}

/** The first part of a response as text, and the way to the others. */
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

/** The members in the order in which the incremental delivery draft names them. */
function printPatch({ label, path, data, errors }: DeferredPatch, requestId: string): string {
  const named = label === undefined ? '' : `"label":${JSON.stringify(label)},`;
  const failed = errors.length === 0 ? '' : `,"errors":${JSON.stringify(errors.map((error) => toOperationError(error, requestId)))}`;
  return `{${named}"path":${JSON.stringify(path)},"data":${data}${failed}}`;
}

/** The response as values. */
function toObject({ data, errors }: ExecutionOutcome, requestId: string): ObjectResult {
  const told = errors.map((error) => toOperationError(error, requestId));
  return printedResult(data, told, factsOf(errors));
}

/** A response that is printed: it is read when somebody wants its values. */
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

/** The same for an answer that HTTP may keep. */
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

/** What the `errors` of a response say of a request that was refused. */
export function toRefusalErrors(error: GatewayError, requestId: string): readonly OperationError[] {
  const faults: readonly OperationFault[] = error instanceof OperationRefused ? error.faults : [error];
  return faults.map(({ message, locations, cost }): OperationError => {
    const extensions = { code: error.code, requestId, ...(cost === undefined ? {} : { cost }) };
    return locations === undefined || locations.length === 0 ? { message, extensions } : { message, locations, extensions };
  });
}
