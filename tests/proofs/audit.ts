/**
 * Runs the public audit of federation gateways from a checkout.
 *
 * Duration: about 2 minutes
 *
 * - `AUDIT_DIR`: the checkout. It has no default. Without it, nothing is audited and the command fails.
 * - `AUDIT_DOOR`: one transport of the table. Default: all.
 * - `AUDIT_SUITE`: one suite. Default: all. With one suite, the command fails, because that is not the whole audit.
 */
import { isDeepStrictEqual } from 'node:util';
import { type AuditTest, startAuditServer } from './audit/checkout.ts';
import { TRANSPORTS, type Transport, type TransportResponse } from './audit/transports.ts';

const directory = process.env['AUDIT_DIR'];
const onlyTransport = process.env['AUDIT_DOOR'];
const onlySuite = process.env['AUDIT_SUITE'];

/** Number of tests of the audit that Gatefold claims to pass. A smaller number would be a different audit. */
const TESTS = 199;

process.exitCode = (await main()) ? 0 : 1;

async function main(): Promise<boolean> {
  if (directory === undefined || directory === '') {
    print('Nothing was audited: AUDIT_DIR does not name a checkout of the audit.');
    return false;
  }
  using server = await startAuditServer(directory);
  const suites = (await server.suites()).filter((suite) => onlySuite === undefined || suite === onlySuite);
  const transports = Object.entries(TRANSPORTS).filter(([name]) => onlyTransport === undefined || name === onlyTransport);
  const results: SuiteResult[] = [];
  for (const suite of suites) {
    const sdl = await server.supergraph(suite);
    for (const [transport, open] of transports) {
      const tests = await server.tests(suite);
      results.push({ suite, transport, failures: await runSuite(() => open(sdl), tests), count: tests.length });
    }
  }
  report(
    results,
    transports.map(([name]) => name),
  );
  return transports.length > 0 && transports.every(([transport]) => isComplete(results.filter((result) => result.transport === transport)));
}

interface SuiteResult {
  readonly suite: string;
  readonly transport: string;
  readonly count: number;
  readonly failures: readonly { readonly index: number; readonly reason: string }[];
}

function isComplete(results: readonly SuiteResult[]): boolean {
  return sum(results, ({ count }) => count) === TESTS && results.every(({ failures }) => failures.length === 0);
}

async function runSuite(open: () => Promise<Transport>, tests: readonly AuditTest[]): Promise<SuiteResult['failures']> {
  const failures: { index: number; reason: string }[] = [];
  const transport = await open().catch((error: unknown) => String(error));
  if (typeof transport === 'string') return tests.map((_test, index) => ({ index, reason: transport }));
  await using opened = transport;
  for (const [index, test] of tests.entries()) {
    const response = await opened
      .request(test.query)
      .catch((error: unknown): TransportResponse => ({ data: `no response: ${String(error)}` }));
    const [received, expected] = [reduce(response, test), reduceExpected(test)];
    if (!isDeepStrictEqual(received, expected)) {
      const reported = JSON.stringify(response.errors?.map(({ message }) => message) ?? []);
      failures.push({
        index,
        reason: `${test.query}\nexpected ${JSON.stringify(expected)}\nreceived ${JSON.stringify(received)}\nerrors   ${reported}`,
      });
    }
  }
  return failures;
}

/** The audit compares data. It compares whether there are errors only if the test says so. */
function reduce({ data = null, errors = [] }: TransportResponse, { expected }: AuditTest): unknown {
  return {
    data: data === null ? null : JSON.parse(JSON.stringify(data)),
    errors: expected.errors === undefined ? null : errors.length > 0,
  };
}

function reduceExpected({ expected }: AuditTest): unknown {
  return { data: expected.data ?? null, errors: expected.errors ?? null };
}

function report(results: readonly SuiteResult[], transports: readonly string[]): void {
  const suites = [...new Set(results.map(({ suite }) => suite))];
  const width = Math.max(5, ...suites.map((suite) => suite.length));
  print(['suite'.padEnd(width), ...transports.map((transport) => transport.padStart(14))].join(''));
  for (const suite of suites) {
    const cells = transports.map((transport) =>
      score(results.filter((result) => result.suite === suite && result.transport === transport)),
    );
    print([suite.padEnd(width), ...cells.map((cell) => cell.padStart(14))].join(''));
  }
  print(
    [
      'all'.padEnd(width),
      ...transports.map((transport) => score(results.filter((result) => result.transport === transport)).padStart(14)),
    ].join(''),
  );
  for (const { suite, transport, failures } of results) {
    for (const { index, reason } of failures) print(`\n${suite} ${index} over ${transport}:\n${reason}`);
  }
}

function score(results: readonly SuiteResult[]): string {
  const count = sum(results, (result) => result.count);
  return `${count - sum(results, ({ failures }) => failures.length)}/${count}`;
}

function sum<T>(items: readonly T[], measure: (item: T) => number): number {
  return items.reduce((total, item) => total + measure(item), 0);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
