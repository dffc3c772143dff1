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

  it('given several times, when they have come, then each is called once, and none before', () => {
    const [soon, later] = [add(Date.now() + 2_500), add(Date.now() + 4_000)];
    jest.advanceTimersByTime(2_000);
    expect([soon.calls(), later.calls()]).toEqual([0, 0]);
    jest.advanceTimersByTime(1_000);
    expect([soon.calls(), later.calls()]).toEqual([1, 0]);
    jest.advanceTimersByTime(60_000);
    expect([soon.calls(), later.calls()]).toEqual([1, 1]);
  });

  it('given a time that is further away than any timer can wait, when a day passes, then it is not called', () => {
    const far = add(Date.now() + 2 ** 40);
    jest.advanceTimersByTime(24 * 3_600_000);
    expect(far.calls()).toBe(0);
  });

  it('given one that has been put off, when the new time comes, then it is called again', () => {
    const one = add(Date.now() + 1_000, Date.now() + 5_000);
    jest.advanceTimersByTime(4_000);
    expect(one.calls()).toBe(1);
    jest.advanceTimersByTime(1_000);
    expect(one.calls()).toBe(2);
  });

  it('given one that was taken out, when its time comes, then it is not called, and nothing runs on', () => {
    const one = add(Date.now() + 1_000);
    one.remove();
    jest.advanceTimersByTime(3_000);
    expect(one.calls()).toBe(0);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('given a clock that jumps ahead, when it is looked at, then all that is due by it is called', () => {
    const [one, other] = [add(Date.now() + 60_000), add(Date.now() + 90_000)];
    jest.setSystemTime(Date.now() + 3_600_000);
    jest.advanceTimersByTime(1_000);
    expect([one.calls(), other.calls()]).toEqual([1, 1]);
  });
});
