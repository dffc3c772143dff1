import { type Attributes, type HrTime, type Link, type SpanContext, SpanKind, type SpanStatus, SpanStatusCode } from '@opentelemetry/api';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { TelemetryConfig } from '../../config/sections/telemetry.ts';
import { type OpenedSpanWriter, REQUEST_ID, type SpanContent, type SpanPosition } from './span-writer.ts';
import { toSpanTime } from './span-time.ts';

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

  constructor({ name, kind, attributes, isError }: SpanContent, position: SpanPosition, resource: Resource) {
    const { traceId, parent, requestId } = position;
    this.name = name;
    this.kind = KINDS[kind];
    this.#context = { traceId, spanId: toHex(position.idHigh, position.idLow), traceFlags: 1 };
    if (parent !== 'none') {
      const spanId = toHex(position.parentHigh, position.parentLow);
      this.parentSpanContext = { traceId, spanId, traceFlags: 1, ...(parent === 'remote' ? { isRemote: true } : {}) };
    }
    this.startTime = toSpanTime(position.startedAt);
    this.endTime = toSpanTime(position.endedAt);
    this.status = isError ? ERROR : UNSET;
    this.attributes = { ...(attributes as Attributes), ...(requestId === undefined ? {} : { [REQUEST_ID]: requestId }) };
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

/** Opens the writer of spans for an exporter that an application provides, with a queue of the packages of OpenTelemetry. */
export function openSpanProcessor({ serviceName, traces }: TelemetryConfig, exporter: object): OpenedSpanWriter {
  const { maxQueuedSpans } = traces;
  const maxExportBatchSize = Math.min(MAX_BATCH, maxQueuedSpans);
  const processor = new BatchSpanProcessor(exporter as SpanExporter, { maxQueueSize: maxQueuedSpans, maxExportBatchSize });
  const resource = resourceFromAttributes({ 'service.name': serviceName });
  return {
    write: (content, position) => processor.onEnd(new ExportedSpan(content, position, resource)),
    [Symbol.asyncDispose]: () => processor.shutdown().catch(() => undefined),
  };
}

/** Maximum number of spans that the exporter receives at once. */
const MAX_BATCH = 512;

/** Returns the 16 hexadecimal digits of an id. */
function toHex(high: number, low: number): string {
  return digitsOf(high) + digitsOf(low);
}

function digitsOf(integer: number): string {
  return (integer >>> 0).toString(16).padStart(8, '0');
}
