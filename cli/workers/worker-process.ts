import cluster from 'node:cluster';
import type { PrimaryMessage, WorkerMessage } from './messages.ts';
import { workerOptionsOf } from './worker-options.ts';
import { WORKER_VARIABLE } from './worker-variable.ts';

/** How a process has ended. */
export interface WorkerExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Process of a worker, as its primary sees it. */
export interface WorkerProcess {
  readonly pid: number;
  /** Sends a message. It is lost when the process has ended. */
  send(message: PrimaryMessage): void;
  /** Ends the process immediately. */
  kill(): void;
  onMessage(listener: (message: WorkerMessage) => void): void;
  /** Registers a listener for the end of the process, also when it could not be started. */
  onExit(listener: (exit: WorkerExit) => void): void;
}

/**
 * Creates a function that starts a worker: a process with the same command line. The primary accepts the connections of the public listener
 * and hands them to the workers in turn. A worker that is blocked receives none, and one that is closing its listener returns its
 * connections.
 *
 * The workers end with this process, also when it ends without a shutdown.
 *
 * @param nodeOptions value of `NODE_OPTIONS`
 */
export function createFork(nodeOptions: string | undefined): () => WorkerProcess {
  const alive = new Set<() => void>();
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ execArgv: workerOptionsOf(process.execArgv, nodeOptions) });
  process.once('exit', () => alive.forEach((kill) => kill()));
  return () => {
    const worker = cluster.fork({ [WORKER_VARIABLE]: '1' });
    const { process: child } = worker;
    const kill = (): void => void child.kill('SIGKILL');
    alive.add(kill);
    worker.once('exit', () => alive.delete(kill));
    worker.on('error', () => {}); // `exit` follows, or the process continues without a message that could not be sent.
    return {
      pid: child.pid ?? 0,
      send(message) {
        if (worker.isConnected()) worker.send(message, undefined, () => {});
      },
      kill,
      onMessage: (listener) => void worker.on('message', (message: WorkerMessage) => listener(message)),
      onExit: (listener) => void worker.once('exit', (code: number | null, signal: string | null) => listener({ code, signal })),
    };
  };
}
