import { describe, expect, it } from '@jest/globals';
import { createSampler } from '../../../../../gateway/telemetry/traces/traces-sink.ts';
import { RecordedTrace } from '../../../../../gateway/telemetry/records/recorded-trace.ts';
import { telemetry } from '../../../../../gateway/config/sections/telemetry.ts';

const traces = (ratio: number) => createSampler({ ...telemetry.parse({}).traces, ratio });

function shareOf(ratio: number): number {
  const sample = traces(ratio);
  const count = 20_000;
  let sampled = 0;
  for (let index = 0; index < count; index += 1) if (new RecordedTrace({}, sample).isSampled) sampled += 1;
  return sampled / count;
}

describe('the sampler', () => {
  it.each([
    [0, 0, 0],
    [1, 1, 1],
    [0.1, 0.08, 0.12],
  ])('with the ratio %s samples its share of new traces', (ratio, min, max) => {
    expect(shareOf(ratio)).toBeGreaterThanOrEqual(min);
    expect(shareOf(ratio)).toBeLessThanOrEqual(max);
  });

  it('decides equally about equal traces in two gateways', () => {
    const [one, other] = [traces(0.5), traces(0.5)];
    const ids = Array.from({ length: 100 }, () => new RecordedTrace({}, one).traceId);
    expect(ids.map((id) => one(id, undefined))).toEqual(ids.map((id) => other(id, undefined)));
  });

  it('creates ids of 32 and 16 hexadecimal digits', () => {
    const trace = new RecordedTrace({}, traces(1));
    expect(trace.traceId).toMatch(/^[0-9a-f]{32}$/);
    const spans = Array.from({ length: 1_000 }, () => trace.newSpan().traceparent);
    expect(new Set(spans).size).toBe(1_000);
    for (const span of spans) expect(span).toMatch(new RegExp(`^00-${trace.traceId}-(?!0{16})[0-9a-f]{16}-01$`));
  });
});
