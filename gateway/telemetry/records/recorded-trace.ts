import type { RequestHeaders } from '../../platform/request-headers.ts';
import { readTraceHeaders, readTraceParent, type TraceHeaders, type TraceParent, type TraceSource } from '../../platform/trace-context.ts';
import { randomSpanId, randomTraceparent, SPAN_ID_END, TRACE_ID_AT, TRACE_ID_END } from './random-ids.ts';

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
  /** `traceparent` of the first span of a new trace, until that span takes it. */
  private first: string | undefined;

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
    this.first = undefined;
  }

  /** Whether traces are on. */
  get isRecorded(): boolean {
    return this.sample !== undefined;
  }

  get traceId(): string {
    if (this.id === undefined) {
      this.first = randomTraceparent();
      this.id = this.first.slice(TRACE_ID_AT, TRACE_ID_END);
    }
    return this.id;
  }

  /** Whether the trace is sent regardless of the result of the request. */
  get isSampled(): boolean {
    this.decision ??= this.sample?.(this.traceId, this.parent) ?? false;
    return this.decision;
  }

  /** Returns the headers of a request that is a new span of the trace. */
  newSpan(): TraceHeaders {
    const { isSampled, sent } = this;
    return { traceparent: this.newTraceparent(isSampled), tracestate: sent?.tracestate, baggage: sent?.baggage };
  }

  private newTraceparent(isSampled: boolean): string {
    const { traceId, first } = this;
    if (first === undefined) return `00-${traceId}-${randomSpanId()}${isSampled ? '-01' : '-00'}`;
    this.first = undefined;
    return isSampled ? `${first.slice(0, FLAGS_AT)}01` : first;
  }
}

/** Position of the flags in a value of `traceparent`. */
const FLAGS_AT = SPAN_ID_END + 1;
