import type { OperationName } from '../graph/operations.ts';
import type { Sample } from '../measure/measure-target.ts';
import type { TargetName } from '../targets/target.ts';

/** Medians of all rounds, computed separately for each figure. */
export interface Medians {
  readonly cpuMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly requestsPerSecond: number;
  readonly rssMb: number;
  readonly fetches: number;
  readonly firstMs: number;
  readonly readyMs: number;
  /** Spread of the CPU times of the rounds: maximum divided by minimum, minus 1. */
  readonly spread: number;
}

/** Figures of one run. */
export interface Figures {
  /** Returns undefined when the operation was not measured or a response was wrong. */
  find(target: TargetName, operation: OperationName): Medians | undefined;
  /** Returns the median ratio of CPU times between the n-th samples of two targets; undefined under the same conditions as `find`. */
  cpuQuotient(operation: OperationName, one: TargetName, other: TargetName): number | undefined;
  /** Returns the median startup time of all rounds and operations. @unit milliseconds */
  readyMs(target: TargetName): number | undefined;
}

export function takeMedians(samples: readonly Sample[]): Figures {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const key = `${sample.target} ${sample.operation}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [sample]);
    else group.push(sample);
  }
  const found = new Map<string, Medians>();
  for (const [key, group] of groups) if (group.every(({ failures }) => failures === 0)) found.set(key, toMedians(group));
  return {
    find: (target, operation) => found.get(`${target} ${operation}`),
    cpuQuotient(operation, one, other) {
      const [ones, others] = [`${one} ${operation}`, `${other} ${operation}`];
      if (!found.has(ones) || !found.has(others)) return undefined;
      const divisors = groups.get(others) ?? [];
      const quotients = (groups.get(ones) ?? []).flatMap((sample, index) => {
        const divisor = divisors[index];
        return divisor === undefined ? [] : [sample.cpuMs / divisor.cpuMs];
      });
      return quotients.length === 0 ? undefined : median(quotients);
    },
    readyMs: (target) => {
      const times = samples.filter((sample) => sample.target === target).map(({ readyMs }) => readyMs);
      return times.length === 0 ? undefined : median(times);
    },
  };
}

function toMedians(group: readonly Sample[]): Medians {
  const of = (pick: (sample: Sample) => number) => median(group.map(pick));
  const cpu = group.map(({ cpuMs }) => cpuMs);
  return {
    cpuMs: of(({ cpuMs }) => cpuMs),
    p50Ms: of(({ p50Ms }) => p50Ms),
    p99Ms: of(({ p99Ms }) => p99Ms),
    requestsPerSecond: of(({ requestsPerSecond }) => requestsPerSecond),
    rssMb: of(({ rssMb }) => rssMb),
    fetches: of(({ fetches }) => fetches),
    firstMs: of(({ firstMs }) => firstMs),
    readyMs: of(({ readyMs }) => readyMs),
    spread: Math.max(...cpu) / Math.min(...cpu) - 1,
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const [upper = Number.NaN, lower = upper] = [sorted[middle], sorted[middle - 1]];
  return sorted.length % 2 === 1 ? upper : (upper + lower) / 2;
}
