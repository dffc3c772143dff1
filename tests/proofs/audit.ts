/**
 * Runs the public audit of federation gateways from a checkout of it.
 *
 * Duration: about 2 minutes
 *
 * - `AUDIT_DIR`: the checkout. There is no default, and without it nothing was audited: the command fails.
 * - `AUDIT_DOOR`: one door of the table, rather than all.
 * - `AUDIT_SUITE`: one suite, rather than all; the command then fails, since that is not the audit.
 */
import { isDeepStrictEqual } from 'node:util';
import { type AuditTest, startAuditServer } from './audit/checkout.ts';
import { DOORS, type Door, type DoorAnswer } from './audit/doors.ts';

const directory = process.env['AUDIT_DIR'];
const onlyDoor = process.env['AUDIT_DOOR'];
const onlySuite = process.env['AUDIT_SUITE'];

/** Tests of the audit, as many as we answer for: fewer would be another audit. */
const TESTS = 199;

process.exitCode = (await main()) ? 0 : 1;

async function main(): Promise<boolean> {
  if (directory === undefined || directory === '') {
    print('Nothing was audited: AUDIT_DIR names no checkout of the audit.');
    return false;
  }
  using server = await startAuditServer(directory);
  const suites = (await server.suites()).filter((suite) => onlySuite === undefined || suite === onlySuite);
  const doors = Object.entries(DOORS).filter(([name]) => onlyDoor === undefined || name === onlyDoor);
  const results: SuiteResult[] = [];
  for (const suite of suites) {
    const sdl = await server.supergraph(suite);
    for (const [door, open] of doors) {
      const tests = await server.tests(suite);
      results.push({ suite, door, failures: await runSuite(() => open(sdl), tests), count: tests.length });
    }
  }
  report(
    results,
    doors.map(([name]) => name),
  );
  return doors.length > 0 && doors.every(([door]) => isComplete(results.filter((result) => result.door === door)));
}

interface SuiteResult {
  readonly suite: string;
  readonly door: string;
  readonly count: number;
  readonly failures: readonly { readonly index: number; readonly reason: string }[];
}

function isComplete(results: readonly SuiteResult[]): boolean {
  return sum(results, ({ count }) => count) === TESTS && results.every(({ failures }) => failures.length === 0);
}

async function runSuite(open: () => Promise<Door>, tests: readonly AuditTest[]): Promise<SuiteResult['failures']> {
  const failures: { index: number; reason: string }[] = [];
  const door = await open().catch((error: unknown) => String(error));
  if (typeof door === 'string') return tests.map((_test, index) => ({ index, reason: door }));
  await using opened = door;
  for (const [index, test] of tests.entries()) {
    const answer = await opened.ask(test.query).catch((error: unknown): DoorAnswer => ({ data: `no answer: ${String(error)}` }));
    const [received, expected] = [reduce(answer, test), reduceExpected(test)];
    if (!isDeepStrictEqual(received, expected)) {
      const told = JSON.stringify(answer.errors?.map(({ message }) => message) ?? []);
      failures.push({
        index,
        reason: `${test.query}\nexpected ${JSON.stringify(expected)}\nreceived ${JSON.stringify(received)}\nerrors   ${told}`,
      });
    }
  }
  return failures;
}

/** The audit compares data, and whether there are errors, where it says so. */
function reduce({ data = null, errors = [] }: DoorAnswer, { expected }: AuditTest): unknown {
  return {
    data: data === null ? null : JSON.parse(JSON.stringify(data)),
    errors: expected.errors === undefined ? null : errors.length > 0,
  };
}

function reduceExpected({ expected }: AuditTest): unknown {
  return { data: expected.data ?? null, errors: expected.errors ?? null };
}

function report(results: readonly SuiteResult[], doors: readonly string[]): void {
  const suites = [...new Set(results.map(({ suite }) => suite))];
  const width = Math.max(5, ...suites.map((suite) => suite.length));
  print(['suite'.padEnd(width), ...doors.map((door) => door.padStart(14))].join(''));
  for (const suite of suites) {
    const cells = doors.map((door) => score(results.filter((result) => result.suite === suite && result.door === door)));
    print([suite.padEnd(width), ...cells.map((cell) => cell.padStart(14))].join(''));
  }
  print(['all'.padEnd(width), ...doors.map((door) => score(results.filter((result) => result.door === door)).padStart(14))].join(''));
  for (const { suite, door, failures } of results) {
    for (const { index, reason } of failures) print(`\n${suite} ${index} by ${door}:\n${reason}`);
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
