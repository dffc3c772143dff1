import cluster from 'node:cluster';
import { once } from 'node:events';
import { systemClock } from '../../gateway/platform/clock.ts';
import { createLogger, type Logger } from '../../gateway/platform/logger.ts';
import type { PrimaryState } from '../../gateway/platform/primary-state.ts';
import { CommandFailed } from '../command-failed.ts';
import type { ProductConfig } from '../configuration.ts';
import type { RunningGateway } from '../start-gateway.ts';
import type { Terminal } from '../terminal.ts';
import type { PrimaryMessage, StartMessage, WorkerMessage } from './messages.ts';
import { createPrimaryClient } from './primary-client.ts';
import { WORKER_VARIABLE } from './worker-variable.ts';

/** Connection of a worker process to its primary. */
export interface PrimaryConnection extends Disposable {
  /** Aborts when the worker must finish its requests and end. */
  readonly stop: AbortSignal;
  /** Returns the configuration of this worker. Its internal listener serves only the primary. */
  configure(config: ProductConfig): ProductConfig;
  /** Returns what the gateway of this worker uses instead of its defaults. */
  dependencies(config: ProductConfig): { readonly primary: PrimaryState; readonly logger: Logger };
  /** Reports that this worker serves requests. */
  reportReady(gateway: RunningGateway): void;
}

/** Connects to the primary. Undefined in a process that is not a worker. @throws CommandFailed when the primary has ended */
export async function joinPrimary(terminal: Terminal): Promise<PrimaryConnection | undefined> {
  const { worker } = cluster;
  if (terminal.env[WORKER_VARIABLE] === undefined || worker === undefined) return undefined;
  // Without this, Node.js ends the process immediately when the primary has ended, and running requests are lost.
  worker.exitedAfterDisconnect = true;
  const signaled = terminal.stopSignal({ isWorker: true });
  const stopped = new AbortController();
  const started = new AbortController();
  let start: StartMessage | undefined;
  let client: ReturnType<typeof createPrimaryClient> | undefined;
  process.on('message', (received: PrimaryMessage) => {
    if (received.type === 'start') {
      start = received;
      started.abort();
    } else if (received.type === 'stop') stopped.abort();
    else client?.receive(received);
  });
  process.once('disconnect', () => {
    stopped.abort();
    started.abort();
  });
  send({ type: 'join' });
  if (!started.signal.aborted) await once(started.signal, 'abort');
  const { number, workers, maintenance } = requireStart(start);
  client = createPrimaryClient({ workers, send, clock: systemClock });
  const primary = client;
  return {
    stop: AbortSignal.any([signaled, stopped.signal]),
    configure: (config) => ({
      ...config,
      server: { ...config.server, internalHost: '127.0.0.1', internalPort: 0 },
      maintenance: { ...config.maintenance, ...maintenance },
    }),
    dependencies: ({ logging }) => ({ primary, logger: createLogger({ ...logging, facts: { worker: number } }) }),
    reportReady: ({ url, internalUrl }) => void send({ type: 'ready', url, internalUrl }),
    [Symbol.dispose]() {
      primary[Symbol.dispose]();
      if (process.connected) process.disconnect();
    },
  };
}

function requireStart(start: StartMessage | undefined): StartMessage {
  if (start === undefined) throw new CommandFailed('The primary process of this worker has ended.');
  return start;
}

function send(message: WorkerMessage): boolean {
  if (!process.connected) return false;
  process.send?.(message, undefined, {}, () => {}); // A failure means that the primary has ended, which `disconnect` reports.
  return true;
}
