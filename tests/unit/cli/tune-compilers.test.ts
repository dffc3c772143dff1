import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { compilerFlags } from '../../../cli/tune-compilers.ts';

const run = promisify(execFile);

/** Prints the number of calls after which Maglev has compiled a function. */
const PROGRAM = `
  import { tuneCompilers } from './cli/tune-compilers.ts';
  tuneCompilers([], process.env.V8_VERSION);
  const add = (one, other) => one + other;
  let calls = 0;
  for (let sum = 0; calls < 2_000 && !%ActiveTierIsMaglev(add); calls += 1) {
    sum = add(sum, calls);
    if (calls % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  console.log(calls);
`;

async function callsBeforeMaglev(v8Version: string): Promise<number> {
  const args = ['--allow-natives-syntax', '--import', 'tsx', '--input-type=module', '--eval', PROGRAM];
  const { stdout } = await run(process.execPath, args, { cwd: packageRoot, env: { ...process.env, V8_VERSION: v8Version } });
  return Number(stdout);
}

const hasMaglev = compilerFlags([], process.versions.v8).length > 0;

describe('the thresholds of the compilers', () => {
  it('are not changed before Node.js 24, because earlier versions do not use Maglev', () => {
    expect(compilerFlags([], '12.4.254')).toEqual([]);
  });

  it.each(['--invocation-count-for-turbofan=50', '--invocation_count_for_turbofan=50'])('leave %s of the operator alone', (option) => {
    expect(compilerFlags([`--enable-source-maps ${option}`], '13.6.233')).toEqual([
      '--invocation-count-for-maglev=200',
      '--minimum-invocations-after-ic-update=200',
    ]);
  });

  it('let Maglev compile a function after half as many calls, where Node.js uses Maglev', async () => {
    const [tuned, usual] = await Promise.all([callsBeforeMaglev(process.versions.v8), callsBeforeMaglev('12.4.254')]);
    expect(tuned < 0.75 * usual).toBe(hasMaglev);
  });

  it('are options of this version of V8', async () => {
    const { stdout } = await run(process.execPath, ['--v8-options']);
    for (const flag of compilerFlags([], process.versions.v8)) expect(stdout).toContain(flag.replace(/=.*/, ''));
  });
});
