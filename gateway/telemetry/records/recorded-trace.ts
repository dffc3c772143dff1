import type { RequestHeaders } from '../../platform/request-headers.ts';
import { readTraceHeaders, readTraceParent, type TraceHeaders, type TraceParent, type TraceSource } from '../../platform/trace-context.ts';

/** Decides by the id of a trace whether it is sampled. */
export type SampleTrace = (traceId: string) => boolean;

/** Trace of one request: that of the client, or a new one. Ids are created when they are first needed. */
export class RecordedTrace {
  /** Trace that the client has sent. */
  readonly sent: TraceHeaders | undefined;
  readonly parent: TraceParent | undefined;
  readonly #sample: SampleTrace;
  #traceId: string | undefined;
  #isSampled: boolean | undefined;

  /** @param sent headers of the request, or the trace of one operation */
  constructor(sent: TraceSource | RequestHeaders, sample: SampleTrace) {
    this.sent = (sent as TraceSource).traceparent === undefined ? undefined : readTraceHeaders(sent);
    this.parent = this.sent && readTraceParent(this.sent.traceparent);
    this.#sample = sample;
    this.#traceId = this.parent?.traceId;
    this.#isSampled = this.parent?.isSampled;
  }

  get traceId(): string {
    this.#traceId ??= randomHex(32);
    return this.#traceId;
  }

  /** Whether the trace is recorded regardless of its result: as the client decides, or by the sampling ratio. */
  get isSampled(): boolean {
    this.#isSampled ??= this.#sample(this.traceId);
    return this.#isSampled;
  }

  newSpanId(): string {
    return randomHex(16);
  }

  /** Returns the headers for a request that is a child of a span. */
  headersFor(spanId: string): TraceHeaders {
    const traceparent = `00-${this.traceId}-${spanId}-${this.isSampled ? '01' : '00'}`;
    if (this.sent === undefined) return { traceparent };
    return { traceparent, tracestate: this.sent.tracestate, baggage: this.sent.baggage };
  }
}

/** Creates an id that is unique but not secret. It is never zero, because its first digit is not. */
function randomHex(length: 16 | 32): string {
  let id = randomDigits(0x10000000);
  for (let digits = 8; digits < length; digits += 8) id += randomDigits(0).padStart(8, '0');
  return id;
}

/** @param min smallest value of the 8 digits */
function randomDigits(min: number): string {
  return (min + Math.floor(Math.random() * (0x100000000 - min))).toString(16);
}
