import type { CircuitBreaker, CircuitBreakerState } from './circuit-breaker.ts';
import type { ConnectionCounts, ConnectionPool } from './connection/connection-pool.ts';

/** State of one subgraph, as the gateway has seen it in its own requests. */
export interface SubgraphState {
  readonly name: string;
  /** Undefined when the circuit breaker of the subgraph is disabled. */
  readonly circuitBreaker: CircuitBreakerState | undefined;
  /** Time of the last valid response since the supergraph was loaded. Undefined before the first one. @unit milliseconds since the epoch */
  readonly lastSuccessAt: number | undefined;
  readonly connections: ConnectionCounts;
}

/** Result of the requests to one subgraph, which is updated by each response. */
export interface SubgraphActivity {
  /** @unit milliseconds since the epoch */
  lastSuccessAt: number | undefined;
}

/** States of the subgraphs of one client. */
export interface SubgraphStates {
  /** Adds a subgraph. Returns the object that its requests update. */
  add(name: string, breaker: CircuitBreaker | undefined, pool: Pick<ConnectionPool, 'counts'>): SubgraphActivity;
  /** Returns the current states, in the order in which the subgraphs were added. */
  list(): readonly SubgraphState[];
}

export function createSubgraphStates(): SubgraphStates {
  const all: {
    readonly name: string;
    readonly breaker: CircuitBreaker | undefined;
    readonly pool: Pick<ConnectionPool, 'counts'>;
    readonly activity: SubgraphActivity;
  }[] = [];
  return {
    add(name, breaker, pool) {
      const activity: SubgraphActivity = { lastSuccessAt: undefined };
      all.push({ name, breaker, pool, activity });
      return activity;
    },
    list: () =>
      all.map(({ name, breaker, pool, activity }) => ({
        name,
        circuitBreaker: breaker?.state(),
        lastSuccessAt: activity.lastSuccessAt,
        connections: pool.counts(),
      })),
  };
}
