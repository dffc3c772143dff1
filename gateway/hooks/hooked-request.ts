import type { Principal } from '../platform/principal.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';

/** Request of one caller, as its hooks see it. All hooks of a request receive the same object. */
export interface HookedRequest {
  readonly transport: 'graphql' | 'rest' | 'websocket' | 'sse' | 'multipart';
  readonly principal: Principal;
  readonly correlationId: string;
  /** Address of the connection, which may be that of a proxy. Undefined for operations of the application. */
  readonly remoteAddress: string | undefined;
  /** Headers of the request, with the changes of `onRequest`. */
  readonly headers: RequestHeaders;
  /** Operation name that the client sent. */
  readonly operationName: string | undefined;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Data of hooks, to pass it from one hook of the request to another. */
  readonly state: Map<unknown, unknown>;
}

/** Operation that hooks of later stages see. */
export interface HookedOperation {
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly name: string | undefined;
}

/** Cost of an operation. @unit points */
export interface ReportedCost {
  readonly estimated: number;
  readonly actual: number;
}

type Facts = Omit<HookedRequest, 'state'>;

/** State of one request with hooks: what hooks see, and whether one of them changed the request. */
export class RequestState implements HookedRequest {
  readonly transport: HookedRequest['transport'];
  readonly principal: Principal;
  readonly correlationId: string;
  readonly remoteAddress: string | undefined;
  readonly operationName: string | undefined;
  readonly signal: AbortSignal;
  headers: RequestHeaders;
  /** Whether a hook changed the headers or the variables. Caches between client and gateway do not know the change. */
  isChanged = false;
  /** Defined when the operation is prepared. */
  operation: HookedOperation | undefined;
  /** Computes the cost from the data. Defined when the operation was executed for this request. */
  costOf: ((data: unknown) => ReportedCost) | undefined;
  #state: Map<unknown, unknown> | undefined;

  constructor({ transport, principal, correlationId, remoteAddress, headers, operationName, signal }: Facts) {
    this.transport = transport;
    this.principal = principal;
    this.correlationId = correlationId;
    this.remoteAddress = remoteAddress;
    this.headers = headers;
    this.operationName = operationName;
    this.signal = signal;
  }

  get state(): Map<unknown, unknown> {
    this.#state ??= new Map();
    return this.#state;
  }
}
