import type { RequestHeaders } from './request-headers.ts';

/** Headers of a trace (W3C Trace Context and W3C Baggage). */
export interface TraceHeaders {
  readonly traceparent: string;
  readonly tracestate?: string | undefined;
  readonly baggage?: string | undefined;
}

/** Position in a trace that a client has sent. */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Span of the client. 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whether the client records the trace. */
  readonly isSampled: boolean;
}

/** Maximum length of `tracestate` and of `baggage`. Longer values are not forwarded. @unit characters */
const MAX_LENGTH = 8_192;

/** Matches version, trace id, parent id and flags. Later versions may have more fields (W3C Trace Context, section 3.2). */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Matches the characters that are allowed in a header value. */
const VALUE = /^[\x20-\x7e]*$/;

/** Reads `traceparent`. Undefined when it is absent or malformed. */
export function readTraceParent(traceparent: unknown): TraceParent | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(traceparent) ?? [];
  if (version === undefined || (version === '00' && more !== undefined)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Reads a header that accompanies `traceparent`. Undefined when it is absent, too long or malformed. */
function readTraceValue(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH && VALUE.test(value) ? value : undefined;
}

/** Names of the headers of a trace. */
export const TRACE_HEADERS = ['traceparent', 'tracestate', 'baggage'] as const;

/** Object with the names of the headers of a trace: headers, or `extensions` of a GraphQL request. */
export interface TraceSource {
  readonly traceparent?: unknown;
  readonly tracestate?: unknown;
  readonly baggage?: unknown;
}

/**
 * Reads the trace of a request from an object with the names of the headers, such as `extensions` of a GraphQL request. Undefined when
 * `traceparent` is absent or malformed.
 */
export function readTraceHeaders(source: TraceSource | RequestHeaders): TraceHeaders | undefined {
  const { traceparent, tracestate, baggage } = source as TraceSource;
  if (typeof traceparent !== 'string' || readTraceParent(traceparent) === undefined) return undefined;
  return { traceparent, tracestate: readTraceValue(tracestate), baggage: readTraceValue(baggage) };
}
