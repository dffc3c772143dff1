import { isDeepStrictEqual } from 'node:util';
import { request } from 'undici';
import { type Operation, type OperationName, OPERATIONS } from '../graph/operations.ts';
import { bodyOf, type Graph } from '../graph/start-graph.ts';
import type { MeasureCommand, Measurement } from '../load/driver-process.ts';
import { startTarget } from '../process/running-target.ts';
import type { Worker } from '../process/worker.ts';
import type { Target, TargetName } from '../targets/target.ts';

/** Options of a measurement. */
export interface MeasureOptions {
  readonly graph: Graph;
  readonly driver: Worker<MeasureCommand, Measurement>;
  readonly gatefold: string;
  readonly operations: readonly Operation[];
  readonly connections: number;
  /** @unit milliseconds */
  readonly warmUpMs: number;
  /** @unit milliseconds */
  readonly durationMs: number;
}

/** Measurement of one operation on one process of a target. */
export interface Sample extends Measurement {
  readonly target: TargetName;
  readonly operation: OperationName;
  readonly readyMs: number;
  /** Latency of the first response to this operation by this process. @unit milliseconds */
  readonly firstMs: number;
  /** Subgraph requests per client request. */
  readonly fetches: number;
}

/** A running target whose operations can be measured. */
export interface MeasuredTarget extends AsyncDisposable {
  readonly name: TargetName;
  /** Measures an operation. A wrong response makes the sample a failure, and the operation is not timed. */
  measure(operation: Operation, times: Pick<MeasureOptions, 'warmUpMs' | 'durationMs'>): Promise<Sample>;
}

/**
 * Starts a target, measures every operation and stops the target.
 *
 * @throws TargetMissing when the target does not start
 */
export async function measureTarget(target: Target, options: MeasureOptions): Promise<readonly Sample[]> {
  await using measured = await startMeasuredTarget(target, options);
  const samples: Sample[] = [];
  for (const operation of options.operations) samples.push(await measured.measure(operation, options));
  return samples;
}

/** @throws TargetMissing when the target does not start */
export async function startMeasuredTarget(target: Target, options: Omit<MeasureOptions, 'operations'>): Promise<MeasuredTarget> {
  const { graph, driver, connections, gatefold } = options;
  const { name } = target;
  const tiny = find('tiny');
  const isReady = async (url: string) => (await query(url, bodyOf(tiny), graph.responseTo(tiny))).isCorrect;
  const running = await startTarget(target, { ...graph.context, gatefold }, isReady);
  const { pid, origin, path, readyMs } = running;
  const firsts = new Map<OperationName, number>();
  return {
    name,
    async measure(operation, { warmUpMs, durationMs }) {
      const [body, reference] = [bodyOf(operation), graph.responseTo(operation)];
      const begin = performance.now();
      const { isCorrect, text } = await query(origin + path, body, reference);
      const firstMs = firsts.get(operation.name) ?? performance.now() - begin;
      firsts.set(operation.name, firstMs);
      const identity = { target: name, operation: operation.name, readyMs, firstMs };
      if (!isCorrect) return { ...identity, ...NOTHING_MEASURED, failure: `wrong response before timing: ${text.slice(0, 500)}` };
      await graph.countRequests();
      driver.report({ origin, path, body, isFresh: operation.isFresh, response: text, connections, pid, warmUpMs, durationMs });
      const measurement = await driver.hear();
      const fetches = (await graph.countRequests()) / measurement.sent;
      const after = await query(origin + path, body, reference);
      const wrong = after.isCorrect
        ? {}
        : { failures: measurement.failures + 1, failure: `wrong response after timing: ${after.text.slice(0, 500)}` };
      return { ...identity, ...measurement, fetches, ...wrong };
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

const NOTHING_MEASURED = {
  cpuMs: Number.NaN,
  p50Ms: Number.NaN,
  p99Ms: Number.NaN,
  requestsPerSecond: 0,
  rssMb: 0,
  utilization: 0,
  fetches: 0,
  sent: 0,
  failures: 1,
};

function find(name: OperationName): Operation {
  const found = OPERATIONS.find((operation) => operation.name === name);
  if (found === undefined) throw new Error(`Unknown operation ${name}.`);
  return found;
}

/** Sends one request and compares its response with the reference. */
async function query(url: string, body: string, reference: string): Promise<{ readonly isCorrect: boolean; readonly text: string }> {
  try {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const response = await request(url, { method: 'POST', headers, body, reset: true });
    const text = await response.body.text();
    return { isCorrect: response.statusCode === 200 && isDeepStrictEqual(JSON.parse(text), JSON.parse(reference)), text };
  } catch (error) {
    return { isCorrect: false, text: String(error) };
  }
}
