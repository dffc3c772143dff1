import type { OwnWrites } from '../platform/cache-policy.ts';
import type { Principal } from '../platform/principal.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';

/** What of the client's request goes along with every request to a subgraph. */
export interface SubgraphContext {
  readonly principal: Principal;
  readonly correlationId: string;
  readonly headers: RequestHeaders;
  /** Address of the connection over which the request came. @defaultValue unknown */
  readonly remoteAddress?: string;
  /** Tells an anonymous writer from others. Reads have none: they are the same for all anonymous callers. @defaultValue nothing */
  readonly session?: string;
  /** What of stored data the caller must not be given. @defaultValue nothing */
  readonly writes?: OwnWrites | undefined;
  /** Hears that a mutation was certainly not sent: to ask for it again is safe. @defaultValue nobody wants to know */
  readonly onUnsent?: (() => void) | undefined;
}

/** One GraphQL request to one subgraph. */
export interface SubgraphRequest {
  /** Name of the subgraph as the supergraph spells it. */
  readonly subgraph: string;
  /** A `subscription` is what one event of a stream is the answer to: whoever runs the event answers it, no subgraph is asked. */
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** The request as JSON text: `{"query":…,"variables":…,"operationName":…}`. */
  readonly body: string;
  /** The fetch of a plan that sends it: the same object for each of its requests. @defaultValue none, it is a request of its own */
  readonly fetch?: object;
  readonly context: SubgraphContext;
  /** Whether anybody wants to know how long the answer stays fresh. @defaultValue false: nothing of it is read */
  readonly wantsFreshness?: boolean;
}

/** An error of a subgraph, reduced to what may be read further: nothing else of it leaves the client. */
export interface SubgraphError {
  readonly message: string;
  /** Where in the subgraph's own answer, if it said so. */
  readonly path?: readonly (string | number)[];
  readonly code: string;
  /** Name of the subgraph, of an error that passes in development only. @defaultValue the error may be read by clients */
  readonly subgraph?: string;
}

/** A well-formed answer. `data` is null or absent when the subgraph answered with errors only. */
export interface SubgraphResponse {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly SubgraphError[];
  /** True when no string of `data` has a character that JSON must escape, so that strings can be printed as they are. */
  readonly needsNoEscape?: boolean;
  /** `Cache-Control`, where it was wanted and sent. */
  readonly cacheControl?: string | undefined;
  /** `Cache-Tag`, where it was wanted and sent: names with commas between them. */
  readonly cacheTags?: string | undefined;
}

/**
 * Sends a request to a subgraph. Policies (deadline, retry, …) wrap one executor in another.
 *
 * @throws GatewayError `SUBGRAPH_UNAVAILABLE`, `SUBGRAPH_TIMEOUT`, `SUBGRAPH_INVALID_RESPONSE` or `CIRCUIT_OPEN`; the reason
 * of the signal when that ended the request
 */
export type SubgraphExecutor = (request: SubgraphRequest, signal: AbortSignal) => Promise<SubgraphResponse>;
