import type { OwnWrites } from '../platform/cache-policy.ts';
import type { OperationRecorder } from '../platform/operation-recorder.ts';
import type { Principal } from '../platform/principal.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';

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
  /** Called when a mutation was certainly not sent, so that it is safe to send it again. @defaultValue none */
  readonly onUnsent?: (() => void) | undefined;
}

/** A GraphQL request to one subgraph. */
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
  /** Whether to read the lifetime of the response. @defaultValue false */
  readonly wantsFreshness?: boolean;
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

/** A well-formed response. `data` is null or absent when the subgraph returned only errors. */
export interface SubgraphResponse {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly SubgraphError[];
  /** True when no string of `data` contains a character that JSON must escape, so that strings can be printed unchanged. */
  readonly needsNoEscape?: boolean;
  /** Header `Cache-Control`, if it was requested and sent. */
  readonly cacheControl?: string | undefined;
  /** Header `Cache-Tag`, if it was requested and sent: names separated by commas. */
  readonly cacheTags?: string | undefined;
}

/**
 * Sends a request to a subgraph. Policies (timeout, retry, …) wrap an executor.
 *
 * @throws GatewayError `SUBGRAPH_UNAVAILABLE`, `SUBGRAPH_TIMEOUT`, `SUBGRAPH_INVALID_RESPONSE` or `CIRCUIT_OPEN`; the reason of the signal
 * when it aborted the request
 */
export type SubgraphExecutor = (request: SubgraphRequest, signal: AbortSignal) => Promise<SubgraphResponse>;
