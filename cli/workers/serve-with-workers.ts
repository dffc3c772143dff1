import { once } from 'node:events';
import { openPrimary, type Primary } from '../../gateway/composition/open-primary.ts';
import { systemClock } from '../../gateway/platform/clock.ts';
import { createLogger, type Logger } from '../../gateway/platform/logger.ts';
import { CommandFailed } from '../command-failed.ts';
import type { ProductConfig } from '../configuration.ts';
import { followReload, type FollowReloadOptions } from '../follow-reload.ts';
import { servingReport } from '../serving-report.ts';
import type { Terminal } from '../terminal.ts';
import { createFork } from './worker-process.ts';
import { createWorkerPool, type WorkerPool } from './worker-pool.ts';

export interface ServeWithWorkersOptions extends Omit<FollowReloadOptions, 'gateway'> {
  readonly count: number;
  /** Aborts when the process should stop. */
  readonly stop: AbortSignal;
  readonly terminal: Terminal;
}

/** Time after the last deadline of its shutdown at which a worker that was stopped is killed. @unit milliseconds */
const STOP_MARGIN_MS = 15_000;

/**
 * Serves with several worker processes until the process receives a stop signal. This process is their primary: it accepts the connections
 * of the public listener, serves the internal listener, and stores the state that the workers share.
 *
 * @throws CommandFailed when workers do not start, and the errors of `openPrimary`
 */
export async function serveWithWorkers({ config, options, count, stop, read, terminal }: ServeWithWorkersOptions): Promise<void> {
  if (config.engine.name !== 'gatefold') {
    throw new CommandFailed('Several workers require the engine "gatefold". Set server.workers to 1, or remove --engine.', { exitCode: 2 });
  }
  const logger = createLogger(config.logging);
  const primary = await openPrimary(config, {
    workers: () => pool.endpoints(),
    isDraining: () => stop.aborted,
    ownMetrics: () => metricsOf(pool),
    logger,
  });
  const pool = openPool(config, { count, primary, nodeOptions: terminal.env['NODE_OPTIONS'], logger });
  const stopped = stop.aborted ? Promise.resolve() : once(stop, 'abort');
  try {
    const reload = async () => restart(pool, { config, read, logger });
    await using _reload = followReload({ gateway: { reload }, config, options, read, terminal });
    const url = await Promise.race([pool.start(), stopped]);
    if (typeof url !== 'string') return;
    terminal.print(servingReport({ url, internalUrl: primary.internalUrl }, config).join('\n'));
    await Promise.race([stopped, pool.failure]);
  } finally {
    await pool.stop();
    await primary.close();
  }
}

interface PoolOptions {
  readonly count: number;
  readonly primary: Primary;
  /** Value of `NODE_OPTIONS`. @defaultValue not set */
  readonly nodeOptions: string | undefined;
  readonly logger: Logger;
}

function openPool({ server }: ProductConfig, { count, primary, nodeOptions, logger }: PoolOptions): WorkerPool {
  return createWorkerPool({
    count,
    fork: createFork(nodeOptions),
    stopTimeoutMs: server.shutdown.lameDuckMs + server.drainTimeoutMs + STOP_MARGIN_MS,
    openSession: primary.openSession,
    maintenance: primary.maintenance,
    onReady: primary.adopt,
    onStop: primary.prepareStop,
    onEnd: primary.forget,
    clock: systemClock,
    schedule(run, delayMs) {
      const timer = setTimeout(run, delayMs);
      return () => clearTimeout(timer);
    },
    logger,
  });
}

type RestartOptions = Pick<ServeWithWorkersOptions, 'config' | 'read'> & { readonly logger: Logger };

/** Restarts the workers one after another. With an invalid configuration, the workers continue with the one that they have. */
async function restart(pool: WorkerPool, { config, read, logger }: RestartOptions): Promise<void> {
  try {
    const next = await read();
    const ignored = ownSettings(next) === ownSettings(config) ? undefined : OWN_SETTINGS;
    if (ignored !== undefined) {
      logger.warn({ settings: ignored }, 'Some changed settings take effect only when the whole process is restarted, not its workers.');
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    logger.error({ reason }, 'The configuration cannot be read. The workers are not restarted and continue with the previous one.');
    return;
  }
  logger.info({}, 'The workers are restarted one after another.');
  await pool.restart();
}

/** Settings that only the primary reads. */
const OWN_SETTINGS = [
  'server.workers',
  'server.internalHost',
  'server.internalPort',
  'server.tls (internal listener)',
  'maintenance.key',
  'idempotency',
  'budget.maxCallers',
];

function ownSettings({ server, maintenance, idempotency, budget }: ProductConfig): string {
  const { workers, internalHost, internalPort, tls } = server;
  return JSON.stringify([workers, internalHost, internalPort, tls, maintenance.key, idempotency, budget.maxCallers]);
}

function metricsOf(pool: WorkerPool) {
  const gauge = pool.endpoints().filter(({ isServing }) => isServing).length;
  return [
    toFamily('gatefold_workers', 'gauge', 'Number of worker processes that serve requests.', gauge),
    toFamily('gatefold_worker_replacements_total', 'counter', 'Worker processes that ended unexpectedly.', pool.replacements),
  ];
}

function toFamily(name: string, type: string, help: string, value: number) {
  return { name, type, help, samples: [{ name, labels: [], value }] };
}
