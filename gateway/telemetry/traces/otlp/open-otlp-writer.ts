import { context } from '@opentelemetry/api';
import { getNumberFromEnv, suppressTracing } from '@opentelemetry/core';
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http';
import type { TelemetryConfig } from '../../../config/sections/telemetry.ts';
import { readHeadersFile } from '../../read-headers-file.ts';
import type { OpenedSpanWriter } from '../span-writer.ts';
import { readReport } from './read-report.ts';
import type { SpanBatch } from './span-buffer.ts';
import { SpanQueue } from './span-queue.ts';

/**
 * Opens the writer of spans for a collector: binary OTLP over HTTP. A collector that cannot be reached does not affect requests: spans are
 * dropped. The transport is that of the packages of OpenTelemetry, which retries, and reads `OTEL_EXPORTER_OTLP_*`.
 */
export function openOtlpWriter({ serviceName, traces }: TelemetryConfig): OpenedSpanWriter {
  const { url = '', headersFile, maxQueuedSpans } = traces;
  const headers = readHeadersFile(headersFile);
  const options = convertLegacyHttpOptions({ url, headers }, 'TRACES', 'v1/traces', { 'Content-Type': 'application/x-protobuf' });
  const serializer = { serializeRequest: ({ body }: SpanBatch) => body, deserializeResponse: readReport };
  const counter = { name: 'span' as const, countItems: ({ spans }: SpanBatch) => spans };
  const delegate = createOtlpHttpExportDelegate(options, serializer, 'otlp_http_span_exporter', counter, undefined);
  return new SpanQueue({
    serviceName,
    send: (batch) =>
      new Promise((resolve, reject) => {
        context.with(suppressTracing(context.active()), () => {
          delegate.export(batch, ({ error }) => (error === undefined ? resolve() : reject(error)));
        });
      }),
    close: () => delegate.shutdown(),
    maxQueuedSpans,
    maxBatch: Math.min(getNumberFromEnv('OTEL_BSP_MAX_EXPORT_BATCH_SIZE') ?? MAX_BATCH, maxQueuedSpans),
    delayMs: getNumberFromEnv('OTEL_BSP_SCHEDULE_DELAY') ?? DELAY_MS,
    timeoutMs: getNumberFromEnv('OTEL_BSP_EXPORT_TIMEOUT') ?? TIMEOUT_MS,
  });
}

// Values of `BatchSpanProcessor` where no variable `OTEL_BSP_*` is set.
const MAX_BATCH = 2_048;
const DELAY_MS = 5_000;
const TIMEOUT_MS = 30_000;
