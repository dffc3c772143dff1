import type { Checkout } from './checkout.ts';
import { readRouterTests } from './router-test-reader.ts';
import type { RouterTest } from './router-vocabulary.ts';
import { runRouterTest } from './run-router-test.ts';

/**
 * Runs the tests of connectors of the other router: operations on composed supergraphs, with mocked back ends. Data, paths of errors and
 * requests to back ends must be equal.
 *
 * @returns whether there is no difference without a known reason
 */
export async function proveRouterTests(checkout: Checkout, print: (line: string) => void): Promise<boolean> {
  const tests = readRouterTests(checkout);
  const lines: string[] = [];
  const count = { run: 0, equal: 0, explained: 0, requests: 0 };
  let isEqual = true;
  for (const { file, test } of tests) {
    const name = `${file} ${test.name}`;
    const reason = reasonNotToRun(test);
    if (reason !== undefined) {
      lines.push(`  not run: ${name}: ${reason}`);
      continue;
    }
    count.run += 1;
    const { unexplained, explained, requests } = await runRouterTest(test).catch((error: unknown) => ({
      unexplained: [error instanceof Error ? error.message : String(error)],
      explained: [],
      requests: 0,
    }));
    count.requests += requests;
    if (unexplained.length === 0) count.equal += 1;
    else isEqual = false;
    if (unexplained.length === 0 && explained.length > 0) count.explained += 1;
    for (const difference of unexplained) lines.push(`  different: ${name}: ${difference}`);
    for (const difference of explained) lines.push(`  ${name}: ${difference}`);
  }
  print(
    `Tests of the router: ${String(count.run)} of ${String(tests.length)} run, with ${String(count.requests)} requests to back ends. ` +
      `Equal in data, paths of errors and requests: ${String(count.equal)}, ` +
      `${String(count.explained)} of them with listed properties of one router.`,
  );
  for (const line of lines) print(line);
  return count.run > 0 && isEqual;
}

function reasonNotToRun({ unread, executions, expectedRequests }: RouterTest): string | undefined {
  if (unread.length > 0) return `not understood: ${[...new Set(unread)].join(', ')}`;
  const expects = expectedRequests.length > 0 || executions.some(({ expectations }) => expectations.length > 0);
  return expects ? undefined : 'it expects nothing of the response or of requests to back ends, only of telemetry or a coprocessor';
}
