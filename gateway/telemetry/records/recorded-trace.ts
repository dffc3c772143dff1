import { randomFillSync } from 'node:crypto';
import type { RequestHeaders } from '../../platform/request-headers.ts';
import { readTraceHeaders, readTraceParent, type TraceHeaders, type TraceParent, type TraceSource } from '../../platform/trace-context.ts';

/** Decides whether a trace is sampled. @param parent position in the trace of the client, if it sent one */
export type SampleTrace = (traceId: string, parent: TraceParent | undefined) => boolean;

/** Trace of one request: that of the client, or a new one. Ids are created when they are first needed. */
export class RecordedTrace {
  /** Trace that the client has sent. */
  readonly sent: TraceHeaders | undefined;
  readonly parent: TraceParent | undefined;
  readonly #sample: SampleTrace | undefined;
  #traceId: string | undefined;
  #isSampled: boolean | undefined;

  /**
   * @param sent headers of the request, or the trace of one operation
   * @param sample undefined when traces are off
   */
  constructor(sent: TraceSource | RequestHeaders, sample: SampleTrace | undefined) {
    this.sent = (sent as TraceSource).traceparent === undefined ? undefined : readTraceHeaders(sent);
    this.parent = this.sent && readTraceParent(this.sent.traceparent);
    this.#sample = sample;
    this.#traceId = this.parent?.traceId;
  }

  /** Whether traces are on. */
  get isRecorded(): boolean {
    return this.#sample !== undefined;
  }

  get traceId(): string {
    this.#traceId ??= randomHex(16);
    return this.#traceId;
  }

  /** Whether the trace is sent regardless of the result of the request. */
  get isSampled(): boolean {
    this.#isSampled ??= this.#sample?.(this.traceId, this.parent) ?? false;
    return this.#isSampled;
  }

  newSpanId(): string {
    return randomHex(8);
  }

  /** Returns the headers for a request that is a child of a span. */
  headersFor(spanId: string): TraceHeaders {
    const traceparent = `00-${this.traceId}-${spanId}-${this.isSampled ? '01' : '00'}`;
    if (this.sent === undefined) return { traceparent };
    return { traceparent, tracestate: this.sent.tracestate, baggage: this.sent.baggage };
  }
}

const POOL_BYTES = 8_192;
const pool = Buffer.allocUnsafe(POOL_BYTES);
let used = POOL_BYTES;

/** Creates an id from a pool of random bytes, because one call for each id takes ten times as long. An id is never zero. */
function randomHex(bytes: 8 | 16): string {
  if (used + bytes > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const id = pool.toString('hex', used, used + bytes);
  used += bytes;
  return ZEROS.test(id) ? randomHex(bytes) : id;
}

const ZEROS = /^0+$/;
