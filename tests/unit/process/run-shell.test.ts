import { describe, expect, it } from '@jest/globals';
import { isRunning } from '../../support/process/built-cli.ts';
import { runShell } from '../../support/process/run-shell.ts';
import { eventually } from '../../support/time/eventually.ts';

const OPTIONS = { cwd: '/', env: { PATH: process.env['PATH'] ?? '' }, timeoutMs: 60_000 };

/** Reads the process id of the child process that a script prints. */
const childOf = (output: string): number => Number(/child (\d+)/.exec(output)?.[1]);

describe('runShell', () => {
  it('kills the shell and its child processes after the timeout', async () => {
    const failure = await runShell('sleep 600 & echo child $!; wait', { ...OPTIONS, timeoutMs: 1_000 }).catch(String);
    expect(failure).toContain('was killed after 1000 ms');
    await eventually(async () => !(await isRunning(childOf(failure))));
  });

  it('kills a child process in the background when the script fails', async () => {
    const failure = await runShell('sleep 600 & echo child $!; echo broken >&2; exit 3', OPTIONS).catch(String);
    expect(failure).toMatch(/failed with 3:[^]*broken/);
    await eventually(async () => !(await isRunning(childOf(failure))));
  });

  it('returns what the script has written to stdout', async () => {
    expect(await runShell('echo first; echo second >&2', OPTIONS)).toBe('first\n');
  });
});
