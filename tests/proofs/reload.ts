/**
 * Reloads the supergraph under load, with 100 valid and 50 invalid supergraphs, without a failed request and without a leak.
 *
 * Duration: about 2 minutes
 */
import { type ReloadOptions, reloadManyTimes } from '../integration/reload/reload-many-times.ts';

const RUNS: readonly ReloadOptions[] = [
  { source: 'file', good: 90, bad: 42, warmUp: 40, perSecond: 200 },
  { source: 'subgraphs', good: 10, bad: 8, warmUp: 8, perSecond: 200 },
];

/** Maximum growth of the heap. */
const MAX_GROWTH = 0.05;

const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;

for (const run of RUNS) {
  const startedAt = performance.now();
  const { responded, failures, before, after, longestBlockMs, slowestMs, report } = await reloadManyTimes(run);
  const growth = after.heap / before.heap - 1;
  console.log(
    [
      `Supergraph from ${run.source}: ${run.good} valid and ${run.bad} invalid reloads in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s.`,
      `  requests: ${responded} with the expected response, ${failures.length} without; the slowest took ${slowestMs.toFixed(0)} ms`,
      `  heap: ${megabytes(before.heap)} before, ${megabytes(after.heap)} after (${(growth * 100).toFixed(1)} %); resident: ${megabytes(before.resident)}, ${megabytes(after.resident)}`,
      `  the event loop was blocked for at most ${longestBlockMs.toFixed(0)} ms`,
      `  loads: ${report.loads}, rejections: ${report.rejections}, failed polls: ${report.failedLooks}, alive: ${report.alive}`,
      ...failures.slice(0, 10).map((failure) => `  ${failure}`),
    ].join('\n'),
  );
  const isProven = failures.length === 0 && growth <= MAX_GROWTH && report.alive === 1 && report.loads === run.good + run.warmUp + 1;
  if (!isProven) {
    console.error('  The documented guarantees are not met.');
    process.exitCode = 1;
  }
}
