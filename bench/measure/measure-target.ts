import { isDeepStrictEqual } from 'node:util';
import { request } from 'undici';
import { type Operation, type OperationName, OPERATIONS } from '../graph/operations.ts';
import { bodyOf, type Graph } from '../graph/start-graph.ts';
import type { MeasureCommand, Measurement } from '../load/driver-process.ts';
import { startTarget } from '../process/running-target.ts';
import type { Worker } from '../process/worker.ts';
import type { Target, TargetName } from '../targets/target.ts';

/** What is measured, and for how long. */
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

/** One operation against one process of a target. */
export interface Sample extends Measurement {
  readonly target: TargetName;
  readonly operation: OperationName;
  readonly readyMs: number;
  /** The first answer to this operation by this process. @unit milliseconds */
  readonly firstMs: number;
  /** Requests to subgraphs for each request of a client. */
  readonly fetches: number;
}

/**
 * Starts a target, has it answer every operation, and stops it. An answer that is not the reference's makes the sample
 * one with failures; the operation is not timed then.
 *
 * @throws TargetMissing when it does not start
 */
export async function measureTarget(target: Target, options: MeasureOptions): Promise<readonly Sample[]> {
  const { graph, driver, operations, connections, warmUpMs, durationMs, gatefold } = options;
  const tiny = find('tiny');
  const isReady = async (url: string) => (await ask(url, bodyOf(tiny), graph.answerTo(tiny))).isCorrect;
  await using running = await startTarget(target, { ...graph.context, gatefold }, isReady);
  const { pid, origin, path, readyMs } = running;
  const samples: Sample[] = [];
  for (const operation of operations) {
    const [body, reference] = [bodyOf(operation), graph.answerTo(operation)];
    const begin = performance.now();
    const { isCorrect, text } = await ask(origin + path, body, reference);
    const firstMs = performance.now() - begin;
    const identity = { target: target.name, operation: operation.name, readyMs, firstMs };
    if (!isCorrect) {
      samples.push({ ...identity, ...NOTHING_MEASURED, failure: `a wrong answer before timing: ${text.slice(0, 500)}` });
      continue;
    }
    await graph.countRequests();
    driver.tell({ origin, path, body, isFresh: operation.isFresh, answer: text, connections, pid, warmUpMs, durationMs });
    const measurement = await driver.hear();
    const fetches = (await graph.countRequests()) / measurement.sent;
    const after = await ask(origin + path, body, reference);
    const wrong = after.isCorrect
      ? {}
      : { failures: measurement.failures + 1, failure: `a wrong answer after timing: ${after.text.slice(0, 500)}` };
    samples.push({ ...identity, ...measurement, fetches, ...wrong });
  }
  return samples;
}

const NOTHING_MEASURED = {
  cpuMs: Number.NaN,
  p50Ms: Number.NaN,
  p99Ms: Number.NaN,
  requestsPerSecond: 0,
  rssMb: 0,
  utilisation: 0,
  fetches: 0,
  sent: 0,
  failures: 1,
};

function find(name: OperationName): Operation {
  const found = OPERATIONS.find((operation) => operation.name === name);
  if (found === undefined) throw new Error(`There is no operation ${name}.`);
  return found;
}

/** One request, whose answer must say what the reference says. */
async function ask(url: string, body: string, reference: string): Promise<{ readonly isCorrect: boolean; readonly text: string }> {
  try {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const response = await request(url, { method: 'POST', headers, body, reset: true });
    const text = await response.body.text();
    return { isCorrect: response.statusCode === 200 && isDeepStrictEqual(JSON.parse(text), JSON.parse(reference)), text };
  } catch (error) {
    return { isCorrect: false, text: String(error) };
  }
}
