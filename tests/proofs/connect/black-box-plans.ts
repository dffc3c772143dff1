import type { Checkout } from './checkout.ts';
import { type ActionResult, runPlan } from './run-plan.ts';

/** Folder of the plans. Those of connectors have a name that begins with this. */
const FOLDER = 'apollo-router/tests/samples/enterprise';
const PREFIX = `${FOLDER}/connectors`;

/**
 * Runs the plans of the corpus: a gateway with a supergraph and the translated configuration, requests of clients, and back ends with recorded
 * responses. Data, paths of errors and requests to back ends must be equal.
 *
 * @returns whether there is no difference without a known reason
 */
export async function proveBlackBoxPlans(checkout: Checkout, print: (line: string) => void): Promise<boolean> {
  const folders = checkout
    .list(FOLDER)
    .filter((path) => path.startsWith(PREFIX) && path.endsWith('/plan.json'))
    .map((path) => path.slice(0, -'/plan.json'.length));
  const all: ActionResult[] = [];
  const lines: string[] = [];
  let requests = 0;
  for (const folder of folders) {
    const result = await runPlan(checkout, folder);
    requests += result.requests;
    all.push(...result.actions);
    for (const [index, { action, unexplained, explained }] of result.actions.entries()) {
      const where = `${folder.slice(FOLDER.length + 1)}, action ${String(index + 1)} (${action})`;
      for (const difference of unexplained) lines.push(`  different: ${where}: ${difference}`);
      for (const difference of explained) lines.push(`  ${where}: ${difference}`);
    }
  }
  const sent = all.filter(({ action }) => action === 'Request');
  const different = all.filter(({ unexplained }) => unexplained.length > 0);
  const explained = sent.filter((one) => one.explained.length > 0 && one.unexplained.length === 0);
  const equal = sent.filter((one) => one.unexplained.length === 0);
  print(
    `Black-box plans: ${String(folders.length)} plans with ${String(sent.length)} requests of clients and ` +
      `${String(requests)} requests to back ends. Equal in data, paths of errors and requests: ${String(equal.length)}, ` +
      `${String(explained.length)} of them with listed properties of one router. Different actions: ${String(different.length)}.`,
  );
  for (const line of lines) print(line);
  return sent.length > 0 && different.length === 0;
}
