import type { SpanKindName } from '../catalog/span-catalog.ts';

/** Time as seconds and nanoseconds since the epoch, as OpenTelemetry represents it. */
export type SpanTime = [seconds: number, nanoseconds: number];

/** Context of a span. `traceFlags` 1: the span is sent. */
export interface SpanIdentity {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
  readonly isRemote?: boolean;
}

/** A span before its export. */
export interface BuiltSpan {
  readonly name: string;
  readonly kind: SpanKindName;
  readonly identity: SpanIdentity;
  readonly parent: SpanIdentity | undefined;
  readonly startTime: SpanTime;
  readonly endTime: SpanTime;
  readonly attributes: Readonly<Record<string, SpanValue>>;
  readonly isError: boolean;
}

export type SpanValue = string | number | boolean | string[];

/** Adds an attribute if it has a value. */
export function setAttribute(attributes: Record<string, SpanValue>, name: string, value: SpanValue | undefined): void {
  if (value !== undefined) attributes[name] = value;
}

/** Returns the context of the span that a client has sent. */
export function remoteParent(parent: { readonly traceId: string; readonly spanId: string } | undefined): SpanIdentity | undefined {
  return parent && { traceId: parent.traceId, spanId: parent.spanId, traceFlags: 1, isRemote: true };
}

/** Converts a duration since the epoch. @param ms milliseconds */
export function toSpanTime(ms: number): SpanTime {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)];
}
