import type { CallerBudget } from '../budget/caller-budget.ts';
import type { Generation } from '../generation/generation.ts';
import type { PreparedDocument } from '../generation/prepared-document.ts';
import type { PreparedOperation } from '../generation/prepared-operation.ts';
import type { SubgraphExecutor } from '../supergraph/subgraph-executor.ts';
import type { OperationRequest } from './operation-request.ts';

/** A request whose document is prepared. Its generation is pinned until the request has ended. */
export interface PreparedRequest {
  /** Request of the transport. A hook can replace it before the operation is charged. */
  request: OperationRequest;
  readonly document: string | PreparedDocument;
  readonly generation: Generation;
  readonly operation: PreparedOperation;
  readonly budget: CallerBudget;
  /** Charge for preparing the document, which counts towards the charge for the operation. @unit points */
  readonly documentCharge: number;
  /** Whether the caller was charged for the operation. */
  isSpent: boolean;
}

/** An operation that is charged and authorized: the context of all later stages. */
export interface OperationRun extends Omit<PreparedRequest, 'documentCharge' | 'isSpent'> {
  /** Coerced variables. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Estimated cost, which was charged. @unit points */
  readonly estimated: number;
  /** Decision about the caller's permissions. Undefined when the operation has no rules. */
  readonly access: string | undefined;
  /** Active labels of `@override`. */
  readonly labels: readonly string[];
  /** Sends requests to subgraphs. */
  readonly executor: SubgraphExecutor;
}
