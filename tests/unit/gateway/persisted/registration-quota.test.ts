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

  it('given a client that took all, when time passes, then it may take what has come in meanwhile, and never more than a minute of it', () => {
    const quota = createRegistrationQuota(60, clock);
    expect(takeAll(quota, 'a')).toBe(60);
    now += 10_000;
    expect(takeAll(quota, 'a')).toBe(10);
    now += 3_600_000;
    expect(takeAll(quota, 'a')).toBe(60);
  });

  it('given a client that asks all the time, when time passes, then what comes in is not lost', () => {
    const quota = createRegistrationQuota(60, clock);
    takeAll(quota, 'a');
    let taken = 0;
    for (let ms = 0; ms < 10_000; ms += 10) {
      now += 10;
      if (quota.take('a')) taken += 1;
    }
    expect(taken).toBeGreaterThanOrEqual(9);
  });

  it('given a client that took all, when another comes, then that one has its own', () => {
    const quota = createRegistrationQuota(60, clock);
    takeAll(quota, 'a');
    expect(takeAll(quota, 'b')).toBe(60);
  });

  it('given clients without end, when each takes one, then the one that was forgotten begins anew', () => {
    const quota = createRegistrationQuota(1, clock);
    expect(quota.take('first')).toBe(true);
    expect(quota.take('first')).toBe(false);
    for (let index = 0; index < 20_000; index += 1) quota.take(`client ${index}`);
    expect(quota.take('first')).toBe(true);
  });
});
