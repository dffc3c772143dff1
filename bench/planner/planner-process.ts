import { performance } from 'node:perf_hooks';
import { type PlanSize, type PlannerName, createPlanning } from './planners.ts';

// Plans the documents that it receives for one supergraph. It is a separate process, so that a plan that takes too long can be abandoned.
// Started by path.

/** Request to the process. The first message contains the supergraph, each further one a document. */
export type ProcessRequest =
  | { readonly planner: PlannerName; readonly supergraphSdl: string }
  /**
   * The document is planned until the code is compiled: for `warmUpMs` and `WARM_UP_PLANS` times, unless that takes too long. Then `repeat`
   * plans are measured.
   */
  | { readonly document: string; readonly warmUpMs: number; readonly repeat: number };

export interface ProcessResponse {
  readonly size?: PlanSize;
  /** Median time. @unit milliseconds */
  readonly elapsedMs?: number;
  /** Maximum memory of the process. @unit megabytes */
  readonly memoryMb: number;
  readonly error?: string;
}

/** Minimum number of plans in the warm-up. With a minimum time alone, large plans would be measured before V8 has optimized the code. */
const WARM_UP_PLANS = 200;

/** @unit milliseconds */
const LONGEST_WARM_UP_MS = 4_000;

let plan: ReturnType<typeof createPlanning> | undefined;

function timed(document: string, warmUpMs: number, repeat: number): Omit<ProcessResponse, 'memoryMb'> {
  if (plan === undefined) throw new Error('No supergraph was sent.');
  const started = performance.now();
  const isWarm = (plans: number, elapsed: number): boolean => {
    return warmUpMs === 0 || elapsed > LONGEST_WARM_UP_MS || (elapsed > warmUpMs && plans >= WARM_UP_PLANS);
  };
  for (let plans = 0; !isWarm(plans, performance.now() - started); plans += 1) plan(document);
  const times: number[] = [];
  let size: PlanSize | undefined;
  for (let round = 0; round < repeat; round += 1) {
    const startedAt = performance.now();
    size = plan(document);
    times.push(performance.now() - startedAt);
  }
  times.sort((one, other) => one - other);
  return { ...(size === undefined ? {} : { size }), elapsedMs: times[Math.floor(times.length / 2)] ?? 0 };
}

function respond(request: ProcessRequest): Omit<ProcessResponse, 'memoryMb'> {
  try {
    if ('document' in request) return timed(request.document, request.warmUpMs, request.repeat);
    plan = createPlanning(request.planner, request.supergraphSdl);
    return {};
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', (request: ProcessRequest) => {
  const response: ProcessResponse = { ...respond(request), memoryMb: Math.round(process.resourceUsage().maxRSS / 1_024) };
  process.send?.(response);
});
