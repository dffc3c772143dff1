/**
 * Shows the CPU time of Gatefold, or of another target on Node, for one operation: by group, then by function, in microseconds per request.
 * With `--memory`, shows allocated memory instead.
 *
 * Duration: about 15 seconds
 *
 * `npm run bench profile -- tiny [--seconds 5] [--top 40] [--gatefold <checkout>] [--target stock] [--memory] [--telemetry 0.01]`
 *
 * `--telemetry` profiles the product with metrics and this share of the traces, which are sent to a collector that discards them.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { OPERATIONS } from './graph/operations.ts';
import { bodyOf, startGraph } from './graph/start-graph.ts';
import type { MeasureCommand, Measurement } from './load/driver-process.ts';
import { leaveGatewayCore } from './process/cores.ts';
import { startCollector } from './process/collector.ts';
import { startTarget } from './process/running-target.ts';
import { startWorker } from './process/worker.ts';
import { type FunctionTime, readCpuProfile, readMemoryProfile } from './profile/read-profile.ts';
import { allTargets } from './targets/all-targets.ts';
import { gatefoldWithTelemetry } from './targets/gatefold.ts';
import { benchRoot, checkout } from './targets/paths.ts';
import type { Launch, TargetContext } from './targets/target.ts';

const WARM_UP_MS = 3_000;
const SETTLE_MS = 500;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '5' },
    top: { type: 'string', default: '40' },
    memory: { type: 'boolean', default: false },
    target: { type: 'string', default: 'gatefold' },
    telemetry: { type: 'string' },
    gatefold: { type: 'string', default: checkout },
  },
});
const operation = OPERATIONS.find(({ name }) => name === (positionals[0] ?? 'tiny'));
if (operation === undefined)
  throw new Error(`Unknown operation ${positionals[0]}. Expected one of ${OPERATIONS.map(({ name }) => name).join(', ')}.`);

await using collector = await startCollector();
const target =
  values.telemetry === undefined
    ? allTargets.find(({ name }) => name === values.target)
    : gatefoldWithTelemetry('gatefold-traced', Number(values.telemetry), collector.url);
if (target === undefined)
  throw new Error(`Unknown target ${values.target}. Expected one of ${allTargets.map(({ name }) => name).join(', ')}.`);

leaveGatewayCore();
await using graph = await startGraph();
using driver = startWorker<MeasureCommand, Measurement>(new URL('load/driver-process.ts', import.meta.url));
const httpResponse = graph.responseTo(operation);
const profileFile = join(graph.context.directory, 'gatefold.cpuprofile');
const profiled = {
  ...target,
  async launch(context: TargetContext): Promise<Launch> {
    const { command, env, ...launch } = await target.launch(context);
    const [node, ...args] = command;
    if (node !== process.execPath) throw new Error(`${target.name} does not run on Node.`);
    const profiling = [node, '--import', join(benchRoot, 'servers/profile-on-signal.js'), ...args] as const;
    return { ...launch, command: profiling, env: { ...env, PROFILE_FILE: profileFile, PROFILE_KIND: values.memory ? 'memory' : 'cpu' } };
  },
};
await using running = await startTarget(profiled, { ...graph.context, gatefold: values.gatefold }, async (url) => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: bodyOf(operation) }).catch(() => undefined);
  return (await response?.text()) === httpResponse;
});

const { pid, origin, path } = running;
const durationMs = Number(values.seconds) * 1_000;
driver.report({
  origin,
  path,
  pid,
  body: bodyOf(operation),
  isFresh: operation.isFresh,
  response: httpResponse,
  connections: 32,
  warmUpMs: WARM_UP_MS,
  durationMs,
});
const measuring = driver.hear();
await wait(WARM_UP_MS);
process.kill(pid, 'SIGUSR2');
await wait(durationMs);
process.kill(pid, 'SIGUSR2');
const { cpuMs, requestsPerSecond, failures } = await measuring;
await wait(SETTLE_MS);
const profile = await readFile(profileFile, 'utf8');
const requests = requestsPerSecond * Number(values.seconds);
const head = `${operation.name}: ${(cpuMs * 1_000).toFixed(0)} µs of CPU per request under the profiler, ${requestsPerSecond.toFixed(0)} requests/s, ${failures} failures`;
if (values.memory) {
  const { functions, bytes } = readMemoryProfile(profile);
  print(head, functions, { unit: 'bytes', ofRequest: bytes / requests });
} else {
  print(head, readCpuProfile(profile), { unit: 'µs', ofRequest: cpuMs * 1_000 });
}

function print(
  head: string,
  times: readonly FunctionTime[],
  { unit, ofRequest }: { readonly unit: string; readonly ofRequest: number },
): void {
  const line = (share: number, text: string) =>
    `${(share * ofRequest).toFixed(2).padStart(9)} ${(share * 100).toFixed(1).padStart(5)}%  ${text}`;
  const describe = ({ name, position, group }: FunctionTime) => `${name}  ${position === '' ? `[${group}]` : position}`;
  const groups = new Map<string, number>();
  for (const { group, self } of times) groups.set(group, (groups.get(group) ?? 0) + self);
  const top = Number(values.top);
  const bySelf = times.toSorted((one, other) => other.self - one.self).slice(0, top);
  const own = times.filter(({ group }) => /^(?:gateway|cli|rest-facade)|compiled/.test(group));
  const byTotal = own.toSorted((one, other) => other.total - one.total).slice(0, top);
  const parts = [
    head,
    `${unit} per request by group:`,
    ...[...groups].toSorted(([, one], [, other]) => other - one).map(([group, self]) => line(self, group)),
    `${unit} per request in the function itself:`,
    ...bySelf.map((time) => line(time.self, describe(time))),
    `${unit} per request in functions of Gatefold, including their callees:`,
    ...byTotal.map((time) => line(time.total, describe(time))),
  ];
  process.stdout.write(`${parts.join('\n')}\n`);
}
