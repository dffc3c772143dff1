import type { MeasureCommand, Measurement } from '../load/driver-process.ts';
import { startWorker } from '../process/worker.ts';
import type { Target } from '../targets/target.ts';
import { type MeasuredTarget, type MeasureOptions, type Sample, startMeasuredTarget } from './measure-target.ts';

export interface PairsOptions extends Omit<MeasureOptions, 'driver'> {
  readonly targets: readonly [Target, Target];
  readonly rounds: number;
  /** Receives a line for each measured operation. */
  readonly progress: (text: string) => void;
}

/** Number of slices per target, operation and round. */
const SLICES = 10;
/** Time for connecting the clients of a slice. @unit milliseconds */
const CONNECT_MS = 150;
/** Duration of a slice. @unit milliseconds */
const SLICE_MS = 400;

/**
 * Measures two running targets in short slices that alternate. The speed of a shared machine changes by half within seconds. Both targets
 * of a pair of slices run at the same speed, so the ratio of their figures is stable.
 *
 * @returns Samples. The n-th sample of one target and the n-th sample of the other form a pair, for each operation.
 * @throws TargetMissing when a target does not start
 */
export async function runPairs({ targets, rounds, progress, operations, ...options }: PairsOptions): Promise<readonly Sample[]> {
  using driver = startWorker<MeasureCommand, Measurement>(new URL('../load/driver-process.ts', import.meta.url));
  const samples: Sample[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [first, second] = round % 2 === 0 ? targets : targets.toReversed();
    await using one = await startMeasuredTarget(first, { ...options, driver });
    await using other = await startMeasuredTarget(second, { ...options, driver });
    for (const operation of operations) {
      const taken = await measurePairs([one, other], (target, times) => target.measure(operation, times), options.warmUpMs);
      samples.push(...taken);
      progress(`round ${round + 1} of ${rounds}  ${operation.name}`);
    }
  }
  return samples;
}

async function measurePairs(
  pair: readonly MeasuredTarget[],
  measure: (target: MeasuredTarget, times: { readonly warmUpMs: number; readonly durationMs: number }) => Promise<Sample>,
  warmUpMs: number,
): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (let slice = 0; slice < SLICES; slice += 1) {
    for (const target of slice % 2 === 0 ? pair : pair.toReversed()) {
      samples.push(await measure(target, { warmUpMs: slice === 0 ? warmUpMs : CONNECT_MS, durationMs: SLICE_MS }));
    }
  }
  return samples;
}
