import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { SHORT_LIVED } from './short-lived.ts';

/** A command of the built command line, running as for users. */
export interface CliProcess extends AsyncDisposable {
  readonly pid: number;
  /** Everything written so far to stdout and stderr. */
  output(): string;
  /** Resolves when the output matches. Rejects when the process ends before. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  signal(name: NodeJS.Signals): void;
  readonly exit: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

export interface CliOptions {
  /** Working directory, where `.gatefold` and `gatefold.yaml` are searched. */
  readonly cwd: string;
  /** Variables in addition to those of a clean environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Builds what is out of date. Takes almost no time when nothing is. */
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

/** Runs `npm start` like a user. Disposal sends SIGTERM instead of SIGKILL, because npm would leave its child process running. */
export function startByNpm(env: Readonly<Record<string, string>>): CliProcess {
  const npm = watchProcess(spawn('npm', ['start'], { cwd: packageRoot, env: { ...cleanEnvironment(), ...env }, stdio: 'pipe' }));
  const end = async (): Promise<void> => {
    npm.signal('SIGTERM');
    await npm.exit;
  };
  return { ...npm, [Symbol.asyncDispose]: end };
}

/** Observes a process until it ends. */
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
        void exit.then(() => reject(new Error(`The process ended before its output matched ${String(pattern)}:\n${output}`)));
      }),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/** Returns the variables that a process needs to run, without any configuration of the product. */
export function cleanEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME };
}

/** Lists the IDs of the running child processes of `pid`. */
export async function childrenOf(pid: number): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  return stdout.split('\n').flatMap((line) => {
    const [child, parent] = line.trim().split(/\s+/).map(Number);
    return parent === pid && child !== undefined ? [child] : [];
  });
}

/** Whether the process is running. A zombie process is not. */
export async function isRunning(pid: number): Promise<boolean> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}
