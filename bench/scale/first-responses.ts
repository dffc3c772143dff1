import { isDeepStrictEqual } from 'node:util';
import { readUsage } from '../process/process-tree.ts';
import { quantile } from '../report/quantile.ts';
import type { GraphSize } from './large-supergraph.ts';
import { OPERATION_SIZES, type OperationSize, writeNewOperation } from './new-operations.ts';
import { resolveOperation } from './resolve-operation.ts';

/** Figures of the responses to new operations of one size. Each operation is sent once. */
export interface FirstResponses {
  /** Median of the latencies. @unit milliseconds */
  readonly p50Ms: number;
  /** CPU time of the gateway per operation. @unit milliseconds */
  readonly cpuMs: number;
  /** Number of operations that were sent. */
  readonly sent: number;
  /** Number of operations without the expected response. */
  readonly failures: number;
  /** Beginning of the first unexpected response. */
  readonly failure?: string;
}

/** Number of operations of each size. */
const OPERATIONS = 200;
/** Time after which no more operations of a size are sent. @unit milliseconds */
const MAX_DURATION_MS = 60_000;

/** Sends new operations of each size to a gateway, one after another, and compares the responses with the expected ones. */
export async function measureFirstResponses(
  url: string,
  pid: number,
  size: GraphSize,
): Promise<Readonly<Record<OperationSize, FirstResponses>>> {
  const results: Partial<Record<OperationSize, FirstResponses>> = {};
  for (const kind of OPERATION_SIZES) results[kind] = await measureKind(kind, { url, pid, size });
  return results as Record<OperationSize, FirstResponses>;
}

interface Subject {
  readonly url: string;
  readonly pid: number;
  readonly size: GraphSize;
}

async function measureKind(kind: OperationSize, { url, pid, size }: Subject): Promise<FirstResponses> {
  const queries = Array.from({ length: OPERATIONS }, (_, number) => writeNewOperation(kind, number, size));
  const responses: string[] = [];
  const latencies: number[] = [];
  const { cpuMs } = readUsage(pid);
  const beginning = performance.now();
  for (const query of queries) {
    const startedAt = performance.now();
    if (startedAt - beginning > MAX_DURATION_MS) break;
    responses.push(await postQuery(url, query));
    latencies.push(performance.now() - startedAt);
  }
  const used = readUsage(pid).cpuMs - cpuMs;
  const wrong = responses.filter((text, index) => !isExpected(text, queries[index] ?? '', size));
  return {
    p50Ms: quantile(latencies, 0.5),
    cpuMs: used / latencies.length,
    sent: latencies.length,
    failures: wrong.length,
    ...(wrong[0] === undefined ? {} : { failure: wrong[0].slice(0, 300) }),
  };
}

function isExpected(text: string, query: string, size: GraphSize): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text), { data: resolveOperation({ query }, size) });
  } catch {
    return false;
  }
}

/** Sends a query and returns the body of the response. */
export async function postQuery(url: string, query: string): Promise<string> {
  // `fetch` accepts compressed responses by default, and gateways differ in whether they compress.
  const headers = { 'content-type': 'application/json', accept: 'application/json', 'accept-encoding': 'identity' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }) });
  return response.text();
}
