import type { CallerBudget } from '../budget/caller-budget.ts';
import type { PreparedDocument } from '../generation/prepared-document.ts';

/**
 * Pays for preparing a document that is not known yet. A caller who has nothing left is refused before the document is parsed and validated,
 * which takes longer than anything else that is done for a request that is refused.
 *
 * @returns points that were paid; a promise only where budgets are not in this process
 * @throws GatewayError `RATE_LIMITED`, also as a rejection
 */
export function payDocument(budget: CallerBudget | undefined, document: string | PreparedDocument): Promise<number> | number {
  if (budget === undefined) return 0;
  return budget.payDocument((typeof document === 'string' ? document : document.text).length);
}
