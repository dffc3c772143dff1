import { describe, expect, it } from '@jest/globals';
import { createIdempotency } from '../../../gateway/idempotency/idempotency.ts';
import { createMemoryIdempotencyStore } from '../../../gateway/idempotency/memory-idempotency-store.ts';
import { systemClock } from '../../../gateway/platform/clock.ts';
import { compileNetworks } from '../../../gateway/platform/http/request/client-address.ts';
import { ANONYMOUS } from '../../../gateway/platform/principal.ts';

const LIMITS = { leaseMs: 1_000, timeToLiveMs: 10_000, maxKeys: 10, maxEntries: 10, maxBytes: 1_000_000 };

describe('point 15: idempotency keys of anonymous callers', () => {
  const store = createMemoryIdempotencyStore({ ...LIMITS, clock: systemClock });
  const { once } = createIdempotency({ store, maxResponseBytes: 1_000, isProxy: compileNetworks(['10.0.0.1']) });
  let count = 0;
  const request = async (remoteAddress: string, headers: Record<string, string> = {}) => {
    const request = { principal: ANONYMOUS, origin: { headers, remoteAddress }, key: 'one', parts: ['same'], isPassedDown: true };
    const { httpResponse: response, isReplayed } = await once(request, async () => {
      count += 1;
      const responded = { status: 200, headers: {}, body: String(count) };
      return { completion: { httpResponse: responded }, result: { errorCodes: [], mayHaveEffect: true, isConclusive: true } };
    });
    return `${response.body ?? ''}${isReplayed ? ' replayed' : ''}`;
  };

  it('are separate for each client address', async () => {
    expect(await request('192.0.2.1')).toBe('1');
    expect(await request('192.0.2.2')).toBe('2');
    expect(await request('10.0.0.1', { 'x-forwarded-for': '192.0.2.3' })).toBe('3');
    expect(await request('192.0.2.4', { 'x-forwarded-for': '192.0.2.1' })).toBe('4');
    expect(await request('192.0.2.1')).toBe('1 replayed');
    expect(await request('10.0.0.1', { 'x-forwarded-for': '192.0.2.2' })).toBe('2 replayed');
  });
});
