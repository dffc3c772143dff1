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
  /** States of the sources of a subgraph with connectors, by name. @defaultValue the subgraph is a GraphQL server */
  readonly sources?: Readonly<Record<string, SourceState>>;
}

/** State of one source of a subgraph with connectors. */
export type SourceState = Pick<SubgraphState, 'circuitBreaker' | 'lastSuccessAt' | 'connections'>;

/** Result of the requests to one subgraph, which is updated by each response. */
export interface SubgraphActivity {
  /** @unit milliseconds since the epoch */
  lastSuccessAt: number | undefined;
}

/** States of the subgraphs of one client. */
export interface SubgraphStates {
  /**
   * Adds a subgraph, or one of its sources. Returns the object that its requests update.
   *
   * @param source name of the source. @defaultValue the subgraph is a GraphQL server
   */
  add(name: string, breaker: CircuitBreaker | undefined, pool: Pick<ConnectionPool, 'counts'>, source?: string): SubgraphActivity;
  /** Returns the current states, in the order in which the subgraphs were added. */
  list(): readonly SubgraphState[];
}

interface KnownState {
  readonly source: string | undefined;
  readonly breaker: CircuitBreaker | undefined;
  readonly pool: Pick<ConnectionPool, 'counts'>;
  readonly activity: SubgraphActivity;
}

export function createSubgraphStates(): SubgraphStates {
  const all = new Map<string, KnownState[]>();
  return {
    add(name, breaker, pool, source) {
      const activity: SubgraphActivity = { lastSuccessAt: undefined };
      const known = all.get(name) ?? [];
      known.push({ source, breaker, pool, activity });
      all.set(name, known);
      return activity;
    },
    list: () => [...all].map(([name, known]) => stateOf(name, known)),
  };
}

function stateOf(name: string, known: readonly KnownState[]): SubgraphState {
  const breakers = known.map(({ breaker }) => breaker?.state());
  const counts = [...new Set(known.map(({ pool }) => pool))].map((pool) => pool.counts());
  const state = {
    name,
    circuitBreaker: commonState(breakers),
    lastSuccessAt: known.map(({ activity }) => activity.lastSuccessAt).reduce(latest, undefined),
    connections: {
      active: counts.reduce((sum, { active }) => sum + active, 0),
      idle: counts.reduce((sum, { idle }) => sum + idle, 0),
    },
  };
  const sources = known.flatMap((one) => (one.source === undefined ? [] : [[one.source, sourceState(one)] as const]));
  return sources.length === 0 ? state : { ...state, sources: Object.fromEntries(sources) };
}

function sourceState({ breaker, pool, activity }: KnownState): SourceState {
  return { circuitBreaker: breaker?.state(), lastSuccessAt: activity.lastSuccessAt, connections: pool.counts() };
}

/** Returns the state of several circuit breakers together: open while all are open, and closed while one is closed. */
function commonState(states: readonly (CircuitBreakerState | undefined)[]): CircuitBreakerState | undefined {
  if (states.includes(undefined)) return undefined;
  if (states.every((state) => state === 'open')) return 'open';
  return states.includes('closed') ? 'closed' : 'half-open';
}

function latest(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.max(one, other);
}
