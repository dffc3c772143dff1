import { GatewayError } from '../platform/errors.ts';
import type { SubgraphExecutor } from '../supergraph/subgraph-executor.ts';
import type { CircuitBreaker, Ticket } from './circuit-breaker.ts';
import { SubgraphFailure } from './failures.ts';

/**
 * Tells the breaker how a request went. An answer that makes no sense is an answer: it counts for the subgraph being there.
 *
 * @param error what it failed with
 */
export function tellFailure(breaker: CircuitBreaker, ticket: Ticket, error: unknown): void {
  if (!(error instanceof SubgraphFailure)) breaker.cancelled(ticket);
  else if (error.facts.isOutage) breaker.failed(ticket, error.facts.retryAfterMs);
  else breaker.succeeded(ticket);
}

/**
 * Refuses while the breaker is open, without taking part in its count: stands before a queue, so that nobody waits for a
 * turn that could only be refused.
 *
 * @throws GatewayError `CIRCUIT_OPEN`
 */
export function withOpenCircuitRefused(next: SubgraphExecutor, breaker: CircuitBreaker): SubgraphExecutor {
  return (request, signal) => (breaker.isOpen() ? Promise.reject(circuitOpen(breaker)) : next(request, signal));
}

/** The refusal while it is open. */
export function circuitOpen(breaker: CircuitBreaker): GatewayError {
  const seconds = Math.max(1, Math.ceil(breaker.waitMs() / 1_000));
  return new GatewayError('CIRCUIT_OPEN', 'A service behind this gateway keeps failing and is left alone for a moment.', {
    headers: { 'retry-after': String(seconds) },
  });
}
