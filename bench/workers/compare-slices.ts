import type { Slice } from '../load/measure-slice.ts';

/** Goal: maximum CPU time per request of two workers and their primary, as a multiple of one process. */
const MAX_CPU_RATIO = 1.1;
/** Goal: minimum throughput of two workers, as a multiple of one process. */
const MIN_WORK_RATIO = 1.8;
/** Largest share of two cores that clients and subgraphs may use, so that the throughput is a result. */
const MAX_LOAD = 0.05;
/** Largest share of two cores that other programs may use in a slice that counts. */
export const MAX_DISTURBANCE = 0.05;
/** Minimum number of cores that one process must use, so that its throughput is limited by the process. */
const MIN_BUSY = 0.95;

/** Slices of one load by configuration. Those with one index were measured one after another. */
export interface Slices {
  readonly one: readonly Slice[];
  readonly workers: readonly Slice[];
  readonly separate: readonly Slice[];
}

/** Comparison of the configurations under one load. */
export interface Comparison {
  readonly row: Readonly<Record<string, string | number>>;
  readonly notes: readonly string[];
  readonly isMissed: boolean;
  /** Whether the workers had their cores, so that the throughput is a result. */
  readonly isWorkDecided: boolean;
}

/** Compares the configurations by the medians of the ratios of slices that were measured one after another. */
export function compareSlices(name: string, { one, workers, separate }: Slices): Comparison {
  const ratio = (of: readonly Slice[], value: (slice: Slice) => number): number =>
    median(of.map((slice, index) => value(slice) / value(one[index] ?? slice)));
  const [cpu, cpuSeparate] = [ratio(workers, cpuPerRequest), ratio(separate, cpuPerRequest)];
  const [work, workSeparate] = [ratio(workers, throughput), ratio(separate, throughput)];
  const loadShare = median(workers.map(shareOfLoad));
  const busy = median(one.map((slice) => slice.gatewayMs / slice.elapsedMs));
  const wasCoreFree = loadShare <= MAX_LOAD && busy >= MIN_BUSY;
  const isWorkReached = work >= MIN_WORK_RATIO;
  const isWorkDecided = wasCoreFree || (isWorkReached && busy >= MIN_BUSY);
  const isCpuReached = cpu <= MAX_CPU_RATIO;
  const notes = [
    ...(isCpuReached ? [] : [`${name}: two workers need ${cpu.toFixed(2)} times the CPU time of one process, at most ${MAX_CPU_RATIO}.`]),
    ...(isWorkDecided && !isWorkReached ? [`${name}: two workers do ${work.toFixed(2)} times the work, at least ${MIN_WORK_RATIO}.`] : []),
    ...(isWorkDecided ? [] : [`${name}: work not decided: ${percent(loadShare)} of the cores were used by the load generator.`]),
  ];
  return {
    row: {
      load: name,
      'CPU ms, one': round(median(one.map(cpuPerRequest)), 3),
      'CPU, workers / one': round(cpu),
      'CPU, separate / one': round(cpuSeparate),
      'req/s, one': Math.round(median(one.map(throughput))),
      'work, workers / one': isWorkDecided ? round(work) : `(${round(work)})`,
      'work, separate / one': isWorkDecided ? round(workSeparate) : `(${round(workSeparate)})`,
      'work by CPU time': round(workersBy(cpu)),
      'cores used by the load': percent(loadShare),
    },
    notes,
    isMissed: !isCpuReached || (isWorkDecided && !isWorkReached),
    isWorkDecided,
  };
}

/** Returns how much two workers would do with two cores, computed from the CPU time per request. */
function workersBy(cpuRatio: number): number {
  return 2 / cpuRatio;
}

function cpuPerRequest({ gatewayMs, responses }: Slice): number {
  return gatewayMs / responses;
}

/** @unit responses per second */
function throughput({ responses, elapsedMs }: Slice): number {
  return (responses * 1_000) / elapsedMs;
}

/** Returns the share of two cores that clients and subgraphs used. */
function shareOfLoad({ loadMs, elapsedMs }: Slice): number {
  return loadMs / (elapsedMs * 2);
}

/** Whether other programs used the cores. On a machine with more cores, the idle ones are not of interest. */
export function isDisturbed({ busyMs, gatewayMs, loadMs, totalMs, elapsedMs }: Slice): boolean {
  const spareMs = Math.max(0, totalMs - elapsedMs * 2);
  return (busyMs - gatewayMs - loadMs - spareMs) / (elapsedMs * 2) > MAX_DISTURBANCE;
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = [sorted[middle - (sorted.length % 2 === 0 ? 1 : 0)], sorted[middle]];
  return (low + high) / 2;
}

function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}

/** Prints a share as percents. */
export function percent(share: number): string {
  return `${Math.round(share * 1_000) / 10} %`;
}
