import type { SubgraphPolicies } from '../config/sections/subgraphs.ts';
import { CORRELATION_ID_HEADER, type RequestHeaders } from '../platform/request-headers.ts';
import { TRACE_HEADERS, type TraceHeaders } from '../platform/trace-context.ts';
import type { SubgraphContext, SubgraphRequest } from '../supergraph/subgraph-executor.ts';

/** Headers of the requests to one subgraph, without the identity header. */
export interface CompiledHeaders {
  /**
   * Returns the header lines, each with its line break.
   *
   * @param trace trace of the operation. @defaultValue `traceparent` of the client
   */
  of(context: SubgraphContext, trace?: TraceHeaders): string;
  /** Returns the header lines of a request whose headers hooks may have changed. */
  withChanges(request: Pick<SubgraphRequest, 'context' | 'headers' | 'trace'>): string;
  /** Returns the values propagated from the client request. Requests that differ in them are not equal. */
  adopted(context: SubgraphContext): readonly (string | undefined)[];
  /** Whether the configuration removes a header, in lower case. */
  isRemoved(name: string | undefined): boolean;
}

const FIXED = {
  'content-type': 'application/json',
  accept: 'application/graphql-response+json, application/json',
  'accept-encoding': 'identity',
};

/** Name of the header of W3C Trace Context. */
export const TRACEPARENT = 'traceparent';

/** Beginnings of lines. They are constants, because V8 allocates each join of two texts. */
const CORRELATION_ID_LABEL = `${CORRELATION_ID_HEADER}: `;
const TRACEPARENT_LABEL = `${TRACEPARENT}: `;
const LINE_END = '\r\n';

/** Matches version, trace ID, parent ID and flags (W3C Trace Context, section 3.2). */
const TRACEPARENT_VALUE = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Maximum length of a header value that is propagated from a client. @unit characters */
const MAX_VALUE_LENGTH = 8_192;

/** Matches the characters that are allowed in a header value (RFC 9110, section 5.5). */
export const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Compiles the header rules once. Each request then adds one line for its correlation ID and one lookup per propagated header. */
export function compileHeaders({ propagate, rename, set, remove }: SubgraphPolicies['headers']): CompiledHeaders {
  const removed = new Set(remove);
  const always = Object.entries(set).filter(([name]) => !removed.has(name));
  const fixed = [...Object.entries(FIXED), ...always].map(([name, value]) => headerLine(name, value)).join('');
  const forwarded = headersToForward({ propagate, rename, set, remove });
  const sendsCorrelationId = !removed.has(CORRELATION_ID_HEADER);
  const sendsTraceparent = !removed.has(TRACEPARENT);

  /** Adds the lines that depend on the request. */
  function completed(
    fixedLines: string,
    { headers, correlationId }: SubgraphContext,
    trace: TraceHeaders | undefined,
    isForwarded?: (name: string) => boolean,
  ): string {
    let lines = fixedLines;
    if (sendsCorrelationId && HEADER_VALUE.test(correlationId)) lines += CORRELATION_ID_LABEL + correlationId + LINE_END;
    if (trace !== undefined) {
      const isAlone = trace.tracestate === undefined && trace.baggage === undefined && sendsTraceparent && isForwarded === undefined;
      lines += isAlone ? TRACEPARENT_LABEL + trace.traceparent + LINE_END : traceLines(trace, removed, isForwarded);
    } else if (sendsTraceparent) {
      const sent = headers[TRACEPARENT];
      if (typeof sent === 'string' && TRACEPARENT_VALUE.test(sent)) lines += headerLine(TRACEPARENT, sent);
    }
    for (const [name, source] of forwarded) {
      if (isForwarded?.(name) === false || (trace !== undefined && TRACE_NAMES.has(name))) continue;
      const value = readPropagated(headers, source);
      if (value !== undefined) lines += headerLine(name, value);
    }
    return lines;
  }

  return {
    of: (context, trace) => completed(fixed, context, trace),
    withChanges({ context, headers: changes, trace }) {
      if (changes === undefined) return completed(fixed, context, trace);
      const isUnchanged = (name: string): boolean => !Object.hasOwn(changes, name);
      const lines = [...Object.entries(FIXED), ...always].filter(([name]) => isUnchanged(name));
      const changed = Object.entries(changes).filter((entry): entry is [string, string] => entry[1] !== null);
      return completed([...lines, ...changed].map(([name, value]) => headerLine(name, value)).join(''), context, trace, isUnchanged);
    },
    adopted: ({ headers }) => forwarded.map(([, source]) => readPropagated(headers, source)),
    isRemoved: (name) => name !== undefined && removed.has(name),
  };
}

/**
 * Returns the names of the headers that are forwarded from the client: the outgoing name and the name at the client. When several rules
 * have one outgoing name, the last one is used. Headers in `set` take precedence.
 */
export function headersToForward({ propagate, rename, set, remove }: SubgraphPolicies['headers']): readonly (readonly [string, string])[] {
  const sources = new Map([
    ...propagate.map((name) => [name, name] as const),
    ...Object.entries(rename).map(([from, to]) => [to, from] as const),
  ]);
  for (const name of [...remove, ...Object.keys(set)]) sources.delete(name);
  return [...sources];
}

const TRACE_NAMES: ReadonlySet<string> = new Set(TRACE_HEADERS);

function traceLines(trace: TraceHeaders, removed: ReadonlySet<string>, isForwarded?: (name: string) => boolean): string {
  let lines = '';
  for (const name of TRACE_HEADERS) {
    const value = trace[name];
    if (value !== undefined && !removed.has(name) && isForwarded?.(name) !== false) lines += headerLine(name, value);
  }
  return lines;
}

/** Returns a header line with its line break. */
export function headerLine(name: string, value: string): string {
  return `${name}: ${value}\r\n`;
}

/** Reads a header that is propagated from a client. @returns undefined if it is absent, too long or not a valid header value */
export function readPropagated(headers: RequestHeaders, name: string): string | undefined {
  const sent = Object.hasOwn(headers, name) ? headers[name] : undefined;
  const value = Array.isArray(sent) ? sent.join(', ') : sent;
  return typeof value === 'string' && value.length <= MAX_VALUE_LENGTH && HEADER_VALUE.test(value) ? value : undefined;
}
