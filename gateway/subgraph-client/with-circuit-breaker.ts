import { GatewayError } from '../platform/errors.ts';
import type { SubgraphExecutor } from '../supergraph/subgraph-executor.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { SubgraphFailure } from './failures.ts';

/**
 * Sends nothing while the breaker is open, and tells it how each request went. An answer that makes no sense is an answer:
 * it counts for the subgraph being there.
 *
 * @throws GatewayError `CIRCUIT_OPEN`
 */
export function withCircuitBreaker(next: SubgraphExecutor, breaker: CircuitBreaker): SubgraphExecutor {
  return (request, signal) => {
    const ticket = breaker.admit();
    if (ticket === undefined) return Promise.reject(circuitOpen(breaker));
    return next(request, signal).then(
      (response) => {
        breaker.succeeded(ticket);
        return response;
      },
      (error: unknown) => {
        if (!(error instanceof SubgraphFailure)) breaker.cancelled(ticket);
        else if (error.facts.isOutage) breaker.failed(ticket, error.facts.retryAfterMs);
        else breaker.succeeded(ticket);
        throw error;
      },
    );
  };
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

function circuitOpen(breaker: CircuitBreaker): GatewayError {
  const seconds = Math.max(1, Math.ceil(breaker.waitMs() / 1_000));
  return new GatewayError('CIRCUIT_OPEN', 'A service behind this gateway keeps failing and is left alone for a moment.', {
    headers: { 'retry-after': String(seconds) },
  });
}
