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

/** What an operation returned. */
interface Returned {
  readonly outcome: OutcomeInParts;
  /**
   * The printed response, where it has `data` and nothing else. Counting in it is cheaper than in `data`: V8 joins the pieces of a text when it
   * is first read, which takes milliseconds for megabytes, and the body is read once more to be sent. @defaultValue objects are counted in `data`
   */
  readonly body?: string | undefined;
}

/** Gives back what an operation did not cost. The cost of a response in parts is not known yet: nothing is given back. */
export function settle(
  budget: CallerBudget,
  { prepared, variables }: SettledOperation,
  estimated: number,
  { outcome: { data, stream }, body }: Returned,
): void {
  if (stream !== undefined) return;
  const isPlain = prepared.kind === 'query' && prepared.isWeighted !== true;
  const actual = isPlain ? countObjects(data, body) : prepared.actualCost(JSON.parse(data), variables);
  budget.settle(prepared.kind, estimated, actual);
}

/** What was there already costs as little as anything can. */
export function settleCached(
  { executed }: CachedOutcome,
  operation: SettledOperation,
  { budget, estimated }: { readonly budget: CallerBudget | undefined; readonly estimated: number },
): void {
  if (executed === undefined) budget?.settle(operation.prepared.kind, estimated, 0);
  else if (budget !== undefined && estimated >= SETTLED_FROM) settle(budget, operation, estimated, { outcome: executed });
}

/** Counts objects below the root without parsing. A brace within a string counts too: less is given back then, never more. */
function countObjects(data: string, body: string | undefined): number {
  const text = body ?? data;
  let count = body === undefined ? -1 : -2;
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at + 1)) count += 1;
  return count;
}
