import type { RequestHeaders } from '../../platform/request-headers.ts';
import { readTraceHeaders, readTraceParent, type TraceHeaders, type TraceParent, type TraceSource } from '../../platform/trace-context.ts';
import { randomHex } from './random-ids.ts';

/** Decides whether a trace is sampled. @param parent position in the trace of the client, if it sent one */
export type SampleTrace = (traceId: string, parent: TraceParent | undefined) => boolean;

/**
 * Trace of one request: that of the client, or a new one. Ids are created when they are first needed. The members are not `#private`,
 * because each private member makes the creation of the object slower.
 */
export class RecordedTrace {
  /** Trace that the client has sent. */
  readonly sent: TraceHeaders | undefined;
  readonly parent: TraceParent | undefined;
  private readonly sample: SampleTrace | undefined;
  private id: string | undefined;
  private decision: boolean | undefined;

  /**
   * @param sent headers of the request, or the trace of one operation
   * @param sample undefined when traces are off
   */
  constructor(sent: TraceSource | RequestHeaders, sample: SampleTrace | undefined) {
    const headers = (sent as TraceSource).traceparent === undefined ? undefined : readTraceHeaders(sent);
    this.sent = headers;
    this.parent = headers === undefined ? undefined : readTraceParent(headers.traceparent);
    this.sample = sample;
    this.id = this.parent?.traceId;
    this.decision = undefined;
  }

  /** Whether traces are on. */
  get isRecorded(): boolean {
    return this.sample !== undefined;
  }

  get traceId(): string {
    this.id ??= randomHex(32);
    return this.id;
  }

  /** Whether the trace is sent regardless of the result of the request. */
  get isSampled(): boolean {
    this.decision ??= this.sample?.(this.traceId, this.parent) ?? false;
    return this.decision;
  }

  newSpanId(): string {
    return randomHex(16);
  }

  /** Returns the headers for a request that is a child of a span. */
  headersFor(spanId: string): TraceHeaders {
    const traceparent = `00-${this.traceId}-${spanId}-${this.isSampled ? '01' : '00'}`;
    const { sent } = this;
    return { traceparent, tracestate: sent?.tracestate, baggage: sent?.baggage };
  }
}
