import { describe, expect, it } from '@jest/globals';
import { createSpanSerializer, type SerializedSpan } from '../../../../../gateway/telemetry/traces/otlp-json.ts';

const SPAN: SerializedSpan = {
  name: 'query',
  kind: 1,
  startTime: [1_700_000_000, 5],
  endTime: [1_700_000_000, 1_000_000_000],
  status: { code: 0 },
  attributes: {},
  spanContext: () => ({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }),
};

function serialized(...spans: readonly SerializedSpan[]): readonly Readonly<Record<string, unknown>>[] {
  const text = Buffer.from(createSpanSerializer('shop "α"')(spans)).toString('utf8');
  const { resourceSpans } = JSON.parse(text) as {
    readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Readonly<Record<string, unknown>>[] }[] }[];
  };
  return resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
}

describe('the JSON of spans', () => {
  it('has the characters of texts that JSON must escape, and those outside of ASCII', () => {
    const value = 'a"b\\c\n\u2028 é 😀';
    const [span] = serialized({ ...SPAN, name: value, attributes: { 'gatefold.client.name': value, 'gatefold.request.id': value } });
    expect(span?.['name']).toBe(value);
    expect(span?.['attributes']).toEqual([
      { key: 'gatefold.client.name', value: { stringValue: value } },
      { key: 'gatefold.request.id', value: { stringValue: value } },
    ]);
  });

  it('has the service name in the resource', () => {
    const text = Buffer.from(createSpanSerializer('shop "α"')([])).toString('utf8');
    expect(JSON.parse(text)).toEqual({
      resourceSpans: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop "α"' } }] },
          scopeSpans: [{ scope: { name: 'gatefold' }, spans: [] }],
        },
      ],
    });
  });

  it('has times in nanoseconds, also when they were rounded to a full second', () => {
    expect(serialized(SPAN)).toEqual([
      {
        traceId: 'a'.repeat(32),
        spanId: 'b'.repeat(16),
        flags: 0x1_01,
        name: 'query',
        kind: 2,
        startTimeUnixNano: '1700000000000000005',
        endTimeUnixNano: '1700000001000000000',
        attributes: [],
        status: { code: 0 },
      },
    ]);
  });

  it('says that the span of a client is remote', () => {
    const [span] = serialized({ ...SPAN, parentSpanContext: { spanId: 'c'.repeat(16), isRemote: true } });
    expect(span).toMatchObject({ parentSpanId: 'c'.repeat(16), flags: 0x3_01 });
  });

  it('distinguishes numbers, lists and texts with equal characters', () => {
    const of = (value: unknown) => serialized({ ...SPAN, attributes: { one: value } })[0]?.['attributes'];
    const [first, second] = serialized({ ...SPAN, attributes: { one: 1 } }, { ...SPAN, attributes: { one: '1' } });
    expect(first?.['attributes']).toEqual([{ key: 'one', value: { intValue: 1 } }]);
    expect(second?.['attributes']).toEqual([{ key: 'one', value: { stringValue: '1' } }]);
    expect(of(0.5)).toEqual([{ key: 'one', value: { doubleValue: 0.5 } }]);
    expect(of(['a', 'b'])).toEqual([{ key: 'one', value: { arrayValue: { values: [{ stringValue: 'a' }, { stringValue: 'b' }] } } }]);
  });
});
