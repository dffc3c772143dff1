import { GatewayError } from '../../platform/errors.ts';
import { requestWorker, type WorkerEndpoint, type WorkerRequest, type WorkerResponse } from './request-worker.ts';

/** Timeout for the response of a worker. @unit milliseconds */
const TIMEOUT_MS = 5_000;

/**
 * Sends a request to all workers, also to those that are being stopped, and returns one response. Numbers of `invalidated` entries are
 * added.
 *
 * @throws GatewayError `OVERLOADED` when a worker that serves has not confirmed the request
 */
export async function requestAllWorkers(
  workers: () => readonly WorkerEndpoint[],
  request: Omit<WorkerRequest, 'timeoutMs'>,
): Promise<WorkerResponse> {
  const responses = await Promise.all(
    workers().map(async (worker) => ({ worker, response: await requestWorker(worker, { ...request, timeoutMs: TIMEOUT_MS }) })),
  );
  const missing = responses.filter(({ worker, response }) => response === undefined && isServing(worker, workers()));
  if (missing.length > 0) throw unconfirmed(missing.map(({ worker }) => worker.number));
  const received = responses.flatMap(({ response }) => (response === undefined ? [] : [response]));
  const first = received.toSorted((one, other) => other.status - one.status)[0];
  if (first === undefined) throw noWorker();
  return { ...first, body: withSum(received, first) };
}

/** Creates the error of a request that needs a worker while none serves. */
export function noWorker(): GatewayError {
  return new GatewayError('OVERLOADED', 'No worker process is ready. Send the request again later.', { headers: { 'retry-after': '1' } });
}

function unconfirmed(numbers: readonly number[]): GatewayError {
  const names = numbers.length === 1 ? `Worker ${numbers[0]} has` : `The workers ${numbers.join(', ')} have`;
  return new GatewayError('OVERLOADED', `${names} not confirmed the request. The other workers have applied it. Send it again.`, {
    headers: { 'retry-after': '1' },
  });
}

/** Whether a worker still serves. A worker that is being stopped closes its internal listener. */
function isServing({ internalUrl }: WorkerEndpoint, current: readonly WorkerEndpoint[]): boolean {
  return current.some((worker) => worker.internalUrl === internalUrl && worker.isServing);
}

/** Returns the body with the sum of the evicted entries of all workers. */
function withSum(responses: readonly WorkerResponse[], { body }: WorkerResponse): string {
  const counts = responses.map((response) => countOf(response.body));
  if (counts.some((count) => count === undefined)) return body;
  return JSON.stringify({ ...(JSON.parse(body) as object), invalidated: counts.reduce<number>((sum, count) => sum + (count ?? 0), 0) });
}

function countOf(body: string): number | undefined {
  if (!body.startsWith('{')) return undefined;
  const { invalidated } = JSON.parse(body) as { readonly invalidated?: unknown };
  return typeof invalidated === 'number' ? invalidated : undefined;
}
