import { describe, expect, it } from '@jest/globals';
import { takeMessage } from '../../../../gateway/subscriptions/session-messages.ts';

const RATE = { perSecond: 20, burst: 3 };

describe('takeMessage', () => {
  it('allows one message a twentieth of a second after an exhausted burst', () => {
    const allowance = { left: 3, at: 0 };
    expect([1, 2, 3, 4].map(() => takeMessage(allowance, RATE, 0))).toEqual([true, true, true, false]);
    expect(takeMessage(allowance, RATE, 49)).toBe(false);
    expect(takeMessage(allowance, RATE, 50)).toBe(true);
    expect(takeMessage(allowance, RATE, 50)).toBe(false);
  });

  it('allows one burst after an hour without messages', () => {
    const allowance = { left: 0, at: 0 };
    expect([1, 2, 3, 4].map(() => takeMessage(allowance, RATE, 3_600_000))).toEqual([true, true, true, false]);
  });
});
