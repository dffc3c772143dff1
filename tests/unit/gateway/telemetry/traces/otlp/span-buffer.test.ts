import { describe, expect, it } from '@jest/globals';
import { SpanContent, SpanPosition } from '../../../../../../gateway/telemetry/traces/span-writer.ts';
import { SpanBuffer } from '../../../../../../gateway/telemetry/traces/otlp/span-buffer.ts';
import { readSpans, type ReceivedSpan } from '../../../../../support/otlp/read-spans.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';

function position(changes: Partial<SpanPosition> = {}): SpanPosition {
  return Object.assign(
    new SpanPosition(),
    { traceId: TRACE, idHigh: -1, idLow: 1, startedAt: 1_700_000_000_000, endedAt: 1_700_000_000_000 },
    changes,
  );
}

function content(attributes: SpanContent['attributes'] = {}, isError = false): SpanContent {
  return new SpanContent({ name: 'query', kind: 'server', attributes, isError });
}

function received(...spans: readonly (readonly [SpanContent, SpanPosition])[]): readonly ReceivedSpan[] {
  const buffer = new SpanBuffer('shop');
  for (const [one, at] of spans) buffer.add(one, at);
  const batch = buffer.take();
  expect(batch.spans).toBe(spans.length);
  return readSpans(batch.body).spans;
}

describe('the binary encoding of spans', () => {
  it('has the service name in the resource, also with other characters than ASCII', () => {
    expect(readSpans(new SpanBuffer('shop "α"').take().body)).toEqual({
      resource: { 'service.name': 'shop "α"' },
      scope: 'gatefold',
      spans: [],
    });
  });

  it.each([
    ['other characters than ASCII', 'a"\n é 😀'],
    ['no character', ''],
    ['200 characters', 'x'.repeat(200)],
    ['20,000 characters', 'é'.repeat(20_000)],
  ])('has a request id and a name with %s', (_with, text) => {
    const named = new SpanContent({ name: text, kind: 'client', attributes: { 'gatefold.client.name': text }, isError: false });
    const [span] = received([named, position({ requestId: text })]);
    expect(span?.name).toBe(text);
    expect(span?.attributes).toEqual({ 'gatefold.client.name': text, 'gatefold.request.id': text });
  });

  it('distinguishes numbers, lists and texts with equal characters', () => {
    const attributes = { text: '1', integer: 1, negative: -2, large: 5_000_000_000, double: 0.5, yes: true, no: false, list: ['a', 'b'] };
    const [span] = received([content(attributes), position()]);
    expect(span?.attributes).toEqual(attributes);
  });

  it('has ids, kinds, and whether the span failed', () => {
    const [one, other] = received([content(), position()], [content({}, true), position({ idHigh: 0x0102_0304, idLow: -2 })]);
    expect(one).toMatchObject({
      traceId: TRACE,
      spanId: 'ffffffff00000001',
      parentSpanId: undefined,
      flags: 0x1_01,
      kind: 2,
      statusCode: 0,
    });
    expect(other).toMatchObject({ spanId: '01020304fffffffe', statusCode: 2 });
  });

  it('says whether the parent is the span of a client', () => {
    const parent = { parentHigh: 0x0b_00_00_00, parentLow: 12 };
    const [local, remote] = received(
      [content(), position({ ...parent, parent: 'local' })],
      [content(), position({ ...parent, parent: 'remote' })],
    );
    expect(local).toMatchObject({ parentSpanId: '0b0000000000000c', flags: 0x1_01 });
    expect(remote).toMatchObject({ parentSpanId: '0b0000000000000c', flags: 0x3_01 });
  });

  it.each([
    ['a full second', 1_700_000_000_000, 1_700_000_000_000_000_000n],
    ['a quarter of a millisecond', 1_700_000_000_000.25, 1_700_000_000_000_250_000n],
    ['the last millisecond of a second', 1_700_000_000_999.5, 1_700_000_000_999_500_000n],
    ['a time whose lower half overflows', 1_700_000_003_000.75, 1_700_000_003_000_750_000n],
    ['a time whose nanoseconds are rounded to a full second', 1_000_999.999_999_9, 1_001_000_000_000n],
    ['the epoch', 0, 0n],
  ])('has %s in nanoseconds', (_time, ms, nanoseconds) => {
    const [span] = received([content(), position({ startedAt: ms, endedAt: ms })]);
    expect(span?.start).toBe(nanoseconds);
    expect(span?.end).toBe(nanoseconds);
  });

  it('has all spans of a batch that is longer than the buffer', () => {
    const buffer = new SpanBuffer('shop');
    for (let index = 0; index < 2_000; index += 1)
      buffer.add(content({ 'graphql.document.id': 'd'.repeat(200) }), position({ idLow: index }));
    const { spans } = readSpans(buffer.take().body);
    expect(spans.map(({ spanId }) => Number.parseInt(spanId.slice(8), 16))).toEqual(Array.from({ length: 2_000 }, (_, index) => index));
    buffer.add(content(), position());
    expect(readSpans(buffer.take().body).spans).toHaveLength(1);
  });
});
