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
  /** Sends one request. Returns false if the circuit breaker did not admit it. */
  const send = (result: 'well' | 'badly', requestedMs?: number): boolean => {
    const ticket = breaker.admit();
    if (ticket === undefined) return false;
    if (result === 'well') breaker.succeeded(ticket);
    else breaker.failed(ticket, requestedMs);
    return true;
  };
  const sendAll = (results: string) => Array.from(results, (result) => send(result === '-' ? 'badly' : 'well'));
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
  ])('after requests with the results %s, is open: %s', (results, isOpen) => {
    const { breaker, sendAll } = breakerAt();
    sendAll(results);
    expect(breaker.isOpen()).toBe(isOpen);
  });

  it('admits a single probe when its time has passed', () => {
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

  it('reports whether it is closed, open or half open', () => {
    const { breaker, time, sendAll, send } = breakerAt();
    const states = [breaker.state()];
    sendAll('-----');
    states.push(breaker.state());
    time.now = 1_000;
    states.push(breaker.state());
    const probe = breaker.admit() ?? -1;
    states.push(breaker.state());
    breaker.failed(probe, undefined);
    states.push(breaker.state());
    time.now = 2_000;
    send('well');
    expect([...states, breaker.state()]).toEqual(['closed', 'open', 'half-open', 'half-open', 'open', 'closed']);
  });

  it('ignores earlier failures after it has closed again', () => {
    const { breaker, time, changes, sendAll } = breakerAt();
    sendAll('-----');
    time.now = 1_000;
    sendAll('+----');
    expect(breaker.isOpen()).toBe(false);
    sendAll('-');
    expect(breaker.isOpen()).toBe(true);
    expect(changes).toEqual(['open', 'closed', 'open']);
  });

  it('admits another probe if the caller of the first one aborts', () => {
    const { breaker, time, sendAll, send } = breakerAt();
    sendAll('-----');
    time.now = 1_000;
    breaker.canceled(breaker.admit() ?? -1);
    expect(send('well')).toBe(true);
    expect(breaker.isOpen()).toBe(false);
  });

  it('is not affected by requests from before it opened', () => {
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
  ])('after Retry-After: %i ms, stays open for %i ms', (requestedMs, waitMs) => {
    const { breaker, sendAll, send } = breakerAt();
    sendAll('----');
    send('badly', requestedMs);
    expect(breaker.waitMs()).toBe(waitMs);
  });

  it('opens if the window is smaller than the number of failures', () => {
    const { breaker, sendAll } = breakerAt({ failures: 50, window: 3 });
    sendAll('---');
    expect(breaker.isOpen()).toBe(true);
  });
});
