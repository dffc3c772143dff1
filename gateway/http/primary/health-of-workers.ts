import { requestWorker, type WorkerEndpoint } from './request-worker.ts';

/** Timeout for the health report of a worker. @unit milliseconds */
const TIMEOUT_MS = 1_000;

/** Health report of one worker. */
interface WorkerHealth {
  readonly worker: number;
  /** Status of its report, or `unavailable` when it does not respond in time. */
  readonly status: string;
  readonly [key: string]: unknown;
}

/** Readiness of the process group. */
export interface WorkersHealth {
  /** HTTP status: 200 if at least one worker serves requests. */
  readonly httpStatus: 200 | 503;
  readonly report: {
    readonly status: string;
    readonly checks: object;
    readonly workers: readonly WorkerHealth[];
  };
}

/** Combines the readiness of all workers: clients are served as long as one of them serves. */
export async function readHealthOfWorkers(workers: readonly WorkerEndpoint[], isDraining: boolean): Promise<WorkersHealth> {
  const reports = await Promise.all(workers.map(async (worker) => readReport(worker, '/health/ready')));
  const isReady = ({ isServing }: WorkerEndpoint, index: number): boolean => isServing && reports[index]?.httpStatus === 200;
  const first = reports[workers.findIndex(isReady)];
  const checks = (first ?? reports[0])?.health['checks'] ?? { supergraph: 'missing' };
  const status = isDraining ? 'draining' : (first?.health.status ?? 'unavailable');
  return {
    httpStatus: isDraining || first === undefined ? 503 : 200,
    report: { status, checks: { ...checks, lifecycle: isDraining ? 'draining' : 'ok' }, workers: reports.map(({ health }) => health) },
  };
}

/** Reads one report of all workers, such as `/health/supergraph`. Undefined if no worker has it. */
export async function readReportOfWorkers(workers: readonly WorkerEndpoint[], path: string): Promise<object | undefined> {
  const reports = await Promise.all(workers.map(async (worker) => readReport(worker, path)));
  if (reports.every(({ httpStatus }) => httpStatus === 404)) return undefined;
  return { status: 'ok', workers: reports.map(({ health }) => health) };
}

async function readReport(worker: WorkerEndpoint, path: string): Promise<{ readonly httpStatus: number; readonly health: WorkerHealth }> {
  const { number } = worker;
  const response = await requestWorker(worker, { method: 'GET', target: path, timeoutMs: TIMEOUT_MS });
  if (response === undefined) return { httpStatus: 503, health: { worker: number, status: 'unavailable' } };
  const health = JSON.parse(response.body) as { readonly status: string };
  return { httpStatus: response.status, health: { worker: number, ...health } };
}
