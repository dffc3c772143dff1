import { SpanKind } from '@opentelemetry/api';
import type { MetricData } from '@opentelemetry/sdk-metrics';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { METRICS, type MetricDefinition } from '../../../gateway/telemetry/catalog/metric-catalog.ts';
import { SPANS, type SpanDefinition } from '../../../gateway/telemetry/catalog/span-catalog.ts';

const KINDS = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT };
const OPERATION = /^(?:query|mutation|subscription|GraphQL Operation)$/;
const REQUEST = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|_OTHER)(?: \/\S*)?$/;

/** Returns the definition of a span in the catalog. */
function definitionOf({ name, kind }: ReadableSpan): SpanDefinition | undefined {
  return SPANS.find((definition) => KINDS[definition.kind] === kind && matches(definition.name, name));
}

function matches(pattern: string, name: string): boolean {
  if (pattern === '{graphql.operation.type}') return OPERATION.test(name);
  if (pattern === '{http.request.method} {http.route}') return REQUEST.test(name);
  return pattern === name;
}

/** Returns the differences between a span and the catalog. */
export function spanProblems(span: ReadableSpan): readonly string[] {
  const definition = definitionOf(span);
  if (definition === undefined) return [`${span.name} is not in the catalog`];
  const allowed = new Set([...definition.required, ...definition.optional]);
  const missing = definition.required.filter((name) => !(name in span.attributes)).map((name) => `${span.name} has no ${name}`);
  const unknown = Object.keys(span.attributes).filter((name) => !allowed.has(name));
  const [seconds, nanoseconds] = span.duration;
  const isReversed = seconds < 0 || nanoseconds < 0;
  return [...missing, ...unknown.map((name) => `${span.name} has ${name}`), ...(isReversed ? [`${span.name} ends before it starts`] : [])];
}

/** Returns the problems of the spans of one trace: several roots, or parents that were not sent. */
export function treeProblems(spans: readonly ReadableSpan[], remoteParent: string): readonly string[] {
  const ids = new Set(spans.map((span) => span.spanContext().spanId));
  const roots = spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === remoteParent);
  const lost = spans.filter(
    ({ parentSpanContext }) => parentSpanContext?.spanId !== remoteParent && !ids.has(parentSpanContext?.spanId ?? ''),
  );
  return [
    ...(roots.length === 1 ? [] : [`has ${roots.length} spans below that of the client`]),
    ...lost.map(({ name }) => `the parent of ${name} was not sent`),
  ];
}

const DEFINITIONS = new Map(Object.values<MetricDefinition>(METRICS).map((definition) => [definition.name, definition]));

/** Returns the differences between a metric and the catalog. */
export function metricProblems({ descriptor, dataPoints }: MetricData): readonly string[] {
  const definition = DEFINITIONS.get(descriptor.name);
  if (definition === undefined) return [`${descriptor.name} is not in the catalog`];
  const problems: string[] = [];
  if (descriptor.unit !== definition.unit) problems.push(`${descriptor.name} has the unit ${descriptor.unit}`);
  if (descriptor.description !== definition.description) problems.push(`${descriptor.name} has another description`);
  for (const { attributes } of dataPoints) {
    for (const label of Object.keys(attributes))
      if (!definition.labels.includes(label)) problems.push(`${descriptor.name} has the label ${label}`);
  }
  return [...new Set(problems)];
}

/** Metrics that the scenarios cannot produce, because nothing is rejected, dropped or replaced in them. */
const RARE: ReadonlySet<string> = new Set(['gatefold.events.dropped', 'gatefold.requests.shed', 'gatefold.operation.duration']);

/** Metrics of the webhook service, which the scenarios do not start. `delivery-telemetry.test.ts` compares them with the catalog. */
const OF_WEBHOOK_SERVICE: ReadonlySet<string> = new Set(['gatefold.webhook.attempt.duration', 'gatefold.webhook.attempts.active']);

/** Returns the metrics of the gateway in the catalog that were not sent. */
export function missingMetrics(sent: readonly MetricData[]): readonly string[] {
  const names = new Set(sent.map(({ descriptor }) => descriptor.name));
  return [...DEFINITIONS.keys()].filter((name) => !names.has(name) && !RARE.has(name) && !OF_WEBHOOK_SERVICE.has(name));
}
