import type { EdgeEvents } from '../../platform/http/limits/edge-events.ts';
import type { SubgraphState } from '../../subgraph-client/subgraph-state.ts';
import type { MetricRegistry } from './metric-registry.ts';

/** Supergraphs and subgraphs that metrics report. */
export interface ObservedGateway {
  /** Returns the supergraph that is being served, and the number of those in memory. */
  readonly generations: () => { readonly current: { readonly id: string } | undefined; readonly alive: number };
  /** Returns the states of the subgraphs of the current supergraph. */
  readonly subgraphs: () => readonly SubgraphState[];
}

/** Observes the supergraphs and the connections to their subgraphs whenever metrics are collected. */
export function observeGateway({ metrics, observe }: MetricRegistry, { generations, subgraphs }: ObservedGateway): void {
  observe(() => {
    const { current, alive } = generations();
    metrics.generationsActive.set(alive);
    metrics.generationInfo.clear();
    if (current !== undefined) metrics.generationInfo.set(1, current.id);
    metrics.circuitOpen.clear();
    metrics.subgraphConnections.clear();
    for (const { name, circuitBreaker, connections } of subgraphs()) {
      if (circuitBreaker !== undefined) metrics.circuitOpen.set(circuitBreaker === 'closed' ? 0 : 1, name);
      metrics.subgraphConnections.set(connections.active, name, 'active');
      metrics.subgraphConnections.set(connections.idle, name, 'idle');
    }
  });
}

const EDGE_REASONS: Readonly<Record<keyof EdgeEvents, string>> = {
  connectionRejected: 'connections',
  responseRejected: 'unread_responses',
  responseEvicted: 'unread_responses',
  writeStalled: 'slow_reader',
  bodyRejected: 'request_bodies',
  pipelineRejected: 'pipelined_requests',
  requestShed: 'event_loop',
};

/** Counts the events of the limits of the listeners, and passes them on. */
export function countEdgeEvents({ metrics }: MetricRegistry, events: EdgeEvents | undefined): EdgeEvents {
  const counted = Object.entries(EDGE_REASONS).map(([name, reason]) => {
    const next = events?.[name as keyof EdgeEvents] as ((fact: object) => void) | undefined;
    return [
      name,
      (fact: object): void => {
        metrics.shed.add(1, reason);
        next?.call(events, fact);
      },
    ];
  });
  return Object.fromEntries(counted) as EdgeEvents;
}
