import { readFileSync } from 'node:fs';
import type { AttackedGateway } from './gateway-process.ts';
import { type Experience, type HonestTarget, requestHonestly } from './honest-caller.ts';

/** Measurements from outside and inside the gateway during some seconds. */
export interface Measurement extends Experience {
  /** Highest resident memory. @unit bytes */
  readonly peak: number;
  /** Longest time for which the event loop of the gateway was blocked. @unit milliseconds */
  readonly longestDelayMs: number;
  /** CPU time of the gateway with its planner. @unit seconds per second */
  readonly cpu: number;
}

interface WitnessLine {
  readonly at: number;
  readonly longestDelayMs: number;
  readonly cpuMs: number;
}

const SAMPLE_INTERVAL_MS = 250;

/** Measures an honest caller and the gateway for some seconds. */
export async function measure({ pid, witness }: AttackedGateway, caller: HonestTarget, seconds: number): Promise<Measurement> {
  let peak = residentOf(pid);
  const sampling = setInterval(() => {
    peak = Math.max(peak, residentOf(pid));
  }, SAMPLE_INTERVAL_MS);
  const startedAt = Date.now();
  try {
    const experience = await requestHonestly(caller, seconds);
    const elapsedMs = Date.now() - startedAt;
    const lines = readWitness(witness).filter(({ at }) => at >= startedAt);
    return {
      ...experience,
      peak,
      longestDelayMs: Math.max(0, ...lines.map(({ longestDelayMs }) => longestDelayMs)),
      cpu: lines.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / elapsedMs,
    };
  } finally {
    clearInterval(sampling);
  }
}

/** Merges two measurements under the same conditions. */
export function joined(one: Measurement, other: Measurement): Measurement {
  const rejected = new Map(one.rejected);
  for (const [failure, count] of other.rejected) rejected.set(failure, (rejected.get(failure) ?? 0) + count);
  return {
    times: [...one.times, ...other.times],
    newTimes: [...one.newTimes, ...other.newTimes],
    controlTimes: [...one.controlTimes, ...other.controlTimes],
    rejected,
    peak: Math.max(one.peak, other.peak),
    longestDelayMs: Math.max(one.longestDelayMs, other.longestDelayMs),
    cpu: (one.cpu + other.cpu) / 2,
  };
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Resident memory of a process, or 0 if it has exited. @unit bytes */
function residentOf(pid: number): number {
  try {
    return 1_024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function readWitness(file: string): readonly WitnessLine[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line) as WitnessLine);
}
