import type { QueryPlan } from '@apollo/query-planner';
import type { DocumentNode } from 'graphql';

/** Turns valid operations into query plans. Asynchronous, because planning need not happen in this thread. */
export interface Planner extends AsyncDisposable {
  /**
   * @param document one operation, valid by the public schema, and the fragments it uses
   * @throws OperationRefused when the operation is too large to be planned
   * @throws OperationUnplannable when it cannot be planned, which is never the caller's mistake
   * @throws Error when planning failed this time, and may not the next
   */
  plan(document: DocumentNode, operationName?: string): Promise<QueryPlan>;
}
