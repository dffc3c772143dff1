/**
 * Compares the CPU time of a gateway without telemetry with the same gateway with metrics and 1 % of the traces, and with all traces, in
 * alternating slices. Spans are sent to a collector that discards them. Ends with exit code 1 when a goal is missed.
 *
 * Duration: about 8 minutes
 *
 * The first comparison is that of two gateways without telemetry: its distance from 1 is the error of the measurement. Goals are not decided
 * when it exceeds 2 %, because other programs then disturb the measurement; the exit code is 2.
 *
 * `--rounds 3` repeats the measurement with new processes; `--queries tiny,medium` measures only these operations.
 */
import { parseArgs } from 'node:util';
import { OPERATIONS } from './graph/operations.ts';
import { startGraph } from './graph/start-graph.ts';
import type { Sample } from './measure/measure-target.ts';
import { runPairs } from './measure/run-pairs.ts';
import { startCollector } from './process/collector.ts';
import { leaveGatewayCore } from './process/cores.ts';
import { gatefold, gatefoldWithTelemetry } from './targets/gatefold.ts';
import { checkout } from './targets/paths.ts';
import type { Target } from './targets/target.ts';

/** Maximum CPU time per request, as a multiple of that without telemetry. */
const GOALS = { 'gatefold-before': 1.02, 'gatefold-sampled': 1.03, 'gatefold-traced': 1.1 } as const;
const CLIENTS = 32;
/** Time in which V8 optimizes both gateways. After a shorter one, the gateway with more code is further from its speed. @unit milliseconds */
const WARM_UP_MS = 5_000;
/** The same gateway in a second process. */
const CONTROL: Target = { ...gatefold, name: 'gatefold-before', about: 'gatefold serve without telemetry' };

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '1' }, queries: { type: 'string' } } });
const wanted = values.queries?.split(',');
const operations = OPERATIONS.filter(({ name }) => wanted === undefined || wanted.includes(name));

leaveGatewayCore();
await using collector = await startCollector();
const { url } = collector;
const rows: Record<string, string | number>[] = [];
let isMissed = false;
let isDisturbed = false;
{
  await using graph = await startGraph();
  for (const target of [CONTROL, gatefoldWithTelemetry('gatefold-sampled', 0.01, url), gatefoldWithTelemetry('gatefold-traced', 1, url)]) {
    const samples = await runPairs({
      targets: [target, gatefold],
      rounds: Number(values.rounds),
      operations,
      graph,
      gatefold: checkout,
      connections: CLIENTS,
      warmUpMs: WARM_UP_MS,
      durationMs: 0,
      progress: (text) => console.log(`${target.about}: ${text}`),
    });
    const goal = GOALS[target.name as keyof typeof GOALS];
    for (const { name } of operations) {
      const ratio = medianOf(ratiosOf(samples, name, target.name));
      if (target === CONTROL) isDisturbed ||= !(Math.max(ratio, 1 / ratio) <= goal);
      else if (!(ratio <= goal)) isMissed = true;
      rows.push({ load: name, telemetry: target.about, 'CPU time, off = 1': Math.round(ratio * 1_000) / 1_000, goal });
    }
  }
}
console.table(rows);
const { requests, bytes } = collector.received();
console.log(`The collector received ${requests} requests with ${bytes} bytes.`);
if (isDisturbed) console.log('Two gateways without telemetry differ by more than 2 %, so the goals are not decided.');
process.exitCode = isDisturbed ? 2 : isMissed || requests === 0 ? 1 : 0;

/** Returns the ratios of the CPU time per request of each pair of slices. */
function ratiosOf(samples: readonly Sample[], operation: string, target: string): readonly number[] {
  const of = (name: string): readonly number[] =>
    samples.filter((sample) => sample.operation === operation && sample.target === name).map(({ cpuMs }) => cpuMs);
  const off = of('gatefold');
  return of(target).map((cpuMs, index) => cpuMs / (off[index] ?? Number.NaN));
}

function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
