import type { CallerBudget } from '../budget/caller-budget.ts';
import type { PreparedOperation } from '../generation/prepared-operation.ts';
import type { CachedOutcome } from './operation-request.ts';
import type { OutcomeInParts } from './run-in-parts.ts';

/** An operation with the variables that it ran with. */
export interface SettledOperation {
  readonly prepared: PreparedOperation;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** To look at what a cheaper operation did cost is dearer than what it would get back. @unit points */
export const SETTLED_FROM = 10;

/** Gives back what an operation did not cost; of an answer in parts that is not known yet. */
export function settle(
  budget: CallerBudget,
  { prepared, variables }: SettledOperation,
  estimated: number,
  { data, stream }: OutcomeInParts,
): void {
  if (stream !== undefined) return;
  const isPlain = prepared.kind === 'query' && prepared.isWeighted !== true;
  budget.settle(prepared.kind, estimated, isPlain ? countObjects(data) : prepared.actualCost(JSON.parse(data), variables));
}

/** What was there already costs as little as anything can. */
export function settleCached(
  { executed }: CachedOutcome,
  operation: SettledOperation,
  { budget, estimated }: { readonly budget: CallerBudget | undefined; readonly estimated: number },
): void {
  if (executed === undefined) budget?.settle(operation.prepared.kind, estimated, 0);
  else if (budget !== undefined && estimated >= SETTLED_FROM) settle(budget, operation, estimated, executed);
}

/** Objects below the root, without reading the text as JSON. A brace within a string counts too: it gives back less, never more. */
function countObjects(data: string): number {
  let count = -1;
  for (let at = data.indexOf('{'); at !== -1; at = data.indexOf('{', at + 1)) count += 1;
  return count;
}
