import type { Checkout } from './checkout.ts';
import { readRouterTests } from './router-test-reader.ts';
import type { RouterTest } from './router-vocabulary.ts';
import { runRouterTest } from './run-router-test.ts';

/** Reasons for different results that follow from a decision of the gateway, by file and test. */
const KNOWN_REASONS: ReadonlyMap<string, string> = new Map([
  [
    'content_type.rs other_content_type_maps_literal',
    'a successful response with text/html is an error of the gateway, because a page in place of data would become null',
  ],
  [
    'content_type.rs other_content_type_maps_raw_value_as_null',
    'a successful response with text/html is an error of the gateway, because a page in place of data would become null',
  ],
  [
    'url_properties.rs url_properties',
    'the gateway refuses a null segment of the argument path, because the request would go to another resource',
  ],
]);

/**
 * Runs the tests of connectors of the other router: operations on composed supergraphs, with mocked back ends. Data, paths of errors and
 * requests to back ends must be equal.
 *
 * @returns whether there is no difference without a known reason
 */
export async function proveRouterTests(checkout: Checkout, print: (line: string) => void): Promise<boolean> {
  const tests = readRouterTests(checkout);
  const lines: string[] = [];
  const properties = new Map<string, readonly string[]>();
  const count = { run: 0, equal: 0, explained: 0, known: 0, requests: 0 };
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
    const known = KNOWN_REASONS.get(name);
    if (unexplained.length === 0) count.equal += 1;
    else if (known !== undefined) count.known += 1;
    else isEqual = false;
    if (unexplained.length === 0 && explained.length > 0) count.explained += 1;
    if (unexplained.length > 0 && known !== undefined) lines.push(`  different for a known reason: ${name}: ${known}`);
    else for (const difference of unexplained) lines.push(`  different: ${name}: ${difference}`);
    for (const difference of explained) properties.set(difference, [...(properties.get(difference) ?? []), test.name]);
  }
  print(
    `Tests of the router: ${String(count.run)} of ${String(tests.length)} run, with ${String(count.requests)} requests to back ends. ` +
      `Equal in data, paths of errors and requests: ${String(count.equal)}, ` +
      `${String(count.explained)} of them with listed properties of one router. Different for a known reason: ${String(count.known)}.`,
  );
  for (const [property, names] of properties) print(`  in ${String(names.length)} tests, such as ${names[0] ?? ''}: ${property}`);
  for (const line of lines) print(line);
  return count.run > 0 && isEqual;
}

function reasonNotToRun({ unread, executions, expectedRequests }: RouterTest): string | undefined {
  if (unread.length > 0) return `not understood: ${[...new Set(unread)].join(', ')}`;
  const expects = expectedRequests.length > 0 || executions.some(({ expectations }) => expectations.length > 0);
  return expects ? undefined : 'it expects nothing of the response or of requests to back ends, only of telemetry or a coprocessor';
}
