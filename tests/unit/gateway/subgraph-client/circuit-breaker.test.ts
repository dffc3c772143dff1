import { describe, expect, it } from '@jest/globals';
import { type CircuitBreakerSettings, createCircuitBreaker } from '../../../../gateway/subgraph-client/circuit-breaker.ts';

function breakerAt(settings: Partial<CircuitBreakerSettings> = {}) {
  const time = { now: 0 };
  const changes: string[] = [];
  const breaker = createCircuitBreaker({
    failures: 5,
    window: 10,
    openMs: 1_000,
    maxOpenMs: 60_000,
    ...settings,
    now: () => time.now,
    onChange: (state) => changes.push(state),
  });
  /** Sends one request; false when it was not let through. */
  const send = (outcome: 'well' | 'badly', askedForMs?: number): boolean => {
    const ticket = breaker.admit();
    if (ticket === undefined) return false;
    if (outcome === 'well') breaker.succeeded(ticket);
    else breaker.failed(ticket, askedForMs);
    return true;
  };
  const sendAll = (outcomes: string) => Array.from(outcomes, (outcome) => send(outcome === '-' ? 'badly' : 'well'));
  return { breaker, time, changes, send, sendAll };
}

describe('createCircuitBreaker', () => {
  it.each([
    ['-----', true],
    ['----', false],
    ['----+++++-', true],
    ['----++++++-', false],
    ['-+-+-+-+-', true],
    ['+++++++++++++-----', true],
    ['-++-++-++-++-++-++', false],
  ])('given requests that end %s, when asked, then it is open: %s', (outcomes, isOpen) => {
    const { breaker, sendAll } = breakerAt();
    sendAll(outcomes);
    expect(breaker.isOpen()).toBe(isOpen);
  });

  it('given one that is open, when its time has passed, then one request gets through until that one has ended', () => {
    const { breaker, time, sendAll, send } = breakerAt();
    sendAll('-----');
    time.now = 999;
    expect(send('well')).toBe(false);
    expect(breaker.waitMs()).toBe(1);
    time.now = 1_000;
    const probe = breaker.admit();
    expect(probe).toBeDefined();
    expect([breaker.admit(), breaker.isOpen()]).toEqual([undefined, true]);
    breaker.failed(probe ?? -1, undefined);
    expect(send('well')).toBe(false);
    time.now = 2_000;
    expect(send('well')).toBe(true);
    expect(breaker.isOpen()).toBe(false);
  });

  it('given one that has closed again, when four fail, then what was before does not count', () => {
    const { breaker, time, changes, sendAll } = breakerAt();
    sendAll('-----');
    time.now = 1_000;
    sendAll('+----');
    expect(breaker.isOpen()).toBe(false);
    sendAll('-');
    expect(breaker.isOpen()).toBe(true);
    expect(changes).toEqual(['open', 'closed', 'open']);
  });

  it('given a try whose caller left, when the next request comes, then that one tries', () => {
    const { breaker, time, sendAll, send } = breakerAt();
    sendAll('-----');
    time.now = 1_000;
    breaker.cancelled(breaker.admit() ?? -1);
    expect(send('well')).toBe(true);
    expect(breaker.isOpen()).toBe(false);
  });

  it('given requests of before it opened, when they end after it, then they neither close it nor keep it open', () => {
    const { breaker, time, sendAll } = breakerAt();
    const early = [breaker.admit(), breaker.admit()].map((ticket) => ticket ?? -1);
    sendAll('-----');
    breaker.succeeded(early[0] ?? -1);
    expect(breaker.isOpen()).toBe(true);
    time.now = 1_000;
    breaker.failed(early[1] ?? -1, 50_000);
    expect(breaker.isOpen()).toBe(false);
  });

  it.each([
    [30_000, 30_000],
    [10, 1_000],
    [3_600_000, 60_000],
  ])('given a subgraph that asks for %i ms when it opens, when asked, then it waits %i ms', (askedForMs, waitMs) => {
    const { breaker, sendAll, send } = breakerAt();
    sendAll('----');
    send('badly', askedForMs);
    expect(breaker.waitMs()).toBe(waitMs);
  });

  it('given more failures than the window has places, when all fail, then it opens all the same', () => {
    const { breaker, sendAll } = breakerAt({ failures: 50, window: 3 });
    sendAll('---');
    expect(breaker.isOpen()).toBe(true);
  });
});
