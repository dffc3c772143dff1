import { describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../../../cli/command-line.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import { recordingTerminal } from '../../support/process/recording-terminal.ts';

async function run(...args: readonly string[]) {
  const terminal = recordingTerminal();
  const exitCode = await runCommandLine(args, terminal);
  return { exitCode, printed: terminal.printed.join('\n'), warned: terminal.warned.join('\n') };
}

describe('gatefold', () => {
  it.each([
    ['an unknown command', ['srve'], "unknown command 'srve'"],
    ['an unknown option', ['serve', '--prot', '1'], "unknown option '--prot'"],
    ['a port that is not a number', ['serve', '--port', 'http'], 'Use a port from 0 to 65535'],
    ['a port out of range', ['dev', '--internal-port', '70000'], 'Use a port from 0 to 65535'],
    ['an extra argument', ['compose', 'schema'], 'too many arguments'],
  ])('rejects %s with exit code 2', async (_what, args, expected) => {
    const { exitCode, printed, warned } = await run(...args);
    expect(exitCode).toBe(2);
    expect(warned).toContain(expected);
    expect(warned).toContain('--help');
    expect(printed).toBe('');
  });

  it('shows its commands and exits with 2 without arguments', async () => {
    const { exitCode, warned } = await run();
    expect(exitCode).toBe(2);
    for (const command of ['serve', 'dev', 'compose', 'check', 'token']) expect(warned).toContain(`  ${command} `);
  });

  it('shows the stack and exits with 1 on an internal error', async () => {
    const terminal = recordingTerminal();
    const broken: Terminal = {
      ...terminal,
      stopSignal: () => {
        throw new TypeError('a fault');
      },
    };
    expect(await runCommandLine(['serve'], broken)).toBe(1);
    expect(terminal.warned.join('\n')).toMatch(/^TypeError: a fault\n\s+at /);
  });

  it.each([
    [['--help']],
    [['serve', '--help']],
    [['dev', '--help']],
    [['compose', '--help']],
    [['check', '--help']],
    [['token', '--help']],
    [['--version']],
  ])('prints the output of %j on stdout and exits with 0', async (args) => {
    const { exitCode, printed, warned } = await run(...args);
    expect(exitCode).toBe(0);
    expect(printed).not.toBe('');
    expect(warned).toBe('');
  });
});
