import type { QueryPlan } from '@apollo/query-planner';
import type { DocumentNode } from 'graphql';

/** Turns valid operations into query plans. Asynchronous, because planning need not happen in this thread. */
export interface Planner extends AsyncDisposable {
  /**
   * @param document one operation, valid by the public schema, and the fragments it uses
   * @throws Error when the operation cannot be planned; never the caller's mistake, but for one that nests too deeply
   */
  plan(document: DocumentNode, operationName?: string): Promise<QueryPlan>;
}
