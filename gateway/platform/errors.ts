/**
 * The one catalogue of error codes, for every face: GraphQL `extensions.code`, REST `error`, WebSocket `error`
 * messages, webhook delivery records. A code is public and stable; renaming one is a breaking change.
 *
 * `status` is the HTTP status of a REST answer, and of a `/graphql` answer in which no part of the operation ran
 * (there the media type has a say too: see `gateway/http/graphql/http-response.ts`).
 */
const ERROR_STATUSES = {
  GRAPHQL_PARSE_FAILED: 400,
  GRAPHQL_VALIDATION_FAILED: 400,
  BAD_REQUEST: 400,
  BAD_USER_INPUT: 400,
  UNKNOWN_PARAMETER: 400,
  INVALID_PARAMETER: 400,
  PAGINATION_CONFLICT: 400,
  PAGE_TOO_DEEP: 400,
  VERSION_CONFLICT: 400,
  OPERATION_RESOLUTION_FAILURE: 400,
  CSRF_BLOCKED: 400,
  BATCHING_DISABLED: 400,
  INTROSPECTION_DISABLED: 400,
  WEBHOOK_URL_FORBIDDEN: 400,
  TOKEN_LIMIT_EXCEEDED: 400,
  DEPTH_LIMIT_EXCEEDED: 400,
  ALIAS_LIMIT_EXCEEDED: 400,
  ROOT_FIELD_LIMIT_EXCEEDED: 400,
  SELECTION_LIMIT_EXCEEDED: 400,
  DIRECTIVE_LIMIT_EXCEEDED: 400,
  COST_LIMIT_EXCEEDED: 400,
  PERSISTED_QUERY_NOT_FOUND: 200,
  PERSISTED_QUERY_NOT_SUPPORTED: 200,
  PERSISTED_QUERY_HASH_MISMATCH: 400,
  PERSISTED_QUERY_ID_REQUIRED: 400,
  PERSISTED_QUERY_NOT_IN_LIST: 404,
  IDEMPOTENCY_KEY_REQUIRED: 400,
  IDEMPOTENCY_KEY_INVALID: 400,
  UNAUTHENTICATED: 401,
  TOKEN_EXPIRED: 401,
  FORBIDDEN: 403,
  TLS_REQUIRED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  VERSION_MISMATCH: 409,
  PRECONDITION_FAILED: 412,
  IDEMPOTENCY_IN_PROGRESS: 409,
  OUTCOME_UNKNOWN: 409,
  GONE: 410,
  PAYLOAD_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_KEY_REUSED: 422,
  PRECONDITION_REQUIRED: 428,
  RATE_LIMITED: 429,
  SUBSCRIPTION_LIMIT: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_SERVER_ERROR: 500,
  METHOD_NOT_IMPLEMENTED: 501,
  SUBSCRIPTION_SCHEMA_RELOAD: 503,
  EVENTS_MAY_BE_MISSED: 503,
  SUBGRAPH_UNAVAILABLE: 503,
  SUBGRAPH_TIMEOUT: 503,
  SUBGRAPH_INVALID_RESPONSE: 503,
  CIRCUIT_OPEN: 503,
  GATEWAY_TIMEOUT: 503,
  OVERLOADED: 503,
  MAINTENANCE: 503,
  AUTH_UNAVAILABLE: 503,
  IDEMPOTENCY_UNAVAILABLE: 503,
  NO_SUPERGRAPH: 503,
} as const;

/** A code of the catalogue. */
export type ErrorCode = keyof typeof ERROR_STATUSES;

/**
 * Codes of the catalogue that a subgraph may set: they are about the caller's request, the object, or an event stream, and a subgraph
 * decides those. `SUBGRAPH_…` is how a subgraph reports a service behind itself. All other codes are about the exchange between client and
 * gateway (authentication of the gateway, its limits, its overload, its documents), and a subgraph that sets one must not make a client
 * believe that the gateway has refused its request. A new code is not in this list until somebody decides that it belongs here.
 */
const CODES_OF_SUBGRAPHS: ReadonlySet<string> = new Set<ErrorCode>([
  'BAD_REQUEST',
  'BAD_USER_INPUT',
  'INVALID_PARAMETER',
  'PAGINATION_CONFLICT',
  'PAGE_TOO_DEEP',
  'WEBHOOK_URL_FORBIDDEN',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'GONE',
  'CONFLICT',
  'VERSION_MISMATCH',
  'PRECONDITION_FAILED',
  'PRECONDITION_REQUIRED',
  'IDEMPOTENCY_KEY_REQUIRED',
  'IDEMPOTENCY_KEY_INVALID',
  'IDEMPOTENCY_KEY_REUSED',
  'OUTCOME_UNKNOWN',
  'RATE_LIMITED',
  'EVENTS_MAY_BE_MISSED',
  'SUBGRAPH_UNAVAILABLE',
  'SUBGRAPH_TIMEOUT',
  'SUBGRAPH_INVALID_RESPONSE',
]);

/** Whether a subgraph may set a code without being configured for it. */
export function isCodeOfSubgraphs(code: string): code is ErrorCode {
  return CODES_OF_SUBGRAPHS.has(code);
}

/** The text a client reads instead of the message of an error that was not written for clients. */
export const INTERNAL_ERROR_MESSAGE = 'Something went wrong on our side. Quote the request id when you report it.';

/** What goes with `EVENTS_MAY_BE_MISSED` at every door: nothing is away, and trying again brings nothing back. */
export const EVENTS_MISSED_MESSAGE = 'Events may have been missed. Ask for what they would have told.';

/** Whether `code` stands in the catalogue. */
export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERROR_STATUSES, code);
}

/** All codes, for documentation and tests. */
export const ERROR_CODES = Object.keys(ERROR_STATUSES) as readonly ErrorCode[];

/** HTTP status that goes with a code. */
export function statusOf(code: ErrorCode): number {
  return ERROR_STATUSES[code];
}

export interface GatewayErrorOptions {
  /** What led to it; logged, never sent. */
  readonly cause?: unknown;
  /** Response headers that belong to the refusal: `allow`, `retry-after`, `www-authenticate`. Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What was wrong, field by field. */
  readonly details?: readonly ErrorDetail[];
  /** Where the request makes it another one than the code's own: a version that does not fit is 412 to whoever sent a precondition. */
  readonly status?: number;
}

/** One field at fault, under the name the client knows it by. */
export interface ErrorDetail {
  readonly field: string;
  readonly message: string;
}

/**
 * A refusal or failure with a code of the catalogue. Its message is written for the client and is sent as it stands;
 * any other error that reaches a door is logged and answered as `INTERNAL_SERVER_ERROR` with a constant text.
 *
 * It has a stack trace only where the status is 500 or above. A refusal is explained by its message, and capturing a stack trace would be
 * one of the most expensive parts of refusing a request.
 */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: readonly ErrorDetail[];

  constructor(code: ErrorCode, message: string, options: GatewayErrorOptions = {}) {
    const status = options.status ?? ERROR_STATUSES[code];
    const { stackTraceLimit } = Error;
    if (status < 500) Error.stackTraceLimit = 0;
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'GatewayError';
    this.code = code;
    this.status = status;
    this.headers = options.headers ?? {};
    this.details = options.details ?? [];
  }
}
