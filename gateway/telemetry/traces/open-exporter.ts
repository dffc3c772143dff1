import { type Attributes, type HrTime, type Link, type SpanContext, SpanKind, type SpanStatus, SpanStatusCode } from '@opentelemetry/api';
import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { TelemetryConfig } from '../../config/sections/telemetry.ts';
import { readHeadersFile } from '../read-headers-file.ts';
import { createSpanSerializer } from './otlp-json.ts';
import type { BuiltSpan } from './span.ts';
import type { SendSpans } from './traces-sink.ts';

const UNSET: SpanStatus = { code: SpanStatusCode.UNSET };
const ERROR: SpanStatus = { code: SpanStatusCode.ERROR };

const KINDS = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;

const SCOPE = { name: 'gatefold' };
const NOTHING: never[] = [];

/** A span in the form in which the packages of OpenTelemetry send it. It is a class to save memory. */
class ExportedSpan implements ReadableSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly parentSpanContext?: SpanContext;
  readonly startTime: HrTime;
  readonly endTime: HrTime;
  readonly status: SpanStatus;
  readonly attributes: Attributes;
  readonly links: Link[] = NOTHING;
  readonly events = NOTHING;
  readonly ended = true;
  readonly resource: Resource;
  readonly instrumentationScope = SCOPE;
  readonly droppedAttributesCount = 0;
  readonly droppedEventsCount = 0;
  readonly droppedLinksCount = 0;
  readonly #context: SpanContext;

  constructor({ name, kind, identity, parent, startTime, endTime, attributes, isError }: BuiltSpan, resource: Resource) {
    this.name = name;
    this.kind = KINDS[kind];
    this.#context = identity;
    if (parent !== undefined) this.parentSpanContext = parent;
    this.startTime = startTime;
    this.endTime = endTime;
    this.status = isError ? ERROR : UNSET;
    this.attributes = attributes;
    this.resource = resource;
  }

  get duration(): HrTime {
    const nanoseconds = (this.endTime[0] - this.startTime[0]) * 1e9 + this.endTime[1] - this.startTime[1];
    return [Math.floor(nanoseconds / 1e9), nanoseconds % 1e9];
  }

  spanContext(): SpanContext {
    return this.#context;
  }
}

/** Exporter that is open. Closing it sends the spans that wait. */
export interface OpenedExporter extends AsyncDisposable {
  readonly send: SendSpans;
}

/**
 * Opens the exporter of spans, with a queue of the packages of OpenTelemetry. A collector that cannot be reached does not affect requests:
 * spans are dropped.
 *
 * @param exporter replaces the exporter of the configuration
 */
export function openSpanExporter({ serviceName, traces }: TelemetryConfig, exporter?: object): OpenedExporter {
  const { url = '', headersFile, maxQueuedSpans } = traces;
  const opened = (exporter as SpanExporter | undefined) ?? createOtlpExporter(serviceName, url, readHeadersFile(headersFile));
  const maxExportBatchSize = Math.min(MAX_BATCH, maxQueuedSpans);
  const processor = new BatchSpanProcessor(opened, { maxQueueSize: maxQueuedSpans, maxExportBatchSize });
  const resource = resourceFromAttributes({ 'service.name': serviceName });
  return {
    send(spans) {
      for (const span of spans) processor.onEnd(new ExportedSpan(span, resource));
    },
    [Symbol.asyncDispose]: () => processor.shutdown().catch(() => undefined),
  };
}

/** Creates an exporter with the transport of the packages of OpenTelemetry, which retries, and reads `OTEL_EXPORTER_OTLP_*`. */
function createOtlpExporter(serviceName: string, url: string, headers: Record<string, string>): SpanExporter {
  const options = convertLegacyHttpOptions({ url, headers }, 'TRACES', 'v1/traces', { 'Content-Type': 'application/json' });
  const serializer = { serializeRequest: createSpanSerializer(serviceName), deserializeResponse: readResponse };
  const counter = { name: 'span' as const, countItems: (spans: readonly ReadableSpan[]) => spans.length };
  return new OTLPExporterBase<ReadableSpan[]>(
    createOtlpHttpExportDelegate(options, serializer, 'otlp_http_span_exporter', counter, undefined),
  );
}

/** Reads the response of a collector, which may have rejected some of the spans. A response that is no JSON counts as an empty one. */
function readResponse(body: Uint8Array): object {
  try {
    return Object(JSON.parse(Buffer.from(body).toString())) as object;
  } catch {
    return {};
  }
}

/** Maximum number of spans in one request to the collector. */
const MAX_BATCH = 512;
