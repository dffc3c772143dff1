import { GatewayError } from '../platform/errors.ts';
import type { SubgraphExecutor } from '../supergraph/subgraph-executor.ts';
import { SubgraphFailure } from './failures.ts';

/** Thresholds and durations of a circuit breaker. */
export interface CircuitBreakerSettings {
  /** Number of failures among the latest requests that opens the breaker. @unit requests */
  readonly failures: number;
  /** Number of latest requests that are counted. @unit requests */
  readonly window: number;
  /** Time until one trial request is let through. @unit milliseconds */
  readonly openMs: number;
  /** Maximum time that the breaker stays open when the subgraph requests a longer pause by `Retry-After`. @unit milliseconds */
  readonly maxOpenMs: number;
}

/** Decides for each request whether it can be sent, and records its result. */
export interface CircuitBreaker {
  /** Returns a ticket to pass back with the result, or undefined when the request must not be sent. */
  admit(): Ticket | undefined;
  /** Whether `admit` would return undefined. Does not issue a ticket. */
  isOpen(): boolean;
  state(): CircuitBreakerState;
  succeeded(ticket: Ticket): void;
  /** @param requestedMs Pause that the subgraph requested. */
  failed(ticket: Ticket, requestedMs: number | undefined): void;
  /** Discards a ticket whose request has no usable result, for example because the caller disconnected. */
  canceled(ticket: Ticket): void;
  /** Time until a request can be let through; 0 when one can be sent now. @unit milliseconds */
  waitMs(): number;
}

/** `half-open`: the time of the open breaker has passed, and the result of one trial request decides. */
export type CircuitBreakerState = 'closed' | 'open' | 'half-open';

/** Number of the period in which a request was admitted. Its result is ignored in any later period. */
type Ticket = number;

export interface CircuitBreakerOptions extends CircuitBreakerSettings {
  /** Monotonic clock. @unit milliseconds */
  readonly now: () => number;
  /** Called when the breaker opens after being closed, and when it closes. */
  readonly onChange: (state: 'open' | 'closed') => void;
}

/** Creates a closed breaker. When it is half open, it lets one request through, whose result closes or reopens it. */
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

  function open(requestedMs = 0): void {
    const wasClosed = openUntil === undefined;
    openUntil = now() + Math.max(openMs, Math.min(requestedMs, maxOpenMs));
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
    state() {
      if (openUntil === undefined) return 'closed';
      return isProbing || now() >= openUntil ? 'half-open' : 'open';
    },
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
    failed(from, requestedMs) {
      if (from !== ticket) return;
      record(1);
      if (isProbing || failures >= threshold) open(requestedMs);
    },
    canceled(from) {
      if (from === ticket) isProbing = false;
    },
    waitMs: () => (openUntil === undefined ? 0 : Math.max(0, openUntil - now())),
  };
}

/**
 * Reports a failed request to the breaker. An invalid response is still a response, so it counts as a success: the subgraph is available.
 *
 * @param error Error that the request failed with.
 */
export function reportFailure(breaker: CircuitBreaker, ticket: Ticket, error: unknown): void {
  if (!(error instanceof SubgraphFailure)) breaker.canceled(ticket);
  else if (error.facts.isOutage) breaker.failed(ticket, error.facts.retryAfterMs);
  else breaker.succeeded(ticket);
}

/**
 * Rejects requests while the breaker is open, without affecting its counts. Placed before the queues, so that no request waits for a turn
 * only to be rejected.
 *
 * @throws GatewayError `CIRCUIT_OPEN` while the breaker is open
 */
export function withOpenCircuitRejected(next: SubgraphExecutor, breaker: CircuitBreaker): SubgraphExecutor {
  return (request, signal) => (breaker.isOpen() ? Promise.reject(circuitOpen(breaker)) : next(request, signal));
}

/** Creates the error for requests that are rejected while the breaker is open. */
export function circuitOpen(breaker: CircuitBreaker): GatewayError {
  const seconds = Math.max(1, Math.ceil(breaker.waitMs() / 1_000));
  return new GatewayError(
    'CIRCUIT_OPEN',
    'A service behind this gateway fails repeatedly, so the gateway sends it no requests at the moment. Try again later.',
    {
      headers: { 'retry-after': String(seconds) },
    },
  );
}
