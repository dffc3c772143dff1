/**
 * Sends five times as many requests as a gateway can complete, by an open-loop generator in another process. The gateway must complete at
 * least 90 % of its peak, reject the other requests with 503 and `Retry-After` in less than 20 ms (99 % of them), serve health checks, and
 * reject nothing 5 s after the load has fallen below its capacity. Exits with 1 otherwise.
 *
 * Duration: about 2 minutes
 *
 * `npm run prove overload [--seconds 60] [--factor 5] [--by-cpu] [--off]`. It needs two processors for itself. `--by-cpu` compares requests
 * by processor time of the gateway instead of by time, for a machine with other work, and does not check the duration of rejections. `--off`
 * disables load shedding, for comparison.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { argumentsForTypeScript } from '../support/process/process-of.ts';
import { createServeProcess } from '../support/process/serve-process.ts';
import { CATALOG_QUERY, startCatalogGraph } from './overload/catalog-graph.ts';
import type { LoadCommand, LoadResult } from './overload/load-process.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    factor: { type: 'string', default: '5' },
    'by-cpu': { type: 'boolean', default: false },
    off: { type: 'boolean', default: false },
  },
});
const SECONDS = Number(values.seconds);
const FACTOR = Number(values.factor);

const MIN_GOODPUT = 0.9;
/** @unit milliseconds */
const MAX_SHED_MS = 20;
/** @unit milliseconds */
const MAX_RECOVERY_MS = 5_000;
/** Maximum duration of a health check. @unit milliseconds */
const MAX_HEALTH_MS = 250;

const WARM_UP_SECONDS = 6;
const PEAK_SECONDS = 8;
const RECOVERY_SECONDS = 10;
const TICKS_PER_SECOND = 100;
/** Priority of the generator, which needs a tenth of a processor. */
const PRIORITY = -15;
/** Concurrency that the peak is measured with. */
const CONCURRENCY = 16;

const directory = await mkdtemp(join(tmpdir(), 'gatefold-overload-'));
const supergraph = join(directory, 'supergraph.graphql');
await using graph = await startCatalogGraph();
await writeFile(supergraph, graph.supergraph);
await using gateway = await createServeProcess({
  supergraph,
  config: {
    logging: { level: 'warn' },
    budget: { mode: 'off' },
    subgraphs: { dedupe: false },
    server: {
      maxConnectionsPerAddress: 100_000,
      maxConnections: 100_000,
      shutdown: { lameDuckMs: 0 },
      overload: { enabled: !values.off, warmUpMs: 1_000 },
    },
  },
});
await gateway.start();
const load = fork(fileURLToPath(new URL('overload/load-process.ts', import.meta.url)), { execArgv: [...argumentsForTypeScript()] });
preferGenerator(load.pid);
const port = Number(new URL(gateway.url).port);
const body = JSON.stringify({ query: CATALOG_QUERY });

type Kind = { readonly concurrency: number } | { readonly perSecond: number };

async function run(seconds: number, kind: Kind): Promise<LoadResult> {
  load.send({ port, body, seconds, ...kind } satisfies LoadCommand);
  const [result] = (await once(load, 'message')) as [LoadResult];
  return result;
}

const failures: string[] = [];
const check = (holds: boolean, text: string): void => {
  if (!holds) failures.push(text);
};

const warmUp = await run(WARM_UP_SECONDS, { concurrency: CONCURRENCY });
const cpuBefore = await cpuSeconds();
const closed = await run(PEAK_SECONDS, { concurrency: CONCURRENCY });
const cpuOfPeak = (await cpuSeconds()) - cpuBefore;
const peak = closed.succeeded / PEAK_SECONDS;
check(warmUp.shed + closed.shed === 0, `${warmUp.shed + closed.shed} requests were rejected at the peak, without overload`);
console.log(`peak: ${peak.toFixed(0)} requests/s with ${CONCURRENCY} concurrent requests, p99 ${closed.successMs.p99.toFixed(0)} ms`);

