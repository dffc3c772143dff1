import { GatewayError } from '../platform/errors.ts';
import type { SubgraphExecutor } from '../supergraph/subgraph-executor.ts';
import { SubgraphFailure } from './failures.ts';

/** When to stop asking, and when to try again. */
export interface CircuitBreakerSettings {
  /** So many failures among the latest requests open it. */
  readonly failures: number;
  /** So many of the latest requests are looked at. */
  readonly window: number;
  /** Until one request is let through. @unit milliseconds */
  readonly openMs: number;
  /** The same where the other side asks for more. @unit milliseconds */
  readonly maxOpenMs: number;
}

/** Says of each request whether it may be sent, and is told how it went. */
export interface CircuitBreaker {
  /** A ticket to give back with the outcome, or undefined when the request must not be sent. */
  admit(): Ticket | undefined;
  /** Whether `admit` would refuse, without asking for a ticket. */
  isOpen(): boolean;
  succeeded(ticket: Ticket): void;
  /** @param askedForMs how long the other side wants to be left alone */
  failed(ticket: Ticket, askedForMs: number | undefined): void;
  /** The outcome says nothing: the caller left. */
  cancelled(ticket: Ticket): void;
  /** Until a request may be let through; 0 when one may be now. @unit milliseconds */
  waitMs(): number;
}

/** The period in which a request was admitted: what it did says nothing of another period. */
type Ticket = number;

export interface CircuitBreakerOptions extends CircuitBreakerSettings {
  /** Monotonic. @unit milliseconds */
  readonly now: () => number;
  /** Called when it opens after it was closed, and when it closes. */
  readonly onChange: (state: 'open' | 'closed') => void;
}

/** A breaker that is closed. Half open, it lets through one request, whose outcome closes it or opens it again. */
export function createCircuitBreaker(options: CircuitBreakerOptions): CircuitBreaker {
  const { window, openMs, maxOpenMs, now, onChange } = options;
  const threshold = Math.min(options.failures, window);
  const latest = new Uint8Array(window); // 1 for a failure
  let next = 0;
  let failures = 0;
  let ticket: Ticket = 0;
  let openUntil: number | undefined;
  let isProbing = false;

  function record(failed: 0 | 1): void {
    failures += failed - (latest[next] ?? 0);
    latest[next] = failed;
    next = (next + 1) % window;
  }

  function open(askedForMs = 0): void {
    const wasClosed = openUntil === undefined;
    openUntil = now() + Math.max(openMs, Math.min(askedForMs, maxOpenMs));
    isProbing = false;
    ticket += 1;
    if (wasClosed) onChange('open');
  }

  function close(): void {
    openUntil = undefined;
    isProbing = false;
    ticket += 1;
    latest.fill(0);
    failures = 0;
    onChange('closed');
  }

  function isOpen(): boolean {
    return openUntil !== undefined && (isProbing || now() < openUntil);
  }

  return {
    isOpen,
    admit() {
      if (isOpen()) return undefined;
      isProbing = openUntil !== undefined;
      return ticket;
    },
    succeeded(from) {
      if (from !== ticket) return;
      if (isProbing) close();
      else record(0);
    },
    failed(from, askedForMs) {
      if (from !== ticket) return;
      record(1);
      if (isProbing || failures >= threshold) open(askedForMs);
    },
    cancelled(from) {
      if (from === ticket) isProbing = false;
    },
    waitMs: () => (openUntil === undefined ? 0 : Math.max(0, openUntil - now())),
  };
}

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
