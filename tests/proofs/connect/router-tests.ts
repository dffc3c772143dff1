import type { Checkout } from './checkout.ts';
import { type LocatedRouterTest, readRouterTests } from './router-test-reader.ts';
import type { RouterTest } from './router-vocabulary.ts';
import { type RouterTestResult, runRouterTest } from './run-router-test.ts';

const PATHS_OF_FIELDS =
  'the path of an error leads to the field that is null (GraphQL specification, section 7.1.2); the other router names the entity that has the field';

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
  ['mod.rs max_requests', PATHS_OF_FIELDS],
  ['mod.rs source_max_requests', PATHS_OF_FIELDS],
  ['mod.rs basic_errors', PATHS_OF_FIELDS],
]);

/**
 * Runs the tests of connectors of the other router: operations on composed supergraphs, with mocked back ends. Data, paths of errors and
 * requests to back ends must be equal.
 *
 * @returns whether there is no difference without a known reason
 */
export async function proveRouterTests(checkout: Checkout, print: (line: string) => void): Promise<boolean> {
  const tests = readRouterTests(checkout);
  const results: RanTest[] = [];
  for (let start = 0; start < tests.length; start += CONCURRENCY) {
    results.push(...(await Promise.all(tests.slice(start, start + CONCURRENCY).map(run))));
  }
  const ran = results.filter(({ notRun }) => notRun === undefined);
  const equal = ran.filter(({ unexplained }) => unexplained.length === 0);
  const withProperties = equal.filter(({ explained }) => explained.length > 0);
  const known = ran.filter(({ name, unexplained }) => unexplained.length > 0 && KNOWN_REASONS.has(name));
  const requests = ran.reduce((sum, one) => sum + one.requests, 0);
  print(
    `Tests of the router: ${String(ran.length)} of ${String(tests.length)} run, with ${String(requests)} requests to back ends. ` +
      `Equal in data, paths of errors and requests: ${String(equal.length)}, ` +
      `${String(withProperties.length)} of them with listed properties of one router. Different for a known reason: ${String(known.length)}.`,
  );
  const conditions = tests.reduce((sum, { test }) => sum + test.conditions, 0);
  print(`  not compared: ${String(conditions)} assertions of conditions and metrics; messages and codes of errors`);
  printProperties(ran, print);
  for (const { name, notRun, unexplained } of results) {
    const reason = KNOWN_REASONS.get(name);
    if (notRun !== undefined) print(`  not run: ${name}: ${notRun}`);
    else if (unexplained.length > 0 && reason !== undefined) print(`  different for a known reason: ${name}: ${reason}`);
    else for (const difference of unexplained) print(`  different: ${name}: ${difference}`);
  }
  return ran.length > 0 && equal.length + known.length === ran.length;
}

/** Number of tests that run at the same time. Each has its own gateway and back ends. */
const CONCURRENCY = 6;

interface RanTest extends RouterTestResult {
  readonly name: string;
  /** Reason why the test was not run. */
  readonly notRun?: string;
}

async function run({ file, test }: LocatedRouterTest): Promise<RanTest> {
  const name = `${file} ${test.name}`;
  const notRun = reasonNotToRun(test);
  const nothing = { name, unexplained: [], explained: [], requests: 0 };
  if (notRun !== undefined) return { ...nothing, notRun };
  try {
    return { name, ...(await runRouterTest(test)) };
  } catch (error) {
    return { ...nothing, unexplained: [error instanceof Error ? error.message : String(error)] };
  }
}

/** Prints each property with the number of its tests. */
function printProperties(ran: readonly RanTest[], print: (line: string) => void): void {
  const names = new Map<string, readonly string[]>();
  for (const { name, explained } of ran) {
    for (const property of explained) names.set(property, [...(names.get(property) ?? []), name]);
  }
  for (const [property, [first = '', ...others]] of names) {
    print(`  ${first}${others.length === 0 ? '' : ` and ${String(others.length)} other tests`}: ${property}`);
  }
}

function reasonNotToRun({ unread, executions, expectedRequests }: RouterTest): string | undefined {
  if (unread.length > 0) return `not understood: ${[...new Set(unread)].join(', ')}`;
  const expects = expectedRequests.length > 0 || executions.some(({ expectations }) => expectations.length > 0);
  return expects ? undefined : 'it expects nothing of the response or of requests to back ends, only of telemetry or a coprocessor';
}
