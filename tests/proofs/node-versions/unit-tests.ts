import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { packageRoot } from '../../../gateway/platform/package-root.ts';

/** Results of the unit tests. */
export interface UnitTests {
  readonly passed: number;
  readonly failed: number;
  /** File and name, or message, of each failure. */
  readonly failures: readonly string[];
}

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Runs the unit tests with the given Node binary. @throws Error when Jest wrote no report */
export async function runUnitTests(node: string, env: Readonly<Record<string, string>>): Promise<UnitTests> {
  const directory = await mkdtemp(join(tmpdir(), 'gatefold-node-'));
  try {
    const file = join(directory, 'report.json');
    const args = ['--selectProjects', 'parts', '--testPathPatterns', '/tests/unit/', '--ci', '--silent', '--json', '--outputFile', file];
    const jest = spawn(node, [join(packageRoot, 'node_modules/jest/bin/jest.js'), ...args], { cwd: packageRoot, env, stdio: 'ignore' });
    await once(jest, 'close');
    const report = JSON.parse(await readFile(file, 'utf8')) as Report;
    const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
      const where = relative(packageRoot, name);
      const failed = assertionResults.filter((result) => result.status === 'failed').map(({ fullName }) => `${where}: ${fullName}`);
      return status === 'failed' && failed.length === 0 ? [`${where}: ${message}`] : failed;
    });
    return { passed: report.numPassedTests, failed: report.numFailedTests, failures };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
