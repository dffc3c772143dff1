import type { RequestHeaders } from '../../gateway/platform/request-headers.ts';

/** Matches version, trace, parent and flags. Future versions may have more fields (W3C Trace Context, section 3.2). */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;

/** Reads the id of the trace that a request belongs to. Returns undefined if `traceparent` is absent or malformed. */
export function readTraceId({ traceparent }: RequestHeaders): string | undefined {
  const [, version, trace, more] = (typeof traceparent === 'string' && TRACEPARENT.exec(traceparent)) || [];
  return version === '00' && more !== undefined ? undefined : trace;
}
