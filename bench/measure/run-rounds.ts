import type { MeasureCommand, Measurement } from '../load/driver-process.ts';
import { startWorker } from '../process/worker.ts';
import { type Target, TargetMissing, type TargetName } from '../targets/target.ts';
import { type MeasureOptions, measureTarget, type Sample } from './measure-target.ts';

export interface RoundsOptions extends Omit<MeasureOptions, 'driver'> {
  readonly targets: readonly Target[];
  readonly rounds: number;
  /** Whether a target is measured in the first round only. */
  readonly isOnce: (target: TargetName) => boolean;
  /** Receives a line for each measured target. */
  readonly progress: (text: string) => void;
}

/** Result of the rounds. */
export interface RoundsResult {
  readonly samples: readonly Sample[];
  /** Targets that could not be measured, with the reason. */
  readonly missing: ReadonlyMap<TargetName, string>;
}

/**
 * Measures each target once per round, each time in a new process. Odd rounds use the reverse order, so that a gradual change in the speed
 * of the machine favors no target.
 */
export async function runRounds({ targets, rounds, isOnce, progress, ...options }: RoundsOptions): Promise<RoundsResult> {
  using driver = startWorker<MeasureCommand, Measurement>(new URL('../load/driver-process.ts', import.meta.url));
  const samples: Sample[] = [];
  const missing = new Map<TargetName, string>();
  for (let round = 0; round < rounds; round += 1) {
    for (const target of round % 2 === 0 ? targets : targets.toReversed()) {
      if (missing.has(target.name) || (round > 0 && isOnce(target.name))) continue;
      try {
        const measured = await measureTarget(target, { ...options, driver });
        samples.push(...measured);
        const figures = measured.map(({ operation, cpuMs, failures }) => `${operation} ${cpuMs.toFixed(3)}${failures > 0 ? ' WRONG' : ''}`);
        progress(`round ${round + 1} of ${rounds}  ${target.name.padEnd(15)} ${figures.join('  ')}`);
      } catch (error) {
        if (!(error instanceof TargetMissing)) throw error;
        missing.set(target.name, error.message);
        progress(`MISSING  ${target.name}: ${error.message}`);
      }
    }
  }
  return { samples, missing };
}
