import { randomUUID } from 'node:crypto';
import { ValueType } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import type { TelemetryConfig } from '../../config/sections/telemetry.ts';
import type { Clock } from '../../platform/clock.ts';
import { METRICS, type MetricDefinition } from '../catalog/metric-catalog.ts';
import { readHeadersFile } from '../read-headers-file.ts';
import { type SpanTime, toSpanTime } from '../traces/span-time.ts';
import type { CollectedMetric, MetricPoint, MetricRegistry } from './metric-registry.ts';

const DEFINITIONS: ReadonlyMap<string, MetricDefinition> = new Map(
  Object.values<MetricDefinition>(METRICS).map((definition) => [definition.name, definition]),
);

/**
 * Opens the periodic export of metrics by OTLP. Closing it sends the last values. A collector that cannot be reached does not affect
 * requests.
 *
 * @param exporter replaces the exporter of the configuration
 */
export function openMetricPush(
  { serviceName, metrics }: TelemetryConfig,
  { registry, clock, exporter }: { readonly registry: MetricRegistry; readonly clock: Clock; readonly exporter?: object | undefined },
): AsyncDisposable {
  const { url = '', headersFile, intervalMs } = metrics;
  const opened = (exporter as PushMetricExporter | undefined) ?? new OTLPMetricExporter({ url, headers: readHeadersFile(headersFile) });
  const reader = new PeriodicExportingMetricReader({
    exporter: opened,
    exportIntervalMillis: intervalMs,
    exportTimeoutMillis: Math.min(intervalMs, EXPORT_TIMEOUT_MS),
  });
  // Values of processes with equal attributes would overwrite each other in the collector.
  const resource = resourceFromAttributes({ 'service.name': serviceName, 'service.instance.id': randomUUID() });
  const startTime = toSpanTime(clock.now());
  reader.setMetricProducer({
    async collect() {
      const endTime = toSpanTime(clock.now());
      const collected = registry.collect().flatMap((metric) => toMetricData(metric, startTime, endTime));
      return { resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'gatefold' }, metrics: collected }] }, errors: [] };
    },
  });
  return { [Symbol.asyncDispose]: () => reader.shutdown().catch(() => undefined) };
}

/** @unit milliseconds */
const EXPORT_TIMEOUT_MS = 10_000;

function toMetricData({ name, points }: CollectedMetric, startTime: SpanTime, endTime: SpanTime): MetricData[] {
  const definition = DEFINITIONS.get(name);
  if (definition === undefined) return [];
  const { kind, unit, description, labels, buckets = [] } = definition;
  const common = {
    descriptor: { name, unit, description, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const at = ({ labels: values }: MetricPoint) => ({ startTime, endTime, attributes: attributesOf(labels, values) });
  if (kind === 'histogram') {
    const dataPoints = points.map((point) => {
      const { counts = [], sum = 0, count = 0 } = point.histogram ?? {};
      return { ...at(point), value: { buckets: { boundaries: [...buckets], counts: [...counts] }, sum, count } };
    });
    return [{ ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints }];
  }
  const dataPoints = points.map((point) => ({ ...at(point), value: point.value ?? 0 }));
  if (kind === 'gauge') return [{ ...common, dataPointType: DataPointType.GAUGE, dataPoints }];
  return [{ ...common, dataPointType: DataPointType.SUM, isMonotonic: kind === 'counter', dataPoints }];
}

function attributesOf(names: readonly string[], values: readonly string[]): Record<string, string | number> {
  const attributes: Record<string, string | number> = {};
  for (const [index, name] of names.entries()) {
    const value = values[index] ?? '';
    if (value !== '') attributes[name] = name === 'http.response.status_code' ? Number(value) : value;
  }
  return attributes;
}
