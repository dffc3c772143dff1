import type { OperationTypeNode } from 'graphql';
import type { OperationAuthorization } from '../authorization/operation-authorization.ts';
import type { OperationCachePolicy } from '../cache/compile-cache-policy.ts';
import type { ExecutableOperation } from '../execution/executable-operation.ts';
import type { ExpensiveList } from '../operation/cost/most-expensive-list.ts';
import type { Principal } from '../platform/principal.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';

/** Caching data of an operation. */
export interface OperationCaching {
  /** Cache policy, which does not depend on the values of the variables. */
  readonly policy: OperationCachePolicy;
  /** ID that is equal for operations with equal selections and response keys. */
  readonly id: string;
}

/** Data that distinguishes callers that wait for plans. */
export interface PlanningCaller {
  readonly principal: Principal;
  readonly headers: RequestHeaders;
  readonly remoteAddress?: string;
}

/** Caller that an operation is planned for. */
export interface ExecutionCaller {
  /** Decision of `authorization` about the caller. @defaultValue The decision about a caller without credentials. */
  readonly access?: string | undefined;
  /** Caller that waits for the plan if it does not exist yet. @defaultValue undefined: an anonymous caller. */
  readonly planningCaller?: PlanningCaller | undefined;
}

/** One operation of a valid document, with everything that does not depend on the request. */
export interface PreparedOperation {
  readonly kind: `${OperationTypeNode}`;
  /** Name in the document of the client, for the log. @defaultValue undefined: The operation is anonymous. */
  readonly name?: string;
  /** Whether the operation selects `__schema` or `__type` at any level. */
  readonly isIntrospecting: boolean;
  /**
   * Map from the response keys of the executed operation to the client's response keys; always the same map.
   *
   * @defaultValue undefined: The response keys are equal.
   */
  readonly aliases?: ReadonlyMap<string, string>;
  /**
   * Whether the operation is for one request only, so that no data is cached for `aliases`.
   *
   * @defaultValue false
   */
  readonly isTransient?: boolean;
  /** ID of a subscription that is equal for equal selections and response keys. Absent for other operations. */
  readonly streamId?: string;
  /**
   * Labels of `@override` that the plan depends on.
   *
   * @defaultValue []
   */
  readonly labels?: readonly string[];
  /**
   * Decides which fields a caller is permitted to see.
   *
   * @defaultValue undefined: The operation has no guarded fields.
   */
  readonly authorization?: Pick<OperationAuthorization, 'policies' | 'decide' | 'keyOf' | 'describe'>;
  /**
   * Caching data of the responses.
   *
   * @defaultValue undefined: Responses are not cached.
   */
  readonly caching?: OperationCaching;
  /** Labels of stored data that a mutation can change. @defaultValue [] */
  readonly writtenLabels?: readonly string[] | undefined;
  /**
   * Whether parts of the response are deferred when the client accepts that, for variables returned by `coerceVariables`.
   *
   * @defaultValue undefined: The operation has no `@defer`.
   */
  readonly isDeferred?: (variables: Readonly<Record<string, unknown>>) => boolean;
  /**
   * Coerces the variables of a request and adds the literals of the operation.
   *
   * @throws OperationRejected `BAD_USER_INPUT` when a variable is invalid
   */
  coerceVariables(raw: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /**
   * Estimates the cost of the operation before it runs. Without influence of variables, this is a lookup.
   *
   * @param variables Variables returned by `coerceVariables`.
   * @unit points
   * @throws OperationRejected `BAD_USER_INPUT` for a page that is too large, or without the page size that the schema requires
   */
  cost(variables: Readonly<Record<string, unknown>>): number;
  /**
   * Finds the list that contributes the most to the estimate of `cost`. Used only for the message of a rejection.
   *
   * @param variables Variables returned by `coerceVariables`.
   */
  mostExpensiveList(variables: Readonly<Record<string, unknown>>): ExpensiveList | undefined;
  /** Estimates the cost with the maximum page sizes. @unit points @throws the same errors as `cost` */
  worstCost(): number;
  /**
   * Whether the schema assigns custom costs. Without them, a query costs one point per object of its response.
   *
   * @defaultValue false
   */
  readonly isCounted?: boolean;
  /**
   * Computes the cost of a response by the formula of `cost`, with the actual number of items. Walks through the response.
   *
   * @param data Data as sent to the client.
   * @param variables Variables returned by `coerceVariables`.
   * @unit points
   */
  actualCost(data: unknown, variables: Readonly<Record<string, unknown>>): number;
  /**
   * Returns the compiled operation. It is planned and compiled at the first call for its conditions, and concurrent callers share the work.
   * Returns no promise when the result is cached.
   *
   * @param variables Variables returned by `coerceVariables`. Those of `@skip` and `@include` select the plan.
   * @param labels Active labels of `labels`, in their order.
   * @param isDeferring Whether fragments with `@defer` are delivered later. By default they are part of the initial response.
   * @param caller Caller of the operation. By default, an anonymous caller without credentials.
   * @throws GatewayError `BAD_USER_INPUT` when a variable of `@skip`, `@include` or an active `@defer` is null
   * @throws OperationRejected or OperationUnplannable, at each call, without planning again
   * @throws Error when planning failed this time
   */
  executable(
    variables: Readonly<Record<string, unknown>>,
    labels: readonly string[],
    isDeferring?: boolean,
    caller?: ExecutionCaller,
  ): ExecutableOperation | Promise<ExecutableOperation>;
}
