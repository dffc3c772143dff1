import type { RequestState } from '../hooks/hooked-request.ts';
import type { OwnWrites } from '../platform/cache-policy.ts';
import type { OperationRecorder } from '../platform/operation-recorder.ts';
import type { Principal } from '../platform/principal.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import type { TraceHeaders } from '../platform/trace-context.ts';

/** Data of the client's request that is passed with every request to a subgraph. */
export interface SubgraphContext {
  readonly principal: Principal;
  readonly correlationId: string;
  readonly headers: RequestHeaders;
  /** Remote address of the client's connection. @defaultValue unknown */
  readonly remoteAddress?: string;
  /**
   * Distinguishes an anonymous writer from others. Reads have none, because they are the same for all anonymous callers.
   *
   * @defaultValue none
   */
  readonly session?: string;
  /** Stored data that must not be served to the caller because of the caller's recent writes. @defaultValue none */
  readonly writes?: OwnWrites | undefined;
  /** Records the operation. Set where telemetry is on. @defaultValue not recorded */
  readonly recorder?: OperationRecorder | undefined;
  /** State of the hooks of the request. Absent for events, which several clients share. @defaultValue none */
  readonly hooked?: RequestState | undefined;
  /** Called when a mutation was certainly not sent, so that it is safe to send it again. @defaultValue none */
  readonly onUnsent?: (() => void) | undefined;
}

/** Memory that one execution of an operation has used. */
export interface OperationUsage {
  /** Total size of the response bodies and of the cached entities that the execution has received. @unit bytes */
  responseBytes: number;
}

/** A request to one subgraph. */
export interface SubgraphRequest {
  /** Name of the subgraph, as in the supergraph. */
  readonly subgraph: string;
  /**
   * Type of the operation. A `subscription` produces the result of one event: the code that processes the event provides the result, and no
   * request is sent.
   */
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** Request as JSON text: `{"query":…,"variables":…,"operationName":…}`. */
  readonly body: string;
  /**
   * Fetch of a plan that sends the request: the same object for each of its requests.
   *
   * @defaultValue none: the request does not belong to a plan
   */
  readonly fetch?: object;
  readonly context: SubgraphContext;
  /**
   * Usage of the execution that sends the request. The executor adds the size of the response.
   *
   * @defaultValue none: the size is not limited for the execution
   */
  readonly usage?: OperationUsage | undefined;
  /**
   * Whether the request was made from data of an earlier response. During overload its response is processed before others, because the
   * earlier data stays in memory until then.
   *
   * @defaultValue false
   */
  readonly isDependent?: boolean | undefined;
  /** Changes of the headers by hooks; null removes a header. @defaultValue none */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Headers that continue the trace of the operation. @defaultValue `traceparent` of the client, if it sent one */
  readonly trace?: TraceHeaders | undefined;
  /** Whether to read the lifetime of the response. @defaultValue false */
  readonly wantsFreshness?: boolean | undefined;
  /**
   * Entities that the request fetches. Present only if their representations are the only variable, and if all requests of `fetch` have the
   * same text apart from the representations.
   *
   * @defaultValue none
   */
  readonly entities?: RequestedEntities | undefined;
  /** Request to a back end that is not a GraphQL server. `body` is its body, or empty. @defaultValue the request is a GraphQL request */
  readonly http?: HttpCall;
}

/** Entities of one field `_entities`. An executor that sends no GraphQL text takes the representations from here, without parsing. */
export interface RequestedEntities {
  /** Name of the variable that holds the representations. */
  readonly variableName: string;
  /** Creates the representations, each of another entity. @returns undefined if they are available in the text only */
  representations(): readonly Readonly<Record<string, unknown>>[] | undefined;
}

/** Methods of HTTP requests to back ends. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** An HTTP request to a back end of a subgraph with connectors. */
export interface HttpCall {
  /** Name of the source of the subgraph. It selects the origin. */
  readonly source: string;
  readonly method: HttpMethod;
  /** Path and query, encoded. They are sent unchanged. */
  readonly target: string;
  /** Header values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** URL template of the connector, for telemetry, which must not contain values of a request. */
  readonly template: string;
}

/** Response of a back end that is not a GraphQL server. */
export interface HttpResult {
  readonly status: number;
  /** Values by lower-case name. Several fields with one name are joined by commas. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Value of a JSON body, or text of a `text/plain` body. Undefined without a body, and if the body of an error cannot be read. */
  readonly body: unknown;
  /** True when no part of a string of `body` contains a character that JSON must escape. */
  readonly needsNoEscape?: boolean;
}

/** An error of a subgraph, reduced to the properties that may be exposed. */
export interface SubgraphError {
  readonly message: string;
  /** Path in the subgraph's response, if available. */
  readonly path?: readonly (string | number)[];
  readonly code: string;
  /** Name of the subgraph. Only set for errors that are exposed in development only. @defaultValue clients may read the error */
  readonly subgraph?: string;
}

/** Head of a response over HTTP. */
export interface SubgraphResponseHead {
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: RequestHeaders;
}

/** A well-formed response. `data` is null or absent when the subgraph returned only errors. */
export interface SubgraphResponse {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly SubgraphError[];
  /** True when no string of `data` contains a character that JSON must escape, so that strings can be printed unchanged. */
  readonly needsNoEscape?: boolean;
  /** Whether processing the response takes long enough to delay other requests. @defaultValue false */
  readonly isLarge?: boolean;
  /** Head of the response, for a client that exposes it. */
  readonly head?: SubgraphResponseHead;
  /** Member `extensions` of the response, for a client that exposes it. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** Header `Cache-Control`, if it was requested and sent. */
  readonly cacheControl?: string | undefined;
  /** Header `Cache-Tag`, if it was requested and sent: names separated by commas. */
  readonly cacheTags?: string | undefined;
  /** Response of a back end that is not a GraphQL server. It replaces `data` and `errors`. */
  readonly http?: HttpResult;
}

/**
 * Sends a request to a subgraph. Policies (timeout, retry, …) wrap an executor.
 *
 * @throws GatewayError `SUBGRAPH_UNAVAILABLE`, `SUBGRAPH_TIMEOUT`, `SUBGRAPH_INVALID_RESPONSE`, `SUBGRAPH_RESPONSE_LIMIT_EXCEEDED` or
 * `CIRCUIT_OPEN`; the reason of the signal when it aborted the request
 */
export type SubgraphExecutor = (request: SubgraphRequest, signal: AbortSignal) => Promise<SubgraphResponse>;
