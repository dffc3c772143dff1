import type { OperationTypeNode } from 'graphql';
import type { OperationAuthorisation } from '../authorisation/operation-authorisation.ts';
import type { OperationCachePolicy } from '../cache/compile-cache-policy.ts';
import type { ExecutableOperation } from '../execution/executable-operation.ts';
import type { Principal } from '../platform/principal.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';

/** How answers to an operation may be kept. */
export interface OperationCaching {
  /** Whatever the values of its variables are. */
  readonly policy: OperationCachePolicy;
  /** Equal for operations that ask for the same under the same response keys. */
  readonly id: string;
}

/** What tells callers apart who wait for plans. */
export interface AskingCaller {
  readonly principal: Principal;
  readonly headers: RequestHeaders;
  readonly remoteAddress?: string;
}

/** For whom an operation is planned. */
export interface ExecutionCaller {
  /** What `authorisation` decided about the caller. @defaultValue what it decides about one without credentials */
  readonly access?: string | undefined;
  /** Who waits for the plan where there is none yet. @defaultValue a caller without a name */
  readonly asking?: AskingCaller | undefined;
}

/** One operation of a valid document, with all that does not depend on the request. */
export interface PreparedOperation {
  readonly kind: `${OperationTypeNode}`;
  /** Whether it asks for `__schema` or `__type` anywhere. */
  readonly isIntrospecting: boolean;
  /**
   * From the response keys of what is executed to the client's; the same map each time.
   *
   * @defaultValue every response key is the client's own
   */
  readonly aliases?: ReadonlyMap<string, string>;
  /**
   * It is for one request, and nothing is to be kept for `aliases`.
   *
   * @defaultValue false
   */
  readonly isPassing?: boolean;
  /** Of a subscription: equal for those that ask for the same under the same response keys. Absent for other operations. */
  readonly streamId?: string;
  /**
   * Labels of `@override` on which its plan depends.
   *
   * @defaultValue none
   */
  readonly labels?: readonly string[];
  /**
   * Decides what of it a caller may see.
   *
   * @defaultValue nothing of it is guarded
   */
  readonly authorisation?: Pick<OperationAuthorisation, 'policies' | 'decide' | 'keyOf' | 'describe'>;
  /**
   * How its answers may be kept.
   *
   * @defaultValue not at all
   */
  readonly caching?: OperationCaching;
  /** Labels of stored data that a mutation may change. @defaultValue none */
  readonly writtenLabels?: readonly string[] | undefined;
  /**
   * Whether something of it comes later than the rest where the client takes that, for variables as `coerceVariables` gave them.
   *
   * @defaultValue never: it has no `@defer`
   */
  readonly isDeferred?: (variables: Readonly<Record<string, unknown>>) => boolean;
  /**
   * What it is executed with, for a request.
   *
   * @throws OperationRefused `BAD_USER_INPUT`
   */
  coerceVariables(raw: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /**
   * What it may cost to answer, before it runs. A look-up where no variable has a say.
   *
   * @param variables as `coerceVariables` gave them
   * @unit points
   * @throws OperationRefused `BAD_USER_INPUT` for a page that is too large, or without the size that the schema asks for
   */
  cost(variables: Readonly<Record<string, unknown>>): number;
  /** The same with pages as large as they may be. @unit points @throws as `cost` */
  worstCost(): number;
  /**
   * Whether anything in the schema has a cost of its own. Where nothing has, a query costs a point for each object of its answer.
   *
   * @defaultValue false
   */
  readonly isWeighted?: boolean;
  /**
   * What an answer cost, by the formula of `cost` over the items that it has. Takes a walk through the answer.
   *
   * @param data as the client gets it
   * @param variables as `coerceVariables` gave them
   * @unit points
   */
  actualCost(data: unknown, variables: Readonly<Record<string, unknown>>): number;
  /**
   * Planned and compiled at the first call for its conditions; callers at the same time share the work. No promise where it
   * is known already.
   *
   * @param variables as `coerceVariables` gave them: those of `@skip` and `@include` decide what is planned
   * @param labels those of `labels` that are on, in their order
   * @param isDeferring whether what stands under `@defer` comes later; by default it comes with the rest
   * @param caller for whom it is; by default, one without credentials and without a name
   * @throws GatewayError `BAD_USER_INPUT` when a variable of `@skip` or `@include`, or of `@defer` where it counts, is null
   * @throws OperationRefused, and OperationUnplannable, again at each call and without trying again
   * @throws Error when planning failed this time
   */
  executable(
    variables: Readonly<Record<string, unknown>>,
    labels: readonly string[],
    isDeferring?: boolean,
    caller?: ExecutionCaller,
  ): ExecutableOperation | Promise<ExecutableOperation>;
}
