import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFailed } from '../command-failed.ts';
import { describeDifference } from '../connect/test/find-differences.ts';
import { readTestFile } from '../connect/test/read-test-file.ts';
import { type ConnectorTestResult, type ConnectorTestRun, runConnectorTests } from '../connect/test/run-connector-tests.ts';
import { printJson } from '../json-output.ts';
import type { Terminal } from '../terminal.ts';

export interface ConnectTestOptions {
  readonly json?: boolean;
}

/** Directory of the tests if no argument names one. */
const DEFAULT_PATH = 'tests/connectors';

/** Runs the tests of connectors against recorded responses. @throws CommandFailed if one differs, or if a file is invalid */
export async function connectTest(path: string | undefined, { json = false }: ConnectTestOptions, terminal: Terminal): Promise<void> {
  const files = await findTestFiles(path ?? DEFAULT_PATH);
  const runs = [];
  for (const file of files) runs.push(runConnectorTests(await readTestFile(file)));
  const results = runs.flatMap((run) => run.results);
  const failed = results.filter(({ differences }) => differences.length > 0).length;
  const passed = results.length - failed;
  const untested = findUntested(runs);
  if (json) {
    const tests = runs.map(({ path: file, connector, results: own }) => ({ file, connector, tests: own.map(toJson) }));
    printJson(terminal, { passed, failed, files: tests, untested });
  } else {
    for (const run of runs) terminal.print(describeRun(run).join('\n'));
    if (untested.length > 0) terminal.print(`Connectors without tests: ${untested.join(', ')}.`);
    terminal.print(`${count(results.length)}: ${passed} passed, ${failed} failed.`);
  }
  if (failed > 0) throw new CommandFailed(`${failed === 1 ? '1 test' : `${failed} tests`} of connectors failed.`);
}

/** Lists the YAML files of a directory and of those below it, or the one file. @throws CommandFailed */
async function findTestFiles(path: string): Promise<readonly string[]> {
  const entry = await stat(path).catch((cause: unknown) => {
    throw new CommandFailed(`${path} cannot be read. Name a file or a directory with tests of connectors.`, { cause });
  });
  if (!entry.isDirectory()) return [path];
  const names = await readdir(path, { recursive: true });
  const files = names.filter((name) => /\.ya?ml$/.test(name)).toSorted();
  if (files.length === 0) throw new CommandFailed(`${path} contains no tests of connectors. Their files end with .yaml.`);
  return files.map((name) => join(path, name));
}

/** Lists the connectors of all tested subgraphs that have no test. */
function findUntested(runs: readonly ConnectorTestRun[]): readonly string[] {
  const tested = new Set(runs.map(({ subgraphPath, connector }) => `${subgraphPath} ${connector}`));
  const all = runs.flatMap(({ subgraphPath, connectors }) =>
    connectors.map((connector) => ({ connector, key: `${subgraphPath} ${connector}` })),
  );
  return [...new Map(all.filter(({ key }) => !tested.has(key)).map(({ key, connector }) => [key, connector])).values()];
}

function describeRun({ path, connector, results }: ConnectorTestRun): readonly string[] {
  return [`${connector} (${path})`, ...results.flatMap(describeResult)];
}

function describeResult({ name, differences, notes }: ConnectorTestResult): readonly string[] {
  const lines = [`  ${differences.length === 0 ? 'passed' : 'FAILED'}  ${name}`];
  return [...lines, ...differences.flatMap(describeDifference), ...notes.map((note) => `    note: ${note}`)];
}

function toJson({ name, differences, notes }: ConnectorTestResult): object {
  return { name, passed: differences.length === 0, differences, notes };
}

function count(tests: number): string {
  return `${tests} ${tests === 1 ? 'test' : 'tests'}`;
}
