import { setTimeout as wait } from 'node:timers/promises';
import { readUsage } from '../process/process-tree.ts';
import { type LoadOptions, startLoad } from './closed-loop.ts';

// Runs the clients in a separate process, so that their resources do not count for another process.

export interface MeasureCommand extends LoadOptions {
  /** Process ID of the gateway. */
  readonly pid: number;
  /** @unit milliseconds */
  readonly warmUpMs: number;
  /** @unit milliseconds */
  readonly durationMs: number;
}

/** Measurement of one operation on one gateway. */
export interface Measurement {
  /** CPU time of the gateway per response. @unit milliseconds */
  readonly cpuMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly requestsPerSecond: number;
  /** Maximum memory under this load. @unit megabytes */
  readonly rssMb: number;
  /** Share of the time in which the gateway used the CPU. */
  readonly utilization: number;
  /** Number of requests sent, including the warm-up. */
  readonly sent: number;
  readonly failures: number;
  readonly failure?: string;
}

const RSS_INTERVAL_MS = 250;

async function measure({ pid, warmUpMs, durationMs, ...options }: MeasureCommand): Promise<Measurement> {
  const load = startLoad(options);
  await wait(warmUpMs);
  const warmUp = load.read();
  const before = readUsage(pid);
  const begin = performance.now();
  let rssBytes = before.rssBytes;
  const watch = setInterval(() => {
    ({ rssBytes } = { rssBytes: Math.max(rssBytes, readUsage(pid).rssBytes) });
  }, RSS_INTERVAL_MS);
  await wait(durationMs);
  clearInterval(watch);
  const after = readUsage(pid);
  const elapsedMs = performance.now() - begin;
  const timed = load.read();
  const sent = await load.stop();
  const rest = load.read();
  const sorted = Float64Array.from(timed.latencies).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  const cpuMs = after.cpuMs - before.cpuMs;
  const failure = warmUp.failure ?? timed.failure ?? rest.failure;
  return {
    cpuMs: cpuMs / sorted.length,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    requestsPerSecond: (sorted.length * 1_000) / elapsedMs,
    rssMb: Math.max(rssBytes, after.rssBytes) / 1_048_576,
    utilization: cpuMs / elapsedMs,
    sent,
    failures: warmUp.failures + timed.failures + rest.failures,
    ...(failure === undefined ? {} : { failure }),
  };
}

process.on('message', (command: MeasureCommand) => {
  void measure(command).then((measurement) => process.send?.(measurement));
});
process.on('disconnect', () => process.exit());
