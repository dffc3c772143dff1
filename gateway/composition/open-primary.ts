import { createMemoryBuckets } from '../budget/buckets.ts';
import { createPrimaryLeaseBook } from '../budget/primary-lease-book.ts';
import { isLoopback } from '../config/reach-of-host.ts';
import type { ResolvedGatewayConfig } from '../config/resolve-gateway-config.ts';
import { createMergedMetrics } from '../http/primary/collect-metrics.ts';
import { createPrimaryHandler, toMetricsSource } from '../http/primary/primary-handler.ts';
import type { MetricFamily } from '../http/primary/prometheus-text.ts';
import { requestWorker, type WorkerEndpoint, type WorkerRequest, type WorkerResponse } from '../http/primary/request-worker.ts';
import { followCertificate } from '../http/server/follow-certificate.ts';
import { createServicePathCheck, createTrustedPathCheck } from '../http/server/transport-security.ts';
import { openMemoryStore } from '../idempotency/open-idempotency.ts';
import { changeKeyForWorker } from '../idempotency/primary-idempotency-store.ts';
import { systemClock } from '../platform/clock.ts';
import { createEdgeLimits } from '../platform/http/limits/edge-limits.ts';
import { compileNetworks } from '../platform/http/request/client-address.ts';
import { openHttpListener } from '../platform/http/server/http-listener.ts';
import type { Logger } from '../platform/logger.ts';
import type { OpenPrimarySession } from '../platform/primary-state.ts';

/** Maintenance mode as an operator has switched it last, with which a new worker starts. */
export interface MaintenanceState {
  readonly enabled: boolean;
  /** @unit seconds */
  readonly retryAfterSeconds: number;
}

/** Parts of the gateway in the primary process of `gatefold serve --workers`. */
export interface Primary {
  /** URL of the internal listener. */
  readonly internalUrl: string;
  /** Opens the shared state for a worker. */
  readonly openSession: OpenPrimarySession;
  /** Returns the state with which the next worker starts. Undefined: as configured. */
  maintenance(): MaintenanceState | undefined;
  /** Called when a worker is ready. Repeats the last switch of maintenance mode if it was switched while the worker was starting. */
  adopt(worker: WorkerEndpoint, startedWith: MaintenanceState | undefined): Promise<void>;
  /** Called before a worker is stopped. Collects its metrics a last time. */
  prepareStop(worker: WorkerEndpoint): Promise<void>;
  /** Called when a worker has ended. */
  forget(worker: Pick<WorkerEndpoint, 'number'>): void;
  /** Closes the listener. */
  close(): Promise<void>;
}

export interface PrimaryOptions {
  /** Workers that have internal listeners. */
  readonly workers: () => readonly WorkerEndpoint[];
  readonly isDraining: () => boolean;
  /** Metrics of the primary. */
  readonly ownMetrics: () => readonly MetricFamily[];
  readonly logger: Logger;
}

/** Timeout for switching maintenance mode in a new worker. @unit milliseconds */
const SWITCH_TIMEOUT_MS = 5_000;

/**
 * Opens the primary: the internal listener for all workers, and the budgets and idempotency keys that workers share without Redis.
 *
 * @throws ListenFailure when the internal port cannot be opened, and ConfigurationInvalid when the files of `server.tls` cannot be used
 */
export async function openPrimary(config: ResolvedGatewayConfig, options: PrimaryOptions): Promise<Primary> {
  const { server, maintenance } = config;
  const { workers, isDraining, ownMetrics, logger } = options;
  const isProxy = compileNetworks(server.trustedProxies);
  const limits = createEdgeLimits({ settings: server, isProxy, logger });
  const metrics = createMergedMetrics();
  let switched: MaintenanceState | undefined;
  const handler = createPrimaryHandler({
    workers,
    isDraining,
    metrics,
    ownMetrics,
    onRequestToAll: (request, response) => {
      switched = readSwitch(request, response) ?? switched;
    },
    requireTrustedPath: createTrustedPathCheck(isProxy),
    requireServicePath: createServicePathCheck(isProxy),
    logger,
  });
  const certificate = server.tls === undefined || isLoopback(server.internalHost) ? undefined : followCertificate(server.tls, logger);
  const listener = await openHttpListener(
    {
      ...server,
      tls: certificate?.material,
      name: 'The internal listener',
      portSetting: 'INTERNAL_PORT (server.internalPort)',
      hostSetting: 'INTERNAL_HOST (server.internalHost)',
      host: server.internalHost,
      port: server.internalPort,
      limits,
      toErrorResponse: handler.toErrorResponse,
    },
    handler,
  ).catch(async (error: unknown) => {
    await certificate?.[Symbol.asyncDispose]();
    throw error;
  });
  certificate?.onChange((material) => listener.secure?.(material));
  return {
    internalUrl: listener.url,
    openSession: createSharedState(config),
    maintenance: () => switched,
    async adopt(worker, startedWith) {
      if (switched === startedWith || switched === undefined || maintenance.key === undefined) return;
      const { enabled, retryAfterSeconds } = switched;
      await requestWorker(worker, {
        method: enabled ? 'PUT' : 'DELETE',
        target: '/maintenance',
        headers: { authorization: `Bearer ${maintenance.key}` },
        ...(enabled ? { body: JSON.stringify({ retryAfterSeconds }) } : {}),
        timeoutMs: SWITCH_TIMEOUT_MS,
      });
    },
    prepareStop: (worker) => metrics.note(toMetricsSource(worker)),
    forget: (worker) => metrics.retain(worker),
    async close() {
      await listener.drain(0);
      await certificate?.[Symbol.asyncDispose]();
    },
  };
}

/** Creates the stores of the primary. They are bounded by the same settings as in one process. */
function createSharedState({ budget, idempotency, graphql: { operationTimeoutMs } }: ResolvedGatewayConfig): OpenPrimarySession {
  const buckets = createMemoryBuckets({ maxEntries: budget.maxCallers, clock: systemClock });
  const leases = createPrimaryLeaseBook({ buckets, clock: systemClock, schedule: startTimer });
  const keys = openMemoryStore(idempotency, { operationTimeoutMs, clock: systemClock });
  return (notify) => {
    const budgets = leases.open(notify);
    return {
      run(name, args) {
        if (name === 'take') return budgets.take(args);
        if (name === 'surrender') return budgets.surrender(args);
        return changeKeyForWorker(keys, name, args);
      },
      end: budgets.end,
    };
  };
}

function startTimer(run: () => void, delayMs: number): () => void {
  const timer = setTimeout(run, delayMs).unref();
  return () => clearTimeout(timer);
}

function readSwitch({ method, target }: Omit<WorkerRequest, 'timeoutMs'>, { status, body }: WorkerResponse): MaintenanceState | undefined {
  if (status !== 200 || !/^\/maintenance\/?(?:\?|$)/.test(target) || (method !== 'PUT' && method !== 'DELETE')) return undefined;
  const { by, retryAfterSeconds } = JSON.parse(body) as { readonly by: readonly string[]; readonly retryAfterSeconds: number };
  return { enabled: by.includes('operator'), retryAfterSeconds };
}
