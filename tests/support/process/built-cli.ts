import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { SHORT_LIVED } from './short-lived.ts';

/** A command of the built command line, running as its users run it. */
export interface CliProcess extends AsyncDisposable {
  readonly pid: number;
  /** Everything written so far, standard output and standard error. */
  output(): string;
  /** Resolves when the output matches; rejects when the process ends before. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  signal(name: NodeJS.Signals): void;
  readonly exit: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

export interface CliOptions {
  /** Working directory: where `.gatefold` and `gatefold.yaml` are looked for. */
  readonly cwd: string;
  /** Settings on top of those of a clean environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Builds what is stale; costs next to nothing where nothing is. */
export async function requireBuild(): Promise<void> {
  await promisify(execFile)(process.execPath, [join(packageRoot, 'cli/tooling/build.js')], { env: cleanEnvironment() });
}

/** Starts `gatefold` with the given arguments. */
export function startCli(args: readonly string[], { cwd, env = {} }: CliOptions): CliProcess {
  const main = join(packageRoot, 'dist/cli/main.js');
  return watchProcess(
    spawn(process.execPath, [...SHORT_LIVED, main, ...args], { cwd, env: { ...cleanEnvironment(), ...env }, stdio: 'pipe' }),
  );
}

/** `npm start`, as its users type it. It is told to end, and not killed: npm would leave behind what it runs. */
export function startByNpm(env: Readonly<Record<string, string>>): CliProcess {
  const npm = watchProcess(spawn('npm', ['start'], { cwd: packageRoot, env: { ...cleanEnvironment(), ...env }, stdio: 'pipe' }));
  const end = async (): Promise<void> => {
    npm.signal('SIGTERM');
    await npm.exit;
  };
  return { ...npm, [Symbol.asyncDispose]: end };
}

/** Follows a process to its end. */
export function watchProcess(child: ChildProcess): CliProcess {
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const listener of listeners) listener();
    });
  }
  const exit = once(child, 'close').then(() => ({ code: child.exitCode, signal: child.signalCode }));
  return {
    pid: child.pid ?? 0,
    output: () => output,
    exit,
    signal: (name) => void child.kill(name),
    waitFor: async (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(output);
          if (!match) return;
          listeners.delete(look);
          resolve(match);
        };
        listeners.add(look);
        look();
        void exit.then(() => reject(new Error(`The process ended before it said ${String(pattern)}:\n${output}`)));
      }),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/** What a process needs to run at all; nothing that would configure the product. */
export function cleanEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME };
}

/** Ids of the processes that `pid` started and that still run. */
export async function childrenOf(pid: number): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  return stdout.split('\n').flatMap((line) => {
    const [child, parent] = line.trim().split(/\s+/).map(Number);
    return parent === pid && child !== undefined ? [child] : [];
  });
}

/** Whether the process runs; one that has ended and waits to be collected does not. */
export async function isRunning(pid: number): Promise<boolean> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}
