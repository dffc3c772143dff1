import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../platform/logger.ts';
import type { Generation } from '../generation.ts';
import { sampleOperations } from './sample-operations.ts';

/** Lets V8 optimize the code for new operations before clients send them. */
export interface CodeWarmUp {
  /**
   * Prepares sample operations in the background. Does nothing after the first call, because the optimized code serves all supergraphs.
   *
   * @param createSample creates a generation whose caches are not used for requests
   */
  begin(createSample: () => Pick<Generation, 'schema' | 'warm'>): void;
}

export interface CodeWarmUpOptions {
  /** Maximum number of sample operations. 0: none. */
  readonly operations: number;
  readonly logger: Logger;
}

/** Pause after each operation, in which requests are processed. @unit milliseconds */
const PAUSE_MS = 1;
/** Pause while the event loop is busy. @unit milliseconds */
const BUSY_PAUSE_MS = 100;
/** Share of a pause in which the event loop may work for requests. */
const MAX_UTILIZATION = 0.5;
/** Number of busy pauses after which the warm-up ends: the requests of clients are optimized meanwhile. */
const MAX_BUSY_PAUSES = 50;

export function createCodeWarmUp({ operations, logger }: CodeWarmUpOptions): CodeWarmUp {
  let isBegun = operations === 0;

  async function run({ schema, warm }: Pick<Generation, 'schema' | 'warm'>): Promise<void> {
    let busyPauses = 0;
    for (const document of sampleOperations(schema, operations)) {
      while (await isBusy()) {
        busyPauses += 1;
        if (busyPauses > MAX_BUSY_PAUSES) return;
        await delay(BUSY_PAUSE_MS, undefined, { ref: false });
      }
      await warm?.([{ document }], new AbortController().signal);
    }
  }

  return {
    begin(createSample) {
      if (isBegun) return;
      isBegun = true;
      // The planner is closed with the gateway, or when its supergraph is replaced, and the warm-up ends.
      run(createSample()).catch((error: unknown) => logger.debug({ err: error }, 'The warm-up has ended early.'));
    },
  };
}

/** Waits briefly, and returns whether the event loop was busy meanwhile. */
async function isBusy(): Promise<boolean> {
  const before = performance.eventLoopUtilization();
  await delay(PAUSE_MS, undefined, { ref: false });
  return performance.eventLoopUtilization(before).utilization > MAX_UTILIZATION;
}
