import { setTimeout as delay } from 'node:timers/promises';
import { ANONYMOUS } from '../platform/principal.ts';
import type { SubgraphContext } from '../supergraph/subgraph-executor.ts';
import type { Generation } from './generation.ts';
import { writeSampleOperations } from './sample-operations.ts';

/** Pause after each operation, in which V8 compiles and requests are processed. @unit milliseconds */
const PAUSE_MS = 5;

/** Pause while the gateway has requests. @unit milliseconds */
const BUSY_PAUSE_MS = 100;

/** Number of such pauses after which the exercise ends, because the operations of clients run the same code. */
const MAX_BUSY_PAUSES = 20;

/** Caller of the operations. */
const CONTEXT: SubgraphContext = { principal: ANONYMOUS, correlationId: 'warm-up', headers: {} };

export interface ExerciseOptions {
  /** Number of operations. */
  readonly count: number;
  /** Returns whether requests are in progress. */
  readonly isBusy: () => boolean;
  /** Ends the exercise when the gateway closes. */
  readonly signal: AbortSignal;
}

/**
 * Prepares generated operations, and executes them without subgraphs, while the gateway has no requests, so that V8 optimizes the code before
 * clients need it (ADR 112).
 */
export async function exerciseGeneration(generation: Generation, { count, isBusy, signal }: ExerciseOptions): Promise<void> {
  if (generation.exercise === undefined) return;
  let busyPauses = 0;
  for (const document of writeSampleOperations(generation.schema, count)) {
    while (isBusy() && busyPauses < MAX_BUSY_PAUSES) {
      busyPauses += 1;
      await pause(BUSY_PAUSE_MS, signal);
    }
    if (signal.aborted || busyPauses >= MAX_BUSY_PAUSES) return;
    await generation.exercise(document, CONTEXT);
    await pause(PAUSE_MS, signal);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
