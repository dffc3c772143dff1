import { describe, expect, it } from '@jest/globals';
import { readTraceId } from '../../../../rest-facade/request/read-trace-id.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

describe('the trace ID of a request', () => {
  it.each([
    undefined,
    '',
    TRACE,
    `00-${TRACE}-${PARENT}`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `ff-${TRACE}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01-more`,
    `00-${TRACE}-${PARENT}-01 `,
  ])('the traceparent %j has no valid trace ID', (traceparent) => {
    expect(readTraceId(traceparent === undefined ? {} : { traceparent })).toBeUndefined();
  });

  it.each([`00-${TRACE}-${PARENT}-01`, `01-${TRACE}-${PARENT}-01-more`])('reads the trace ID of the traceparent %s', (traceparent) => {
    expect(readTraceId({ traceparent })).toBe(TRACE);
  });
});
