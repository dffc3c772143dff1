import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Launch, type Target, type TargetContext, TargetMissing } from '../targets/target.ts';
import { onGatewayCore } from './cores.ts';
import { processesOf } from './process-tree.ts';

/** A target that responds correctly. */
export interface RunningTarget extends AsyncDisposable {
  readonly pid: number;
  readonly origin: string;
  readonly path: string;
  /** Time from the start of the process to its first correct response. @unit milliseconds */
  readonly readyMs: number;
}

/** Interval between checks of a starting target. @unit milliseconds */
const POLL_MS = 15;
/** Default time for a start. @unit milliseconds */
const START_TIMEOUT_MS = 30_000;
const GRACE_MS = 1_000;

/** Sends one request; returns false when the response is missing or wrong. */
export type IsCorrect = (url: string) => Promise<boolean>;

/**
 * Starts a target on the gateway core and waits for its first correct response.
 *
 * @param timeoutMs maximum time for the start, in milliseconds
 * @throws TargetMissing with the end of its output, when it ends or never responds correctly
 */
export async function startTarget(
  target: Target,
  context: Omit<TargetContext, 'port'>,
  isCorrect: IsCorrect,
  timeoutMs = START_TIMEOUT_MS,
): Promise<RunningTarget> {
  const port = await freePort();
  const launch = await target.launch({ ...context, port });
  const path = target.path ?? '/graphql';
  const origin = `http://127.0.0.1:${port}`;
  const log = join(context.directory, `${target.name}.log`);
  const begin = performance.now();
  const child = spawnLogged(launch, log);
  const { pid } = child;
  if (pid === undefined) throw new TargetMissing(`${launch.command[0]} cannot be started`);
  const stop = () => stopTree(child, pid);
  while (!(await isCorrect(origin + path))) {
    if (child.exitCode !== null || performance.now() - begin > timeoutMs) {
      await stop();
      throw new TargetMissing(`it never responded correctly. It printed: ${readFileSync(log, 'utf8').slice(-1_000).trim() || 'nothing'}`);
    }
    await wait(POLL_MS);
  }
  return { pid, origin, path, readyMs: performance.now() - begin, [Symbol.asyncDispose]: stop };
}

function spawnLogged({ command, env, cwd }: Launch, log: string): ChildProcess {
  const [file, ...args] = onGatewayCore(command);
  const output = openSync(log, 'w');
  try {
    return spawn(file, args, {
      env: { ...environment(), ...env },
      stdio: ['ignore', output, output],
      ...(cwd === undefined ? {} : { cwd }),
    });
  } finally {
    closeSync(output);
  }
}

/** Removes the environment variables of this checkout and of the benchmark command, so that they do not affect the measured process. */
function environment(): NodeJS.ProcessEnv {
  const foreign = /^(?:GATEFOLD_|SUBGRAPH_|npm_|NODE_OPTIONS$|PORT$|HOST$|INTERNAL_)/;
  return { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name))), NODE_ENV: 'production' };
}

async function stopTree(child: ChildProcess, pid: number): Promise<void> {
  const members = processesOf(pid);
  child.kill('SIGTERM');
  const endsAt = performance.now() + GRACE_MS;
  while (child.exitCode === null && child.signalCode === null && performance.now() < endsAt) await wait(POLL_MS);
  for (const member of members) {
    try {
      process.kill(member, 'SIGKILL');
    } catch {
      // The process has already ended.
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
