import { describe, expect, it } from '@jest/globals';
import { createRegistrationQuota } from '../../../../gateway/persisted/automatic-documents.ts';

describe('createRegistrationQuota', () => {
  let now = 0;
  const clock = { now: () => now, monotonic: () => now };

  function takeAll(quota: ReturnType<typeof createRegistrationQuota>, client: string): number {
    let taken = 0;
    while (quota.take(client)) taken += 1;
    return taken;
  }

  it('refills an exhausted quota with time, up to the quota of a minute', () => {
    const quota = createRegistrationQuota(60, clock);
    expect(takeAll(quota, 'a')).toBe(60);
    now += 10_000;
    expect(takeAll(quota, 'a')).toBe(10);
    now += 3_600_000;
    expect(takeAll(quota, 'a')).toBe(60);
  });

  it('does not lose refills when a client requests all the time', () => {
    const quota = createRegistrationQuota(60, clock);
    takeAll(quota, 'a');
    let taken = 0;
    for (let ms = 0; ms < 10_000; ms += 10) {
      now += 10;
      if (quota.take('a')) taken += 1;
    }
    expect(taken).toBeGreaterThanOrEqual(9);
  });

  it('gives each client its own quota', () => {
    const quota = createRegistrationQuota(60, clock);
    takeAll(quota, 'a');
    expect(takeAll(quota, 'b')).toBe(60);
  });

  it('resets the quota of a client that was evicted because of too many clients', () => {
    const quota = createRegistrationQuota(1, clock);
    expect(quota.take('first')).toBe(true);
    expect(quota.take('first')).toBe(false);
    for (let index = 0; index < 20_000; index += 1) quota.take(`client ${index}`);
    expect(quota.take('first')).toBe(true);
  });
});
