import { GatewayError } from '../platform/errors.ts';
import { systemErrorCode } from '../platform/file-errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { SubgraphContext, SubgraphRequest } from '../supergraph/subgraph-executor.ts';
import { MalformedResponse } from './connection/errors.ts';

/** What a line of the log says of the request it is about. */
function factsOf({ subgraph, context }: SubgraphRequest): Readonly<Record<string, string>> {
  return { subgraph, requestId: context.correlationId };
}

/** Logs a failed request, unless the same was logged for the same operation and subgraph. */
export type FailureLog = (request: SubgraphRequest, facts: Readonly<Record<string, unknown>>, message: string) => void;

/**
 * Creates a log with one line for each operation, subgraph and message: an operation may send many requests to a subgraph
 * that fails, and a line with a stack for each of them costs more than the requests.
 */
export function createFailureLog(logger: Logger): FailureLog {
  const logged = new WeakMap<SubgraphContext, Set<string>>();
  return (request, facts, message) => {
    const { context, subgraph } = request;
    let known = logged.get(context);
    if (known === undefined) logged.set(context, (known = new Set()));
    const identity = `${subgraph} ${message}`;
    if (known.has(identity)) return;
    known.add(identity);
    logger.warn({ ...factsOf(request), ...facts }, message);
  };
}

/** What policies ask of a failure; none of it leaves the gateway. */
export interface FailureFacts {
  /** The subgraph was not there, or not able to take requests: what a circuit breaker counts. */
  readonly isOutage: boolean;
  /** No answer had begun, or one that says that the request was not taken: a query may be sent again. */
  readonly mayRepeat: boolean;
  /** The request never left the gateway. @defaultValue that is not known */
  readonly isUnsent?: boolean;
  /** What the subgraph asked for by `Retry-After`. @unit milliseconds */
  readonly retryAfterMs?: number | undefined;
}

/**
 * Asking a subgraph has failed. The texts are constant: which subgraph it was, and what it said, is in `cause` for the log
 * and not for clients.
 */
export class SubgraphFailure extends GatewayError {
  readonly facts: FailureFacts;

  constructor(code: keyof typeof MESSAGES, cause: unknown, facts: FailureFacts) {
    super(code, MESSAGES[code], { cause, headers: HEADERS });
    this.facts = facts;
  }
}

const HEADERS = { 'retry-after': '1' };

const MESSAGES = {
  SUBGRAPH_UNAVAILABLE: 'A service behind this gateway cannot be reached.',
  SUBGRAPH_TIMEOUT: 'A service behind this gateway took too long to answer.',
  SUBGRAPH_INVALID_RESPONSE: 'A service behind this gateway gave an answer that cannot be used.',
} as const;

/** The subgraph answered that it cannot take requests. */
export function subgraphRefused(cause: unknown, retryAfterMs?: number): SubgraphFailure {
  return new SubgraphFailure('SUBGRAPH_UNAVAILABLE', cause, { isOutage: true, mayRepeat: true, retryAfterMs });
}

/** The subgraph failed at this request. */
export function subgraphUnavailable(cause: unknown): SubgraphFailure {
  return new SubgraphFailure('SUBGRAPH_UNAVAILABLE', cause, { isOutage: true, mayRepeat: false });
}

/** The gateway itself holds the request back: the subgraph knows nothing of it. */
export function subgraphBusy(cause: unknown): SubgraphFailure {
  return new SubgraphFailure('SUBGRAPH_UNAVAILABLE', cause, { isOutage: false, mayRepeat: false, isUnsent: true });
}

/** There was no response by the deadline. @param where whether the subgraph is to blame, and whether it had the request at all */
export function subgraphTimeout(cause: unknown, where: { readonly isOutage: boolean; readonly isUnsent?: boolean }): SubgraphFailure {
  return new SubgraphFailure('SUBGRAPH_TIMEOUT', cause, { ...where, mayRepeat: false });
}

/** The gateway does not receive a response, because the caller has left too many others unread. The subgraph is not to blame. */
export function responseRefused(): GatewayError {
  return new GatewayError(
    'OVERLOADED',
    'The response of a service is not received: too many responses wait to be read. Read those of your connections, and try again in a moment.',
    { headers: HEADERS },
  );
}

/** Not an outage: one client could ask for what the subgraph cannot answer well, and shut it off for all others. */
export function subgraphInvalidResponse(cause: unknown): SubgraphFailure {
  return new SubgraphFailure('SUBGRAPH_INVALID_RESPONSE', cause, { isOutage: false, mayRepeat: false });
}

/** The connection was not made, or broke: then nothing says that the request was worked on. */
const REPEATABLE = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

/**
 * What a connection failed with. An answer that breaks off, or that is not HTTP, is nonsense; everything else is no
 * answer.
 *
 * @param hasBegun whether the head of the answer had come
 */
export function toSubgraphFailure(error: unknown, hasBegun: boolean): SubgraphFailure {
  if (error instanceof SubgraphFailure) return error;
  if (hasBegun || error instanceof MalformedResponse) return subgraphInvalidResponse(error);
  return REPEATABLE.has(systemErrorCode(error) ?? '') ? subgraphRefused(error) : subgraphUnavailable(error);
}

/** How a connection fails that was not made. */
const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Whether it is certain that the subgraph knows nothing of the request. */
export function wasNeverSent(failure: unknown): boolean {
  if (!(failure instanceof SubgraphFailure)) return failure instanceof GatewayError && failure.code === 'CIRCUIT_OPEN';
  return failure.facts.isUnsent === true || NEVER_CONNECTED.has(systemErrorCode(failure.cause) ?? '');
}
