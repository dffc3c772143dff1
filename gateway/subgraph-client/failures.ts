import { GatewayError } from '../platform/errors.ts';
import { systemErrorCode } from '../platform/file-errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { HttpResult, SubgraphContext, SubgraphRequest } from '../supergraph/subgraph-executor.ts';
import { MalformedResponse } from './connection/connection-errors.ts';

/** Returns the log fields that identify a request. */
function factsOf({ subgraph, context }: SubgraphRequest): Readonly<Record<string, string>> {
  return { subgraph, requestId: context.correlationId };
}

/** Logs a failed request, unless the same message was already logged for the same operation and subgraph. */
export type FailureLog = (request: SubgraphRequest, facts: Readonly<Record<string, unknown>>, message: string) => void;

/**
 * Creates a log with one line per operation, subgraph and message. One operation can send many requests to a failing subgraph, and logging
 * a stack trace for each of them costs more than the requests.
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

/** Properties of a failure for the retry and circuit breaker policies. Clients never see them. */
export interface FailureFacts {
  /** Whether the subgraph was unavailable or could not accept requests. Circuit breakers count these failures. */
  readonly isOutage: boolean;
  /** Whether a query can be sent again: no response had started, or the response reports that the request was not accepted. */
  readonly mayRepeat: boolean;
  /** Whether the request never left the gateway. @defaultValue undefined: unknown. */
  readonly isUnsent?: boolean;
  /** Delay that the subgraph requested by `Retry-After`. @unit milliseconds */
  readonly retryAfterMs?: number | undefined;
  /** Response with a status that means a failure, of a back end that is not a GraphQL server. @defaultValue none was received */
  readonly received?: HttpResult | undefined;
}

/**
 * Failure of a request to a subgraph. Clients see constant texts. The name of the subgraph and its response are in `cause`, for the log
 * only.
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
  SUBGRAPH_TIMEOUT: 'A service behind this gateway did not respond in time.',
  SUBGRAPH_INVALID_RESPONSE: 'A service behind this gateway returned an invalid response.',
} as const;

/** Creates the failure for a subgraph that does not accept requests. */
export function subgraphRejected(cause: unknown, retryAfterMs?: number): SubgraphFailure {
  return new SubgraphFailure('SUBGRAPH_UNAVAILABLE', cause, { isOutage: true, mayRepeat: true, retryAfterMs });
}

/** Creates the failure for a subgraph that failed at this request. */
export function subgraphUnavailable(cause: unknown): SubgraphFailure {
  return new SubgraphFailure('SUBGRAPH_UNAVAILABLE', cause, { isOutage: true, mayRepeat: false });
}

/** Creates the failure for a request that the gateway itself held back. The subgraph did not receive it. */
export function subgraphBusy(cause: unknown): SubgraphFailure {
  return new SubgraphFailure('SUBGRAPH_UNAVAILABLE', cause, { isOutage: false, mayRepeat: false, isUnsent: true });
}

/** Creates the failure for a missed deadline. @param where Whether the subgraph is responsible, and whether it received the request. */
export function subgraphTimeout(cause: unknown, where: { readonly isOutage: boolean; readonly isUnsent?: boolean }): SubgraphFailure {
  return new SubgraphFailure('SUBGRAPH_TIMEOUT', cause, { ...where, mayRepeat: false });
}

/**
 * Creates the error for a response that the gateway does not read because the caller has too many unread responses. The subgraph is not
 * responsible.
 */
export function responseRejected(): GatewayError {
  return new GatewayError(
    'OVERLOADED',
    'The gateway rejected the response of a service, because too many responses on your connections wait to be read. Read them and try again.',
    { headers: HEADERS },
  );
}

/** Creates the error for a query that is not sent, or whose response is not received, because of the limit of its operation. */
export function responseLimitExceeded(maxBytes: number): GatewayError {
  return new GatewayError(
    'SUBGRAPH_RESPONSE_LIMIT_EXCEEDED',
    `The operation needs more than ${maxBytes} bytes of data from the services behind this gateway. Request fewer objects.`,
  );
}

/**
 * Creates the failure for an invalid response. It is not an outage. Otherwise, one client could send a query that the subgraph handles
 * badly and thereby block the subgraph for all clients.
 */
export function subgraphInvalidResponse(cause: unknown): SubgraphFailure {
  return new SubgraphFailure('SUBGRAPH_INVALID_RESPONSE', cause, { isOutage: false, mayRepeat: false });
}

/** Error codes of connections that were not established or were broken. They do not mean that the request was processed. */
const REPEATABLE = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

/**
 * Converts a connection error. A truncated response or a response that is not HTTP is an invalid response. Any other error means that there
 * was no response.
 *
 * @param hasBegun Whether the head of the response had arrived.
 */
export function toSubgraphFailure(error: unknown, hasBegun: boolean): SubgraphFailure {
  if (error instanceof SubgraphFailure) return error;
  if (hasBegun || error instanceof MalformedResponse) return subgraphInvalidResponse(error);
  return REPEATABLE.has(systemErrorCode(error) ?? '') ? subgraphRejected(error) : subgraphUnavailable(error);
}

/** Error codes of connections that were never established. */
const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Whether the subgraph certainly did not receive the request. */
export function wasNeverSent(failure: unknown): boolean {
  if (!(failure instanceof SubgraphFailure)) return failure instanceof GatewayError && failure.code === 'CIRCUIT_OPEN';
  return failure.facts.isUnsent === true || NEVER_CONNECTED.has(systemErrorCode(failure.cause) ?? '');
}
