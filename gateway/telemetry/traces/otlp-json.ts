import type { BuiltSpan, SpanIdentity, SpanTime, SpanValue } from './span.ts';

/** A span as the exporter receives it: with numbers of OpenTelemetry for its kind and its status. */
export interface SerializedSpan extends Pick<BuiltSpan, 'name' | 'startTime' | 'endTime'> {
  readonly kind: number;
  readonly status: { readonly code: number };
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly parentSpanContext?: Pick<SpanIdentity, 'spanId' | 'isRemote'>;
  spanContext(): Pick<SpanIdentity, 'traceId' | 'spanId' | 'traceFlags'>;
}

/** Serializes the spans of one request to the collector. */
export type SerializeSpans = (spans: readonly SerializedSpan[]) => Uint8Array;

/**
 * Creates the serializer of spans: JSON of OTLP (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding). The text of an attribute
 * is stored, because most attributes of a gateway have few values. The text is ASCII, so that it is copied without a conversion.
 */
export function createSpanSerializer(serviceName: string): SerializeSpans {
  const texts = new Map<string, Map<unknown, string>>();
  const head = `{"resourceSpans":[{"resource":{"attributes":[${attribute('service.name', serviceName)}]},"scopeSpans":[{"scope":{"name":"gatefold"},"spans":[`;

  /** Returns the text of an attribute, which is created once for each of the first values. */
  function textOf(name: string, value: unknown): string {
    if (name === ALWAYS_DIFFERENT) return attribute(name, value);
    let known = texts.get(name);
    if (known === undefined) {
      known = new Map();
      texts.set(name, known);
    }
    let text = known.get(value);
    if (text === undefined) {
      text = attribute(name, value);
      if (known.size < MAX_TEXTS && typeof value !== 'object') known.set(value, text);
    }
    return text;
  }

  function printSpan(span: SerializedSpan): string {
    const { name, kind, startTime, endTime, attributes, status, parentSpanContext: parent } = span;
    const { traceId, spanId, traceFlags } = span.spanContext();
    let printed = `{"traceId":"${traceId}","spanId":"${spanId}"`;
    if (parent !== undefined) printed += `,"parentSpanId":"${parent.spanId}"`;
    printed += `,"flags":${parent?.isRemote === true ? traceFlags + REMOTE_PARENT : traceFlags + LOCAL_PARENT}`;
    printed += `,"name":${quote(name)},"kind":${kind + 1},"startTimeUnixNano":"${nanosecondsOf(startTime)}"`;
    printed += `,"endTimeUnixNano":"${nanosecondsOf(endTime)}","attributes":[`;
    let separator = '';
    for (const key in attributes) {
      printed += separator + textOf(key, attributes[key]);
      separator = ',';
    }
    return `${printed}],"status":{"code":${status.code}}}`;
  }

  let buffer = Buffer.allocUnsafe(INITIAL_BYTES);

  return (spans) => {
    let used = buffer.write(head, 'latin1');
    let separator = '';
    for (const span of spans) {
      const text = separator + printSpan(span);
      if (used + text.length + TAIL.length > buffer.length)
        buffer = Buffer.concat([buffer.subarray(0, used)], (buffer.length + text.length) * 2);
      used += buffer.write(text, used, 'latin1');
      separator = ',';
    }
    used += buffer.write(TAIL, used, 'latin1');
    return Uint8Array.prototype.slice.call(buffer, 0, used);
  };
}

/** Size of the buffer in which the text is collected, before it grows. @unit bytes */
const INITIAL_BYTES = 65_536;

const TAIL = ']}]}]}';

/** Attribute whose text is not stored, because each request has another value. */
const ALWAYS_DIFFERENT = 'gatefold.request.id';

/** Maximum number of texts for one attribute. */
const MAX_TEXTS = 1_000;

/** Flags of a span in OTLP whose parent is not remote: `HAS_IS_REMOTE`. */
const LOCAL_PARENT = 0x1_00;
/** Flags of a span in OTLP whose parent is remote: `HAS_IS_REMOTE` and `IS_REMOTE`. */
const REMOTE_PARENT = 0x3_00;

function attribute(name: string, value: unknown): string {
  return `{"key":${quote(name)},"value":${valueOf(value as SpanValue)}}`;
}

function valueOf(value: SpanValue): string {
  if (typeof value === 'string') return `{"stringValue":${quote(value)}}`;
  if (typeof value === 'boolean') return `{"boolValue":${value}}`;
  if (typeof value === 'number') return Number.isInteger(value) ? `{"intValue":${value}}` : `{"doubleValue":${value}}`;
  return `{"arrayValue":{"values":[${value.map(valueOf).join(',')}]}}`;
}

/** Matches texts that JSON quotes unchanged. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** Quotes a text as JSON with ASCII characters only. */
function quote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  return JSON.stringify(text).replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Returns a time as a decimal number of nanoseconds, which exceeds the precision of a number. */
function nanosecondsOf([seconds, nanoseconds]: SpanTime): string {
  if (nanoseconds >= BILLION) return nanosecondsOf([seconds + 1, nanoseconds - BILLION]);
  return `${seconds}${String(nanoseconds + BILLION).slice(1)}`;
}

const BILLION = 1_000_000_000;
