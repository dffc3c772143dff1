import type { TelemetryConfig } from '../config/sections/telemetry.ts';
import type { Clock } from '../platform/clock.ts';
import type { DisposalStack } from '../platform/disposal-stack.ts';
import { requirePackages } from '../platform/require-packages.ts';
import { type AccessLog, createAccessLog, openAccessLog, type WriteLine } from './access-log.ts';
import { createMetricRegistry, type MetricRegistry } from './metrics/metric-registry.ts';
import { createMetricsSink } from './metrics/metrics-sink.ts';
import { observeProcess } from './metrics/observe-process.ts';
import type { SampleTrace } from './records/recorded-trace.ts';
import { createRecording, type Recording } from './recording/recording.ts';
import type { TelemetrySink } from './recording/telemetry-sink.ts';
import { openSpanWriter } from './traces/open-span-writer.ts';
import { createSampler, createTracesSink } from './traces/traces-sink.ts';

/** Exporters that an embedding application provides. They are objects of the packages of OpenTelemetry. */
export interface TelemetryExporters {
  /** `SpanExporter`, used instead of one for `telemetry.traces.url`. */
  readonly spans?: object | undefined;
  /** `PushMetricExporter`, used instead of one for `telemetry.metrics.url`. */
  readonly metrics?: object | undefined;
}

export interface OpenRecordingDependencies {
  readonly clock: Clock;
  /** Receives the lines of the access log instead of its configured output. */
  readonly writeAccessLog?: WriteLine | undefined;
  readonly exporters?: TelemetryExporters | undefined;
}

/**
 * Opens everything that the section `telemetry` switches on. Undefined when all of it is off: nothing is recorded then, and the gateway uses
 * its functions without decorators.
 *
 * @throws PackagesMissing when a package of OpenTelemetry is required and not installed
 */
export async function openRecording(
  config: TelemetryConfig,
  resources: DisposalStack,
  { clock, writeAccessLog, exporters = {} }: OpenRecordingDependencies,
): Promise<Recording | undefined> {
  const metrics = await openMetrics(config, resources, clock, exporters);
  const traces = await openTraces(config, resources, clock, exporters);
  const accessLog = openLog(config, resources, clock, writeAccessLog);
  const sinks: TelemetrySink[] = [];
  if (accessLog !== undefined) sinks.push(accessLog);
  if (metrics !== undefined) sinks.push(createMetricsSink(metrics, config));
  if (traces !== undefined) sinks.push(traces.sink);
  return sinks.length === 0 ? undefined : resources.use(createRecording({ sinks, sample: traces?.sample, metrics, clock }));
}

function openLog(config: TelemetryConfig, resources: DisposalStack, clock: Clock, write: WriteLine | undefined): TelemetrySink | undefined {
  if (write !== undefined && config.accessLog !== 'off') return createAccessLog(write, clock);
  const opened: AccessLog | undefined = openAccessLog(config, clock);
  return resources.use(opened);
}

async function openMetrics(
  config: TelemetryConfig,
  resources: DisposalStack,
  clock: Clock,
  exporters: TelemetryExporters,
): Promise<MetricRegistry | undefined> {
  const { prometheus, url, maxSeries } = config.metrics;
  const isPushed = url !== undefined || exporters.metrics !== undefined;
  if (!prometheus && !isPushed) return undefined;
  const registry = createMetricRegistry(maxSeries);
  resources.use(observeProcess(registry));
  if (isPushed) {
    requirePackages(METRIC_PACKAGES, 'the setting telemetry.metrics.url');
    const { openMetricPush } = await import('./metrics/open-metric-push.ts');
    resources.use(openMetricPush(config, { registry, clock, exporter: exporters.metrics }));
  }
  return registry;
}

/** Packages that send metrics. */
export const METRIC_PACKAGES = [
  '@opentelemetry/api',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-metrics',
  '@opentelemetry/exporter-metrics-otlp-http',
];

async function openTraces(
  config: TelemetryConfig,
  resources: DisposalStack,
  clock: Clock,
  exporters: TelemetryExporters,
): Promise<{ readonly sink: TelemetrySink; readonly sample: SampleTrace } | undefined> {
  const writer = resources.use(await openSpanWriter(config, exporters.spans));
  if (writer === undefined) return undefined;
  return { sink: createTracesSink(config, writer, clock), sample: createSampler(config.traces) };
}
