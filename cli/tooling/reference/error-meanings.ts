import type { ErrorCode } from '../../../gateway/platform/errors.ts';

/** Cause of an error, and the action of the client or the operator, for the reference page. */
interface ErrorMeaning {
  readonly cause: string;
  readonly action: string;
}

/** Meaning of each code of the catalogue. The type requires an entry for a new code. */
export const ERROR_MEANINGS: Readonly<Record<ErrorCode, ErrorMeaning>> = {
  GRAPHQL_PARSE_FAILED: { cause: 'The document is not valid GraphQL syntax.', action: 'Correct the document at the reported location.' },
  GRAPHQL_VALIDATION_FAILED: { cause: 'The document is not valid against the schema.', action: 'Correct the document.' },
  BAD_REQUEST: { cause: 'The request is malformed: JSON, parameters, headers or encoding.', action: 'Correct the request.' },
  BAD_USER_INPUT: { cause: 'A variable or an argument has an invalid value.', action: 'Correct the value that the message names.' },
  UNKNOWN_PARAMETER: { cause: 'The query string has a parameter that the endpoint does not accept.', action: 'Remove the parameter.' },
  INVALID_PARAMETER: {
    cause: 'A parameter, a header or a field of the body has an invalid value.',
    action: 'Correct the fields that `details` lists.',
  },
  PAGINATION_CONFLICT: { cause: 'The request combines parameters of page numbers and of cursors.', action: 'Use one kind of pagination.' },
  PAGE_TOO_DEEP: { cause: 'The page starts beyond `rest.maxOffset`.', action: 'Use cursors.' },
  VERSION_CONFLICT: { cause: 'The request names different API versions.', action: 'Name one version.' },
  OPERATION_RESOLUTION_FAILURE: {
    cause: 'The document has no operation of that name, or several operations and no name.',
    action: 'Send the right `operationName`.',
  },
  CSRF_BLOCKED: {
    cause: 'The request could have been sent by any website.',
    action: 'Send `Content-Type: application/json`, or a header such as `Apollo-Require-Preflight`.',
  },
  BATCHING_DISABLED: {
    cause: 'The body is a batch of operations, and batching is disabled.',
    action: 'Send one operation for each request, or set `graphql.maxBatchedOperations`.',
  },
  INTROSPECTION_DISABLED: {
    cause: 'The operation uses introspection, which is disabled.',
    action: 'Use the published schema, or set `graphql.introspection`.',
  },
  WEBHOOK_URL_FORBIDDEN: {
    cause: 'The URL of a webhook is not allowed as a target, such as an address of a private network.',
    action: 'Use a public HTTPS URL.',
  },
  TOKEN_LIMIT_EXCEEDED: { cause: 'The document has too many tokens.', action: 'Send a smaller document, or raise `graphql.maxTokens`.' },
  DEPTH_LIMIT_EXCEEDED: { cause: 'The operation is nested too deeply.', action: 'Reduce the depth, or raise `limits.maxDepth`.' },
  ALIAS_LIMIT_EXCEEDED: { cause: 'The operation has too many aliases.', action: 'Use fewer aliases, or raise `limits.maxAliases`.' },
  ROOT_FIELD_LIMIT_EXCEEDED: {
    cause: 'The operation has too many root fields.',
    action: 'Split the operation, or raise `limits.maxRootFields`.',
  },
  SELECTION_LIMIT_EXCEEDED: {
    cause: 'The operation selects too many fields.',
    action: 'Select fewer fields, or raise `limits.maxSelections`.',
  },
  DIRECTIVE_LIMIT_EXCEEDED: {
    cause: 'The document has too many directives, in total or at one location.',
    action: 'Use fewer directives.',
  },
  COST_LIMIT_EXCEEDED: {
    cause: 'The estimated cost is above the limit.',
    action:
      'Request smaller pages of the list that the message names, or fewer nested lists. The operator can define its size with `@listSize`, or raise `limits.maxCost`.',
  },
  CONNECTOR_REQUEST_LIMIT_EXCEEDED: {
    cause: 'The operation needs more requests to one source of a connector than `connectors.maxRequestsPerOperation`.',
    action: 'Request fewer objects, or smaller pages. The operator can raise the limit, or add a batch connector.',
  },
  SUBGRAPH_RESPONSE_LIMIT_EXCEEDED: {
    cause: 'The responses of subgraphs to the operation are larger in total than `subgraphs.maxResponseBytesPerOperation`.',
    action: 'Request fewer objects, or smaller pages. The operator can raise the limit.',
  },
  PERSISTED_QUERY_NOT_FOUND: {
    cause: 'The gateway does not have the document of this hash.',
    action: 'Send the document with its hash; client libraries do this automatically.',
  },
  PERSISTED_QUERY_NOT_SUPPORTED: { cause: 'Automatic persisted queries are disabled.', action: 'Send the document without a hash.' },
  PERSISTED_QUERY_HASH_MISMATCH: { cause: 'The hash is not the SHA-256 of the document.', action: 'Hash the exact text that is sent.' },
  PERSISTED_QUERY_ID_REQUIRED: { cause: 'The gateway accepts trusted documents by id only.', action: 'Send the id from the manifest.' },
  PERSISTED_QUERY_NOT_IN_LIST: { cause: 'The document, or the id, is in no manifest.', action: 'Deploy the manifest that contains it.' },
  IDEMPOTENCY_KEY_REQUIRED: {
    cause: 'The operation requires an `Idempotency-Key`.',
    action: 'Send the header with a new key for each intended effect.',
  },
  IDEMPOTENCY_KEY_INVALID: {
    cause: 'The idempotency key is empty, too long, or has invalid characters.',
    action: 'Send a key such as a UUID.',
  },
  UNAUTHENTICATED: { cause: 'Credentials are missing or invalid.', action: 'Send valid credentials.' },
  TOKEN_EXPIRED: { cause: 'The token has expired.', action: 'Refresh the token.' },
  FORBIDDEN: { cause: 'The caller has no permission for the field or the endpoint.', action: 'Use an account with the permission.' },
  TLS_REQUIRED: { cause: 'The request was not sent over TLS.', action: 'Use `https://`.' },
  NOT_FOUND: { cause: 'The resource, or the path, does not exist, or is not visible to the caller.', action: 'Check the URL and the id.' },
  METHOD_NOT_ALLOWED: {
    cause: 'The endpoint does not accept this method, or a GET request has a mutation.',
    action: 'Use a method of the header `Allow`.',
  },
  NOT_ACCEPTABLE: {
    cause: 'The endpoint has no representation that the header `Accept` allows.',
    action: 'Accept one of the listed media types.',
  },
  REQUEST_TIMEOUT: { cause: 'The request did not arrive completely in time.', action: 'Send it again.' },
  CONFLICT: { cause: 'The change conflicts with the state of the resource.', action: 'Read the resource, then decide.' },
  VERSION_MISMATCH: {
    cause: 'The resource has changed since the version that the request names.',
    action: 'Read the resource again, then repeat the change.',
  },
  PRECONDITION_FAILED: { cause: 'A precondition such as `If-Unmodified-Since` is false.', action: 'Read the resource again.' },
  IDEMPOTENCY_IN_PROGRESS: {
    cause: 'A request with this idempotency key is still being processed.',
    action: 'Retry after `Retry-After` with the same key.',
  },
  OUTCOME_UNKNOWN: {
    cause: 'An earlier request with this key ended without a known result: it may have had its effect.',
    action: 'Check the effect before you use a new key.',
  },
  GONE: { cause: 'The resource, or the API version, has been removed.', action: 'Use the successor that the response links to.' },
  PAYLOAD_TOO_LARGE: { cause: 'The body is larger than `server.maxBodyBytes`.', action: 'Send a smaller body.' },
  URI_TOO_LONG: { cause: 'The request target is longer than `server.maxUrlBytes`.', action: 'Use POST or a persisted operation.' },
  UNSUPPORTED_MEDIA_TYPE: {
    cause: 'The endpoint does not read this `Content-Type` or `Content-Encoding`.',
    action: 'Send one of the media types that the message lists.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    cause: 'The idempotency key was used for a different request.',
    action: 'Use a new key for each intended effect.',
  },
  PRECONDITION_REQUIRED: { cause: 'The endpoint requires `If-Match`.', action: 'Send the `ETag` of the representation that was read.' },
  RATE_LIMITED: { cause: 'The budget of the caller is exhausted.', action: 'Retry after `Retry-After`.' },
  SUBSCRIPTION_LIMIT: {
    cause: 'Too many streams are open: in total, for the address or for the caller.',
    action: 'Close streams, or retry later.',
  },
  HEADERS_TOO_LARGE: { cause: 'The headers of the request are too large.', action: 'Send fewer or shorter headers.' },
  INTERNAL_SERVER_ERROR: { cause: 'An unexpected error occurred. Its message is in the log only.', action: 'Report the request id.' },
  METHOD_NOT_IMPLEMENTED: { cause: 'The gateway does not know the HTTP method.', action: 'Use a standard method.' },
  SUBSCRIPTION_SCHEMA_RELOAD: { cause: 'A new supergraph no longer supports the subscription.', action: 'Subscribe again.' },
  EVENTS_MAY_BE_MISSED: {
    cause: 'Events may have been lost between two connections.',
    action: 'Fetch the current state, then continue with the stream.',
  },
  SUBGRAPH_UNAVAILABLE: { cause: 'A subgraph could not be reached.', action: 'Retry after a delay.' },
  SUBGRAPH_TIMEOUT: { cause: 'A subgraph did not respond in time.', action: 'Retry after a delay, or raise `subgraphs.requestTimeoutMs`.' },
  SUBGRAPH_INVALID_RESPONSE: {
    cause: 'The response of a subgraph is not a valid GraphQL response.',
    action: 'Correct the subgraph; the reason is in the log.',
  },
  CIRCUIT_OPEN: { cause: 'The circuit breaker of a subgraph is open after repeated failures.', action: 'Retry after a delay.' },
  GATEWAY_TIMEOUT: { cause: 'The operation did not complete within `graphql.operationTimeoutMs`.', action: 'Request less data, or retry.' },
  OVERLOADED: { cause: 'The gateway is at a limit of memory, connections or queues, or shuts down.', action: 'Retry after `Retry-After`.' },
  MAINTENANCE: { cause: 'The gateway is in maintenance mode.', action: 'Retry after `Retry-After`.' },
  AUTH_UNAVAILABLE: { cause: 'Credentials or policies could not be checked.', action: 'Retry after a delay.' },
  IDEMPOTENCY_UNAVAILABLE: {
    cause: 'The store of idempotency keys is unavailable, so the request was not executed.',
    action: 'Retry with the same key.',
  },
  NO_SUPERGRAPH: { cause: 'The gateway has not loaded a supergraph yet.', action: 'Retry after a delay; check the supergraph source.' },
};
