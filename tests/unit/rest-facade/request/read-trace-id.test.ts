import { describe, expect, it } from '@jest/globals';
import { readTraceId } from '../../../../rest-facade/request/read-trace-id.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

describe('the trace a request is a part of', () => {
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
  ])('given the traceparent %j, when read, then there is none', (traceparent) => {
    expect(readTraceId(traceparent === undefined ? {} : { traceparent })).toBeUndefined();
  });

  it.each([`00-${TRACE}-${PARENT}-01`, `01-${TRACE}-${PARENT}-01-more`])(
    'given the traceparent %s, when read, then it is known',
    (traceparent) => {
      expect(readTraceId({ traceparent })).toBe(TRACE);
    },
  );
});
