/**
 * Runs 40 scenarios over every transport, and compares each span and each metric that the gateway sends with the catalog. A canary in every
 * header, variable and field must appear in no export, and 100,000 operation names must not exceed the bound of series.
 *
 * Duration: about 1 minute
 */
import { AggregationTemporality, InMemoryMetricExporter, type MetricData } from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { setTimeout as wait } from 'node:timers/promises';
import { startShopGraph } from '../fixtures/shop-graph.ts';
import { metricProblems, missingMetrics, spanProblems, treeProblems } from './telemetry/check-exports.ts';
import { CANARY, SCENARIOS } from './telemetry/scenarios.ts';

const SPAN = 'b7ad6b7169203331';
const NAMES = 100_000;
const MAX_NAMES = 200;
/** Time after a response in which its record ends. @unit milliseconds */
const SETTLE_MS = 50;

const problems: string[] = [];
const report = (where: string, found: readonly string[]): void => void problems.push(...found.map((text) => `${where}: ${text}`));
const traceOf = (index: number): string => (index + 1).toString(16).padStart(32, '0');

/** Stores everything that an exporter receives, because it forgets its data when it is shut down. */
class StoredSpans extends InMemorySpanExporter {
  readonly sent: ReadableSpan[] = [];

  override export(...[spans, done]: Parameters<InMemorySpanExporter['export']>): void {
    this.sent.push(...spans);
    super.export(spans, done);
  }
}

class StoredMetrics extends InMemoryMetricExporter {
  readonly sent = new Map<string, MetricData>();

  override export(...[metrics, done]: Parameters<InMemoryMetricExporter['export']>): void {
    for (const metric of metrics.scopeMetrics.flatMap((scope) => scope.metrics)) this.sent.set(metric.descriptor.name, metric);
    super.export(metrics, done);
  }
}

const spans = new StoredSpans();
const metrics = new StoredMetrics(AggregationTemporality.CUMULATIVE);
const lines: string[] = [];
const shop = await startShopGraph({
  config: {
    graphql: { maxBatchedOperations: 5, maxCachedOperations: 1_000 },
    subgraphs: { errorMessages: 'listed' },
    budget: { mode: 'enforce', anonymous: { capacity: 1_000_000_000, refillPerSecond: 1_000_000 } },
    telemetry: {
      accessLog: 'stdout',
      metrics: { prometheus: true, intervalMs: 1_000, maxOperationNames: MAX_NAMES },
      traces: { ratio: 0, maxQueuedSpans: 100_000 },
    },
  },
  accessLog: (line) => lines.push(line),
  telemetryExporters: { spans, metrics },
});

for (const [index, scenario] of SCENARIOS.entries()) {
  const before = lines.length;
  await scenario.run({ shop, traceparent: `00-${traceOf(index)}-${SPAN}-01` });
  await wait(SETTLE_MS);
  const added = lines.slice(before).map((line) => JSON.parse(line) as { readonly transport: string; readonly traceId?: string });
  if (added.length !== 1) report(scenario.name, [`${added.length} lines in the access log`]);
  else if (added[0]?.transport !== scenario.transport)
    report(scenario.name, [`the transport ${added[0]?.transport ?? ''} in the access log`]);
  if (added.some(({ traceId }) => traceId !== traceOf(index))) report(scenario.name, ['another trace in the access log']);
}

const text = await (await fetch(`${shop.internalUrl}/metrics`)).text();
const rest = SCENARIOS.findIndex(({ name }) => name === 'REST: a resource of three subgraphs');
const reached = new Set(
  shop.requests.filter(({ headers }) => String(headers['traceparent']).startsWith(`00-${traceOf(rest)}`)).map(({ subgraph }) => subgraph),
);
if (reached.size !== 3) report('REST: a resource of three subgraphs', [`its trace reached ${reached.size} of 3 subgraphs`]);

console.log(`${SCENARIOS.length} scenarios ran. Sending ${NAMES} operation names.`);
for (let index = 0; index < NAMES; index += 1) {
  await shop.gateway.run({ query: `query Name${index} { __typename }`, headers: { 'graphql-client-name': `client-${index}` } });
}
const bounded = await (await fetch(`${shop.internalUrl}/metrics`)).text();
const series = bounded.split('\n').filter((line) => line.startsWith('graphql_server_request_duration_seconds_count'));
const names = new Set(series.map((line) => /graphql_operation_name="([^"]*)"/.exec(line)?.[1] ?? ''));
if (names.size > MAX_NAMES + 2) report(`${NAMES} operation names`, [`${names.size} names in labels`]);
if (!names.has('_OTHER')) report(`${NAMES} operation names`, ['no series with _OTHER']);
console.log(`${names.size} operation names in ${series.length} series of one metric.`);

await shop[Symbol.asyncDispose]();

for (const [index, scenario] of SCENARIOS.entries()) {
  const trace = spans.sent.filter((span) => span.spanContext().traceId === traceOf(index));
  report(scenario.name, trace.flatMap(spanProblems));
  report(scenario.name, treeProblems(trace, SPAN));
  const sent = new Set(trace.map(({ name }) => name));
  report(
    scenario.name,
    scenario.spans.filter((name) => !sent.has(name)).map((name) => `no span ${name}, only ${[...sent].join(', ')}`),
  );
}
report('metrics', [...metrics.sent.values()].flatMap(metricProblems));
report(
  'metrics',
  missingMetrics([...metrics.sent.values()]).map((name) => `${name} was not sent`),
);

const exported = JSON.stringify({
  spans: spans.sent.map((span) => ({
    ...span,
    context: span.spanContext(),
    parent: span.parentSpanContext,
    resource: span.resource.attributes,
  })),
  metrics: [...metrics.sent.values()],
  lines,
  text,
  bounded,
});
if (exported.includes(CANARY))
  report('the canary', [`is exported: …${exported.slice(exported.indexOf(CANARY) - 150, exported.indexOf(CANARY) + 40)}…`]);
if (!JSON.stringify(shop.requests).includes(CANARY))
  report('the canary', ['did not reach any subgraph in baggage, so its scenarios prove nothing']);

console.log(`${spans.sent.length} spans, ${metrics.sent.size} metrics and ${lines.length} lines compared with the catalog.`);
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? 'All as documented.' : `${problems.length} problems.`);
process.exitCode = problems.length === 0 && SCENARIOS.length >= 40 ? 0 : 1;
