import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { createRawClient } from './raw-client.ts';

/** Load that the process generates. */
export type LoadCommand = {
  readonly port: number;
  readonly body: string;
  readonly seconds: number;
} & ({ readonly concurrency: number } | { readonly perSecond: number });

/** Result of a load. Times are measured from the planned start of a request. */
export interface LoadResult {
  readonly sent: number;
  readonly succeeded: number;
  readonly shed: number;
  /** Rejections without `Retry-After`, other statuses and closed connections, by status. */
  readonly others: Readonly<Record<string, number>>;
  /** Successful requests of each second, by the time of the response. */
  readonly goodput: readonly number[];
  readonly successMs: Quantiles;
  readonly shedMs: Quantiles;
  /** Quantile 99 % of the duration of rejections, by second. @unit milliseconds */
  readonly shedMsBySecond: readonly number[];
  /** Time of the last rejection. @unit milliseconds since the start */
  readonly lastShedMs: number | undefined;
  /** Quantile 99 % of the delay of the generator's own event loop. @unit milliseconds */
  readonly ownDelayMs: number;
}

/** @unit milliseconds */
export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Connections that are opened first. Further ones are opened when all are in use, so that no request waits for a connection. */
const CONNECTIONS = 512;
const MAX_CONNECTIONS = 10_000;
/** Interval at which due requests are sent. @unit milliseconds */
const STEP_MS = 1;
const RESOLUTION_MS = 2;

async function generate(command: LoadCommand): Promise<LoadResult> {
  using client = createRawClient(command.port, command.body, MAX_CONNECTIONS);
  await client.connect('concurrency' in command ? command.concurrency : CONNECTIONS);
  const startedAt = performance.now();
  const endsAt = startedAt + command.seconds * 1_000;
  const success: number[] = [];
  const shedBySecond: number[][] = [];
  const others: Record<string, number> = {};
  const goodput = Array.from({ length: command.seconds }, () => 0);
  let [sent, done] = [0, 0];
  let lastShedMs: number | undefined;
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();

  function send(dueAt: number, next?: () => void): void {
    sent += 1;
    client.send(({ status, hasRetryAfter }) => {
      done += 1;
      const now = performance.now();
      const second = Math.floor((now - startedAt) / 1_000);
      if (status === 200) {
        success.push(now - dueAt);
        if (goodput[second] !== undefined) goodput[second] += 1;
      } else if (status === 503 && hasRetryAfter) {
        (shedBySecond[Math.floor((dueAt - startedAt) / 1_000)] ??= []).push(now - dueAt);
        lastShedMs = now - startedAt;
      } else others[status] = (others[status] ?? 0) + 1;
      next?.();
    });
  }

  if ('concurrency' in command) keepBusy(command.concurrency, endsAt, send);
  else await sendSteadily(command.perSecond, { startedAt, endsAt, send });
  const patientUntil = endsAt + PATIENCE_MS;
  const isWaiting = (now: number): boolean => now < patientUntil && (now < endsAt || done < sent);
  while (isWaiting(performance.now())) await wait(10);
  if (done < sent) others['none'] = sent - done;
  delays.disable();
  const shed = shedBySecond.flat();
  return {
    sent,
    succeeded: success.length,
    shed: shed.length,
    others,
    goodput,
    successMs: quantilesOf(success),
    shedMs: quantilesOf(shed),
    shedMsBySecond: Array.from(shedBySecond, (times) => (times === undefined ? 0 : Math.round(quantilesOf(times).p99))),
    lastShedMs,
    ownDelayMs: Math.max(0, delays.percentile(99) / 1e6 - RESOLUTION_MS),
  };
}

type Send = (dueAt: number, next?: () => void) => void;

/** Sends the next request when one has ended. */
function keepBusy(concurrency: number, endsAt: number, send: Send): void {
  const next = (): void => {
    const now = performance.now();
    if (now < endsAt) send(now, next);
  };
  for (let count = 0; count < concurrency; count += 1) next();
}

/** Sends requests at a fixed rate, whether or not earlier ones have ended. */
async function sendSteadily(
  perSecond: number,
  { startedAt, endsAt, send }: { readonly startedAt: number; readonly endsAt: number; readonly send: Send },
): Promise<void> {
  for (let count = 0; ; ) {
    const now = performance.now();
    if (now >= endsAt) return;
    for (; startedAt + (count * 1_000) / perSecond <= now; count += 1) send(startedAt + (count * 1_000) / perSecond);
    await wait(STEP_MS);
  }
}

/** Time for the responses to the last requests. @unit milliseconds */
const PATIENCE_MS = 20_000;

function quantilesOf(times: readonly number[]): Quantiles {
  const sorted = Float64Array.from(times).toSorted();
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

process.on('message', (command) => {
  void generate(command as LoadCommand).then((result) => process.send?.(result));
});
process.once('disconnect', () => process.exit());
