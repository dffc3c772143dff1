import { describe, expect, it } from '@jest/globals';
import { createIdempotency } from '../../../gateway/idempotency/idempotency.ts';
import { createMemoryIdempotencyStore } from '../../../gateway/idempotency/memory-idempotency-store.ts';
import { systemClock } from '../../../gateway/platform/clock.ts';
import { compileNetworks } from '../../../gateway/platform/http/request/client-address.ts';
import { ANONYMOUS } from '../../../gateway/platform/principal.ts';

const LIMITS = { leaseMs: 1_000, timeToLiveMs: 10_000, maxKeys: 10, maxEntries: 10, maxBytes: 1_000_000 };

describe('point 15: idempotency keys of anonymous callers', () => {
  const store = createMemoryIdempotencyStore({ ...LIMITS, clock: systemClock });
  const { once } = createIdempotency({ store, maxReplyBytes: 1_000, isProxy: compileNetworks(['10.0.0.1']) });
  let count = 0;
  const ask = async (remoteAddress: string, headers: Record<string, string> = {}) => {
    const request = { principal: ANONYMOUS, origin: { headers, remoteAddress }, key: 'one', parts: ['same'], isPassedDown: true };
    const { reply, isReplayed } = await once(request, async () => {
      count += 1;
      const answered = { status: 200, headers: {}, body: String(count) };
      return { conclusion: { reply: answered }, outcome: { errorCodes: [], mayHaveEffect: true, isTelling: true } };
    });
    return `${reply.body ?? ''}${isReplayed ? ' replayed' : ''}`;
  };

  it('are apart by the address of the client', async () => {
    expect(await ask('192.0.2.1')).toBe('1');
    expect(await ask('192.0.2.2')).toBe('2');
    expect(await ask('10.0.0.1', { 'x-forwarded-for': '192.0.2.3' })).toBe('3');
    expect(await ask('192.0.2.4', { 'x-forwarded-for': '192.0.2.1' })).toBe('4');
    expect(await ask('192.0.2.1')).toBe('1 replayed');
    expect(await ask('10.0.0.1', { 'x-forwarded-for': '192.0.2.2' })).toBe('2 replayed');
  });
});
