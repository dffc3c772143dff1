import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export interface ShellOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Time after which the shell and its child processes are killed. @unit milliseconds */
  readonly timeoutMs: number;
}

/**
 * Runs a script in a shell that leads a process group, so that no child process remains after the timeout or a failure.
 *
 * @returns what the script has written to stdout
 * @throws Error with the output, if the script fails or exceeds the timeout
 */
export async function runShell(script: string, { cwd, env, timeoutMs }: ShellOptions): Promise<string> {
  const shell = spawn('bash', ['-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const output = Promise.all([text(shell.stdout), text(shell.stderr)]);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    killGroup(shell.pid);
  }, timeoutMs);
  try {
    const [code, signal] = (await once(shell, 'exit')) as [number | null, NodeJS.Signals | null];
    // A child process in the background holds the pipes open.
    if (code !== 0) killGroup(shell.pid);
    const [stdout, stderr] = await output;
    if (code === 0 && !isLate) return stdout;
    const reason = isLate ? `was killed after ${timeoutMs} ms` : `failed with ${code ?? signal ?? 'no exit code'}`;
    throw new Error(`The script ${reason}:\n${script}\nstdout:\n${stdout}\nstderr:\n${stderr}`);
  } finally {
    clearTimeout(timer);
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // All processes of the group have ended.
  }
}
