import { describe, expect, it } from '@jest/globals';
import { takeMessage } from '../../../../gateway/subscriptions/session-messages.ts';

const RATE = { perSecond: 20, burst: 3 };

describe('how often a client may say something', () => {
  it('given a burst that is used up, when a twentieth of a second has passed, then there is one message, and not two', () => {
    const allowance = { left: 3, at: 0 };
    expect([1, 2, 3, 4].map(() => takeMessage(allowance, RATE, 0))).toEqual([true, true, true, false]);
    expect(takeMessage(allowance, RATE, 49)).toBe(false);
    expect(takeMessage(allowance, RATE, 50)).toBe(true);
    expect(takeMessage(allowance, RATE, 50)).toBe(false);
  });

  it('given a client that was silent for an hour, then it has one burst', () => {
    const allowance = { left: 0, at: 0 };
    expect([1, 2, 3, 4].map(() => takeMessage(allowance, RATE, 3_600_000))).toEqual([true, true, true, false]);
  });
});