const probing = new AbortController();
const health = probeHealth(probing.signal);
const cpuBeforeOverload = await cpuSeconds();
const over = await run(SECONDS, { perSecond: peak * FACTOR });
const cpuOfOverload = (await cpuSeconds()) - cpuBeforeOverload;
const after = await run(RECOVERY_SECONDS, { perSecond: peak * 0.5 });
probing.abort();
const slowestHealthMs = await health;
const goodput = over.goodput.reduce((sum, count) => sum + count, 0) / SECONDS;
const byCpu = over.succeeded / cpuOfOverload / (closed.succeeded / cpuOfPeak);
const recoveryMs = after.lastShedMs ?? 0;
console.log(
  [
    `load: ${(peak * FACTOR).toFixed(0)} requests/s for ${SECONDS} s`,
    `goodput: ${goodput.toFixed(0)} requests/s, ${((goodput / peak) * 100).toFixed(1)} % of the peak; p50 ${over.successMs.p50.toFixed(0)} ms, p99 ${over.successMs.p99.toFixed(0)} ms`,
    `processor time of the gateway: ${(cpuOfPeak / PEAK_SECONDS).toFixed(2)} at the peak, ${(cpuOfOverload / SECONDS).toFixed(2)} during overload; requests by processor time ${(byCpu * 100).toFixed(1)} % of the peak`,
    `rejected: ${over.shed}; p50 ${over.shedMs.p50.toFixed(1)} ms, p99 ${over.shedMs.p99.toFixed(1)} ms, max ${over.shedMs.max.toFixed(0)} ms`,
    `goodput by second: ${over.goodput.join(' ')}`,
    `p99 of rejections by second: ${over.shedMsBySecond.join(' ')}`,
    `other results: ${JSON.stringify(over.others)}; delay of the generator's event loop: p99 ${over.ownDelayMs.toFixed(1)} ms`,
    `afterwards, at half of the peak: ${after.succeeded} of ${after.sent} succeeded, the last rejection after ${recoveryMs.toFixed(0)} ms`,
    `slowest health check: ${slowestHealthMs.toFixed(0)} ms`,
  ].join('\n'),
);
check((values['by-cpu'] ? byCpu : goodput / peak) >= MIN_GOODPUT, `goodput is below ${MIN_GOODPUT * 100} % of the peak`);
check(
  over.shed > 0 && (values['by-cpu'] || over.shedMs.p99 < MAX_SHED_MS),
  `99 % of the rejections take longer than ${MAX_SHED_MS} ms, or there is none`,
);
check(Object.keys(over.others).length === 0, 'some requests have neither succeeded nor been rejected with 503 and Retry-After');
check(recoveryMs <= MAX_RECOVERY_MS, `requests are rejected more than ${MAX_RECOVERY_MS} ms after the overload`);
check(slowestHealthMs <= MAX_HEALTH_MS, `a health check took longer than ${MAX_HEALTH_MS} ms, or failed`);
load.disconnect();
await gateway.stop();
await rm(directory, { recursive: true });
if (failures.length > 0) console.error(gateway.current?.output());
for (const failure of failures) console.error(`FAILED: ${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;

/** Lets the generator run before the other processes, so that the durations are those of the gateway. Without the permission, it does not. */
function preferGenerator(pid: number | undefined): void {
  try {
    setPriority(pid ?? 0, PRIORITY);
  } catch (error) {
    console.log(`The generator runs with the usual priority: ${String(error)}`);
  }
}

/** Reads the processor time of the gateway from the files of Linux. @unit seconds */
async function cpuSeconds(): Promise<number> {
  const text = await readFile(`/proc/${gateway.current?.pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Requests both health paths repeatedly. Returns the longest duration; infinite after an error. @unit milliseconds */
async function probeHealth(signal: AbortSignal): Promise<number> {
  let slowest = 0;
  while (!signal.aborted) {
    for (const url of [`${gateway.url}/health/ready`, `${gateway.internalUrl}/health/ready`]) {
      const startedAt = performance.now();
      const isOk = await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      );
      slowest = Math.max(slowest, isOk ? performance.now() - startedAt : Number.POSITIVE_INFINITY);
    }
    await wait(250);
  }
  return slowest;
}
