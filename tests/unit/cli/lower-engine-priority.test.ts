import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { getPriority } from 'node:os';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { packageRoot } from '../../../gateway/platform/package-root.ts';

const run = promisify(execFile);

/** Prints the priorities of all threads of the process, in the order in which they were created. */
const PROGRAM = `
  import { readdirSync } from 'node:fs';
  import { getPriority } from 'node:os';
  import { lowerEnginePriority } from './cli/lower-engine-priority.ts';
  lowerEnginePriority(process.execArgv);
  console.log(JSON.stringify(readdirSync('/proc/self/task').map(Number).sort((one, other) => one - other).map((thread) => getPriority(thread))));
`;

async function prioritiesWith(...options: readonly string[]): Promise<readonly number[]> {
  const args = [...options, '--import', 'tsx', '--input-type=module', '--eval', PROGRAM];
  const { stdout } = await run(process.execPath, args, { cwd: packageRoot });
  return JSON.parse(stdout) as readonly number[];
}

/** Only Linux has threads with a priority. */
const onLinux = existsSync('/proc/self/task') ? it : it.skip;
const usual = getPriority();

onLinux('the threads of V8 have a lower priority than all others', async () => {
  const priorities = await prioritiesWith();
  expect(priorities[0]).toBe(usual);
  expect(priorities.filter((priority) => priority === 10)).toHaveLength(4);
  expect(priorities.filter((priority) => priority === usual)).toHaveLength(priorities.length - 4);
});

onLinux('another number of threads of V8 does not change the priority of others', async () => {
  const priorities = await prioritiesWith('--v8-pool-size=1');
  expect(priorities.filter((priority) => priority === 10).length).toBeLessThanOrEqual(1);
  expect(priorities[0]).toBe(usual);
});
