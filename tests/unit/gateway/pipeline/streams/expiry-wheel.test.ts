import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ExpiryWheel, createExpiryWheel } from '../../../../../gateway/pipeline/streams/expiry-wheel.ts';

describe('the expiry wheel', () => {
  let wheel: ExpiryWheel;
  beforeEach(() => {
    jest.useFakeTimers({ now: 1_000_000 });
    wheel = createExpiryWheel(Date.now);
  });
  afterEach(() => {
    wheel[Symbol.dispose]();
    jest.useRealTimers();
  });

  function add(at: number, again?: number): { readonly calls: () => number; readonly remove: () => void } {
    let calls = 0;
    const remove = wheel.add(
      {
        onDue() {
          calls += 1;
          return calls === 1 ? again : undefined;
        },
      },
      at,
    );
    return { calls: () => calls, remove };
  }

  it('calls each entry once, when it is due', () => {
    const [soon, later] = [add(Date.now() + 2_500), add(Date.now() + 4_000)];
    jest.advanceTimersByTime(2_000);
    expect([soon.calls(), later.calls()]).toEqual([0, 0]);
    jest.advanceTimersByTime(1_000);
    expect([soon.calls(), later.calls()]).toEqual([1, 0]);
    jest.advanceTimersByTime(60_000);
    expect([soon.calls(), later.calls()]).toEqual([1, 1]);
  });

  it('does not call an entry that is later than the longest timer', () => {
    const far = add(Date.now() + 2 ** 40);
    jest.advanceTimersByTime(24 * 3_600_000);
    expect(far.calls()).toBe(0);
  });

  it('calls a postponed entry again at its new time', () => {
    const one = add(Date.now() + 1_000, Date.now() + 5_000);
    jest.advanceTimersByTime(4_000);
    expect(one.calls()).toBe(1);
    jest.advanceTimersByTime(1_000);
    expect(one.calls()).toBe(2);
  });

  it('does not call a removed entry and leaves no timer running', () => {
    const one = add(Date.now() + 1_000);
    one.remove();
    jest.advanceTimersByTime(3_000);
    expect(one.calls()).toBe(0);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('calls all entries that are due after the clock jumps ahead', () => {
    const [one, other] = [add(Date.now() + 60_000), add(Date.now() + 90_000)];
    jest.setSystemTime(Date.now() + 3_600_000);
    jest.advanceTimersByTime(1_000);
    expect([one.calls(), other.calls()]).toEqual([1, 1]);
  });
});
