/**
 * Catalog of error codes for all interfaces: GraphQL `extensions.code`, REST `error`, WebSocket `error` messages and webhook delivery
 * records. Codes are public and stable; renaming one is a breaking change.
 *
 * The value is the HTTP status of a REST response, and of a `/graphql` response in which no part of the operation was executed. For
 * `/graphql`, the status also depends on the media type: see `gateway/http/graphql/http-response.ts`.
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
  CONNECTOR_REQUEST_LIMIT_EXCEEDED: 400,
  SUBGRAPH_RESPONSE_LIMIT_EXCEEDED: 400,
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

/** Error code of the catalog. */
export type ErrorCode = keyof typeof ERROR_STATUSES;

/**
 * Codes of the catalog that a subgraph may set. They are about the caller's request, the object or an event stream, which a subgraph
 * decides. With `SUBGRAPH_…`, a subgraph reports a failure of a service behind it. All other codes are about the exchange between client
 * and gateway: authentication, limits, overload and documents. A subgraph must not make a client believe that the gateway has rejected its
 * request. New codes are not in this list by default.
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

/** Whether a subgraph may set a code without additional configuration. */
export function isCodeOfSubgraphs(code: string): code is ErrorCode {
  return CODES_OF_SUBGRAPHS.has(code);
}

/** Message that clients receive instead of the message of an internal error. */
export const INTERNAL_ERROR_MESSAGE = 'An internal error occurred. Include the request id when you report it.';

/** Message of `EVENTS_MAY_BE_MISSED` for all transports. No service is unavailable, and a retry does not return the missed events. */
export const EVENTS_MISSED_MESSAGE = 'Events may have been missed. Query the current data.';

/** Whether `code` is in the catalog. */
export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERROR_STATUSES, code);
}

/** All codes, for documentation and tests. */
export const ERROR_CODES = Object.keys(ERROR_STATUSES) as readonly ErrorCode[];

/** Returns the HTTP status of a code. */
export function statusOf(code: ErrorCode): number {
  return ERROR_STATUSES[code];
}

export interface GatewayErrorOptions {
  /** Cause of the error. It is logged, but never sent to clients. */
  readonly cause?: unknown;
  /** Response headers of the error, such as `allow`, `retry-after` or `www-authenticate`. Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Validation issues by field. */
  readonly details?: readonly ErrorDetail[];
  /** Setting of the configuration that decided, such as `limits.maxDepth`. It is logged, but never sent to clients. */
  readonly setting?: string | undefined;
  /** Status that replaces the one of the code. For example, a version conflict is 412 if the client sent a precondition. */
  readonly status?: number;
}

/** Validation issue of one field, with the field name that the client uses. */
export interface ErrorDetail {
  readonly field: string;
  readonly message: string;
}

/**
 * Error with a code of the catalog. Its message is written for clients and is sent unchanged. Any other error is logged, and clients
 * receive `INTERNAL_SERVER_ERROR` with a constant message.
 *
 * It has a stack trace only if the status is 500 or above. For other errors the message is sufficient, and capturing a stack trace would be
 * one of the most expensive parts of rejecting a request.
 */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: readonly ErrorDetail[];
  /** Setting that decided, for the log. @defaultValue undefined: the error does not depend on a setting. */
  readonly setting: string | undefined;

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
    this.setting = options.setting;
  }
}
