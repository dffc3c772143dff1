import { describe, expect, it } from '@jest/globals';
import { readTraceHeaders, readTraceParent } from '../../../../gateway/platform/trace-context.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('traceparent', () => {
  it.each([
    ['nothing', undefined],
    ['a list', ['00-a']],
    ['an unknown version without a trace', 'ff-'],
    ['version ff', `ff-${TRACE}-${SPAN}-01`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['upper-case digits', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['version 00 with more fields', `00-${TRACE}-${SPAN}-01-more`],
  ])('given %s, there is no parent', (_given, value) => {
    expect(readTraceParent(value)).toBeUndefined();
  });

  it.each([
    ['00', true, `00-${TRACE}-${SPAN}-01`],
    ['00 and another flag', false, `00-${TRACE}-${SPAN}-02`],
    ['a later version with more fields', true, `cc-${TRACE}-${SPAN}-01-what-the-future-will-be`],
  ])('given version %s, isSampled is %s', (_given, isSampled, value) => {
    expect(readTraceParent(value)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled });
  });
});

describe('the headers of a trace', () => {
  it('are absent without a valid traceparent', () => {
    expect(readTraceHeaders({ tracestate: 'a=b', baggage: 'c=d' })).toBeUndefined();
  });

  it('do not include values that are too long or contain a line break', () => {
    const traceparent = `00-${TRACE}-${SPAN}-01`;
    expect(readTraceHeaders({ traceparent, tracestate: 'x'.repeat(8_193), baggage: 'a=b\r\nx: y' })).toEqual({ traceparent });
  });
});
