import type { OperationDefinitionNode, OperationTypeNode } from 'graphql';
import type { ExecutableOperation } from '../execution/executable-operation.ts';

/** One operation of a valid document, with all that does not depend on the request. */
export interface PreparedOperation {
  readonly operation: OperationDefinitionNode;
  readonly kind: `${OperationTypeNode}`;
  /** Whether it asks for `__schema` or `__type` anywhere. */
  readonly isIntrospecting: boolean;
  /** @throws OperationRefused `BAD_USER_INPUT` */
  coerceVariables(raw: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /**
   * Planned and compiled at the first call; callers at the same time share the work.
   *
   * @throws OperationRefused, and OperationUnplannable, again at each call and without trying again
   * @throws Error when planning failed this time
   */
  executable(): Promise<ExecutableOperation>;
}
