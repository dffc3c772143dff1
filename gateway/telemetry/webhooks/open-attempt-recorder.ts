import { createHash, randomBytes } from 'node:crypto';
import { telemetry, type TelemetryConfig } from '../../config/sections/telemetry.ts';
import type { AttemptRecorder, DescribedAttempt, FinishedAttempt } from '../../platform/attempt-recorder.ts';
import type { Clock } from '../../platform/clock.ts';
import type { DisposalStack } from '../../platform/disposal-stack.ts';
import { requirePackages } from '../../platform/require-packages.ts';
import { ATTEMPT_SPAN } from '../catalog/span-catalog.ts';
import { createMetricRegistry, type MetricRegistry } from '../metrics/metric-registry.ts';
import { METRIC_PACKAGES, type TelemetryExporters } from '../open-recording.ts';
import { readHexInteger } from '../records/random-ids.ts';
import { openSpanWriter } from '../traces/open-span-writer.ts';
import { setAttribute, SpanContent, SpanPosition, type SpanValue, type SpanWriter } from '../traces/span-writer.ts';
import { createSampler } from '../traces/traces-sink.ts';

/** Section `telemetry` of the webhook service. Settings that it does not have keep the defaults of the gateway. */
export interface WebhooksTelemetry {
  readonly serviceName: string;
  readonly metrics: { readonly url?: string | undefined; readonly headersFile?: string | undefined; readonly intervalMs: number };
  readonly traces: {
    readonly url?: string | undefined;
    readonly headersFile?: string | undefined;
    readonly ratio: number;
    readonly errors: boolean;
    readonly maxQueuedSpans: number;
  };
}

export interface OpenAttemptRecorderDependencies {
  readonly clock: Clock;
  readonly exporters?: TelemetryExporters | undefined;
}

/**
 * Opens the recorder of delivery attempts. Undefined when metrics and traces are off: nothing is loaded and recorded then.
 *
 * @throws PackagesMissing when a package of OpenTelemetry is required and not installed
 */
export async function openAttemptRecorder(
  settings: WebhooksTelemetry,
  resources: DisposalStack,
  { clock, exporters = {} }: OpenAttemptRecorderDependencies,
): Promise<AttemptRecorder | undefined> {
  const config = telemetry.parse(settings);
  const metrics = await openMetrics(config, resources, { clock, exporters });
  const writer = resources.use(await openSpanWriter(config, exporters.spans));
  if (metrics === undefined && writer === undefined) return undefined;
  return createAttemptRecorder({ config, metrics, writer, clock });
}

async function openMetrics(
  config: TelemetryConfig,
  resources: DisposalStack,
  { clock, exporters }: Required<OpenAttemptRecorderDependencies>,
): Promise<MetricRegistry | undefined> {
  if (config.metrics.url === undefined && exporters?.metrics === undefined) return undefined;
  requirePackages(METRIC_PACKAGES, 'the setting telemetry.metrics.url');
  const { openMetricPush } = await import('../metrics/open-metric-push.ts');
  const registry = createMetricRegistry(config.metrics.maxSeries);
  resources.use(openMetricPush(config, { registry, clock, exporter: exporters?.metrics }));
  return registry;
}

interface RecorderOptions {
  readonly config: TelemetryConfig;
  readonly metrics: MetricRegistry | undefined;
  readonly writer: SpanWriter | undefined;
  readonly clock: Clock;
}

/**
 * Creates the recorder. The trace id is derived from the id of the message, so that all attempts of a message are one trace, also when
 * several processes make them, and have one decision whether it is sent.
 */
function createAttemptRecorder({ config, metrics, writer, clock }: RecorderOptions): AttemptRecorder {
  const sample = createSampler(config.traces);
  const position = new SpanPosition();
  return {
    begin(attempt) {
      const startedAt = clock.monotonic();
      const traceId = createHash('sha256').update(attempt.messageId).digest('hex').slice(0, 32);
      const spanId = randomBytes(8).toString('hex');
      const isSampled = writer !== undefined && sample(traceId, undefined);
      metrics?.metrics.webhookAttemptsActive.add(1, attempt.event);
      return {
        traceparent: writer === undefined ? undefined : `00-${traceId}-${spanId}-0${isSampled ? 1 : 0}`,
        end(finished) {
          const endedAt = clock.monotonic();
          metrics?.metrics.webhookAttemptsActive.add(-1, attempt.event);
          metrics?.metrics.webhookAttempts.record((endedAt - startedAt) / 1_000, attempt.event, finished.code);
          const isError = finished.code !== 'ok';
          if (writer === undefined || !(isSampled || (isError && config.traces.errors))) return;
          const offset = clock.now() - clock.monotonic();
          position.traceId = traceId;
          position.idHigh = readHexInteger(spanId, 0);
          position.idLow = readHexInteger(spanId, 8);
          position.startedAt = startedAt + offset;
          position.endedAt = endedAt + offset;
          const { name, kind } = ATTEMPT_SPAN;
          writer.write(new SpanContent({ name, kind, attributes: attributesOf(attempt, finished), isError }), position);
        },
      };
    },
  };
}

function attributesOf(
  { webhookId, messageId, event, number }: DescribedAttempt,
  { code, status }: FinishedAttempt,
): Readonly<Record<string, SpanValue>> {
  const attributes: Record<string, SpanValue> = {
    'gatefold.webhook.id': webhookId,
    'gatefold.webhook.message.id': messageId,
    'gatefold.webhook.event': event,
    'gatefold.webhook.attempt': number,
    'http.request.method': 'POST',
  };
  setAttribute(attributes, 'http.response.status_code', status);
  setAttribute(attributes, 'error.type', code === 'ok' ? undefined : code);
  return attributes;
}
