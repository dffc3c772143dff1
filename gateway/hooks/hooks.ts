import type { MaybePromise } from '../platform/maybe-promise.ts';
import type { HookedRequest, ReportedCost } from './hooked-request.ts';

/** Changes of request headers by lower-case name. Null removes a header. */
export type HeaderChanges = Readonly<Record<string, string | null>>;

/** Result of a hook: the changes that the gateway applies, or nothing. */
export type HookResult<Changes = never> = MaybePromise<Changes | undefined | void>;

/** Changes that `onRequest` can return. */
export interface RequestChanges {
  /** Headers that all later stages see: rules that propagate headers, cache partitions and other hooks. */
  readonly headers?: HeaderChanges;
}

/** A validated operation, before its caller is charged. */
export interface OperationHookContext {
  readonly request: HookedRequest;
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** Name of the operation. Undefined for an anonymous operation. */
  readonly name: string | undefined;
  /** Text of the document as the client sent it, or as it is stored. */
  readonly document: string;
  /** Variables as the client sent them, not yet coerced. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Changes that `onOperation` can return. */
export interface OperationChanges {
  /** Variables that replace all variables of the client. They are coerced and checked like those of a client. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** A query plan that was just made. It is shared by all callers, so it names none. */
export interface PlanHookContext {
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** Text of the operation as it was planned: without the name, the aliases and the literals of a client. */
  readonly document: string;
  readonly fetches: readonly PlanHookFetch[];
}

/** A request to a subgraph in a query plan. */
export interface PlanHookFetch {
  readonly subgraph: string;
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** Indices of the fetches that must finish first. */
  readonly dependsOn: readonly number[];
}

/** A request to a subgraph, before it is sent. */
export interface SubgraphRequestHookContext {
  readonly subgraph: string;
  /** Coordinate of the connector that sends HTTP requests for this request, such as `Query.book`. Undefined for a GraphQL server. */
  readonly connector?: string;
  readonly kind: 'query' | 'mutation';
  /** Request as JSON text with `query` and `variables`. */
  readonly body: string;
  /** Request of the client. Undefined while an event is executed, because its result is for all subscribers of a shared stream. */
  readonly request: HookedRequest | undefined;
}

/** Changes that `onSubgraphRequest` can return. */
export interface SubgraphRequestChanges {
  /** Headers of this request, which override those of `subgraphs.headers`. */
  readonly headers?: HeaderChanges;
}

/** An error in the response of a subgraph, reduced to what clients may see. */
export interface HookSubgraphError {
  readonly message: string;
  readonly code: string;
  readonly path?: readonly (string | number)[];
}

/** A valid response of a subgraph. */
export interface SubgraphResponseHookContext {
  readonly subgraph: string;
  /** Coordinate of the connector that sent HTTP requests. Undefined for a GraphQL server. */
  readonly connector?: string;
  readonly kind: 'query' | 'mutation';
  /** Request of the client. Undefined while an event is executed, because its result is for all subscribers of a shared stream. */
  readonly request: HookedRequest | undefined;
  /** HTTP status. Undefined when entities of the cache replaced the request, or when a connector sent several requests. */
  readonly status: number | undefined;
  /** Response headers by lower-case name. Empty when entities of the cache replaced the request. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Member `extensions` of the response, as the subgraph sent it. */
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly errors: readonly HookSubgraphError[];
  /** Returns a copy of the data. Changing the copy has no effect unless it is returned. */
  data(): Record<string, unknown> | null | undefined;
}

/** Changes that `onSubgraphResponse` can return. */
export interface SubgraphResponseChanges {
  /** Data that replaces that of the subgraph. */
  readonly data?: Readonly<Record<string, unknown>> | null;
  /** Errors that replace those of the subgraph. Their messages and codes are sent to clients. */
  readonly errors?: readonly HookSubgraphError[];
}

/** The result of a query or a mutation, or the rejection of any operation. */
export interface ResponseHookContext {
  readonly request: HookedRequest;
  /** Kind of the operation. Undefined when the document was rejected before the operation was known, or when a memo served the request. */
  readonly kind: 'query' | 'mutation' | 'subscription' | undefined;
  /** Name of the operation. */
  readonly name: string | undefined;
  /** Codes of `errors`, in order. For a rejected operation, the code of the rejection. */
  readonly errorCodes: readonly string[];
  /** Whether the operation was rejected. The response then has no data. */
  readonly isRejected: boolean;
  /** Whether HTTP caches may store the response. With a change, they may not. */
  readonly isCacheable: boolean;
  /**
   * Returns the cost of an operation that was executed for this request. Computing the actual cost parses the response.
   *
   * @returns undefined for other responses
   */
  cost(): ReportedCost | undefined;
}

/** Changes that `onResponse` can return. */
export interface ResponseChanges {
  /** Headers of the HTTP response. They have no effect on WebSockets, and in a batch. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Members of `extensions`. They have no effect on REST responses and on rejected operations. */
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** An event of a subscription, before it is sent to one client. */
export interface EventHookContext {
  readonly request: HookedRequest;
  /** Id with which the client resumes after this event. */
  readonly eventId: string | undefined;
  readonly errorCodes: readonly string[];
  /** Returns a copy of the data. Parses the event, which other subscribers of the stream share, for this client. */
  data(): Record<string, unknown> | null;
}

/** Changes that `onEvent` can return. */
export interface EventChanges {
  /** Data that replaces that of the event, for this client only. */
  readonly data?: Readonly<Record<string, unknown>> | null;
}

/**
 * Code of a team that runs at fixed points of each request, on every transport. All hooks may be asynchronous and have the deadline
 * `hooks.timeoutMs`. A GatewayError that a hook throws is sent to the client. Any other error is logged, and the client receives
 * `INTERNAL_SERVER_ERROR` with a constant message.
 */
export interface Hooks {
  /**
   * Runs once for each operation, when the caller is authenticated and before the document is known. Returns changes of the headers.
   * Throwing rejects the operation.
   */
  readonly onRequest?: (request: HookedRequest) => HookResult<RequestChanges>;
  /**
   * Runs once for each operation, when the document is valid and before the caller is charged. Returns other variables. Throwing rejects the
   * operation.
   */
  readonly onOperation?: (operation: OperationHookContext) => HookResult<OperationChanges>;
  /** Runs when an operation was planned, which is once and not for each request. Throwing rejects the plan and the operations that wait for it. */
  readonly onPlan?: (plan: PlanHookContext) => HookResult;
  /** Runs before each request to a subgraph. Returns changes of its headers. Throwing makes the request fail. */
  readonly onSubgraphRequest?: (request: SubgraphRequestHookContext) => HookResult<SubgraphRequestChanges>;
  /** Runs for each valid response of a subgraph, before it is merged. Returns other data or errors. Throwing makes the request fail. */
  readonly onSubgraphResponse?: (response: SubgraphResponseHookContext) => HookResult<SubgraphResponseChanges>;
  /**
   * Runs once for each operation before its response is written, also for a rejected operation. Returns headers and extensions. Throwing
   * replaces the response by the error.
   */
  readonly onResponse?: (response: ResponseHookContext) => HookResult<ResponseChanges>;
  /** Runs for each event and each client. Returns other data, or false to drop the event. Throwing ends the stream of the client. */
  readonly onEvent?: (event: EventHookContext) => HookResult<EventChanges | false>;
}

/** Name of a hook. */
export type HookName = keyof Hooks;

/** All names, in the order in which the hooks of a request run. */
export const HOOK_NAMES: readonly HookName[] = [
  'onRequest',
  'onOperation',
  'onPlan',
  'onSubgraphRequest',
  'onSubgraphResponse',
  'onResponse',
  'onEvent',
];
