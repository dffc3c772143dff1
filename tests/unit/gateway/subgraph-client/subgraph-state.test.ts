import { describe, expect, it } from '@jest/globals';
import type { CircuitBreaker, CircuitBreakerState } from '../../../../gateway/subgraph-client/circuit-breaker.ts';
import { createSubgraphStates } from '../../../../gateway/subgraph-client/subgraph-state.ts';

const pool = (active: number) => ({ counts: () => ({ active, idle: 1 }) });

/** Returns a circuit breaker in a fixed state. */
function breaker(state: CircuitBreakerState): CircuitBreaker {
  return {
    state: () => state,
    admit: () => 0,
    isOpen: () => state === 'open',
    succeeded() {},
    failed() {},
    canceled() {},
    waitMs: () => 0,
  };
}

describe('the state of a subgraph with several sources', () => {
  it.each([
    [['open', 'closed'], 'closed'],
    [['open', 'half-open'], 'half-open'],
    [['open', 'open'], 'open'],
  ] as const)('is common to the circuit breakers %j: %s', (states, expected) => {
    const all = createSubgraphStates();
    for (const [index, state] of states.entries()) all.add('shop', breaker(state), pool(1), `source${index}`);
    expect(all.list()).toMatchObject([{ name: 'shop', circuitBreaker: expected, sources: { source0: { circuitBreaker: states[0] } } }]);
  });

  it('counts the connections of a shared pool once, and has the time of the last success', () => {
    const all = createSubgraphStates();
    const shared = pool(2);
    all.add('shop', undefined, shared, 'a').lastSuccessAt = 5;
    all.add('shop', undefined, shared, 'b').lastSuccessAt = 9;
    all.add('shop', undefined, pool(3), 'c');
    all.add('plain', undefined, pool(1));
    expect(all.list()).toMatchObject([
      { name: 'shop', circuitBreaker: undefined, lastSuccessAt: 9, connections: { active: 5, idle: 2 } },
      { name: 'plain', lastSuccessAt: undefined, connections: { active: 1, idle: 1 } },
    ]);
    expect(all.list()[1]).not.toHaveProperty('sources');
  });
});
