import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';

/** The bound that was reached: that of the whole process (or listener), or that of one client address. */
export type BoundScope = 'total' | 'address';

/** A bound that a client ran into. */
export interface BoundReached {
  /** Client address, as far as one client cannot change it: an IPv4 address, or the first 64 bits of an IPv6 address. */
  readonly address: string;
  readonly scope: BoundScope;
  /** The configured bound. @unit connections or bytes */
  readonly limit: number;
}

/** A response that the gateway stopped sending. */
export interface UnreadResponse {
  readonly address: string;
  /** @unit bytes */
  readonly bytes: number;
}

/**
 * Metric hook of the listeners: one call for each refusal or cut, whereas the log has at most one line a second for each kind. Methods
 * are called synchronously and must not throw.
 */
export interface EdgeEvents {
  /** A connection beyond a bound was opened; it may only ask for health. */
  connectionRefused(reached: BoundReached): void;
  /** A response was replaced by 503, or a message of a stream by an `OVERLOADED` error or the end of its connection, because too many response bytes wait for their readers. */
  responseRefused(reached: BoundReached): void;
  /** A connection was closed to make room for other responses, because its client had left a response or a message unread for longest. */
  responseEvicted(response: UnreadResponse): void;
  /** A connection was closed because its client read nothing of what waited within `server.writeTimeoutMs`, or the shorter time for streams. */
  writeStalled(response: UnreadResponse): void;
  /** A request was refused with 503 because too many bytes of request bodies are being received. */
  bodyRefused(reached: BoundReached): void;
  /** A connection was closed because too many requests waited behind its unread responses. */
  pipelineRefused(reached: BoundReached): void;
}

function ignore(): void {
  // There is nobody to tell.
}

/** Drops every event. */
export const noEdgeEvents: EdgeEvents = {
  connectionRefused: ignore,
  responseRefused: ignore,
  responseEvicted: ignore,
  writeStalled: ignore,
  bodyRefused: ignore,
  pipelineRefused: ignore,
};

const MESSAGES: Readonly<Record<keyof EdgeEvents, string>> = {
  connectionRefused: 'A connection beyond the bound was opened; it is answered for health only.',
  responseRefused: 'A response was refused: too many response bytes wait to be read.',
  responseEvicted: 'A connection with an unread response was closed to make room for others.',
  writeStalled: 'A connection was closed: its client did not read the response in time.',
  bodyRefused: 'A request was refused: too many bytes of request bodies are being received.',
  pipelineRefused: 'A connection was closed: too many requests wait behind its unread responses.',
};

/** An attack must not fill the log: one line of each kind in this time, with the number of those that were left out. @unit milliseconds */
const LOG_INTERVAL_MS = 1_000;

/** Passes events on to the metric hook, and writes log lines at a bounded rate. */
export function createEdgeReporter(events: EdgeEvents, logger: Logger, clock: Pick<Clock, 'monotonic'>): EdgeEvents {
  function limited<Fact extends BoundReached | UnreadResponse>(kind: keyof EdgeEvents, tell: (fact: Fact) => void): (fact: Fact) => void {
    let loggedAt = Number.NEGATIVE_INFINITY;
    let suppressed = 0;
    return (fact) => {
      tell(fact);
      const now = clock.monotonic();
      if (now - loggedAt < LOG_INTERVAL_MS) {
        suppressed += 1;
        return;
      }
      const line: object = { event: kind, ...fact, ...(suppressed > 0 ? { suppressed } : {}) };
      logger.warn(line, MESSAGES[kind]);
      loggedAt = now;
      suppressed = 0;
    };
  }
  return {
    connectionRefused: limited('connectionRefused', (fact: BoundReached) => events.connectionRefused(fact)),
    responseRefused: limited('responseRefused', (fact: BoundReached) => events.responseRefused(fact)),
    responseEvicted: limited('responseEvicted', (fact: UnreadResponse) => events.responseEvicted(fact)),
    writeStalled: limited('writeStalled', (fact: UnreadResponse) => events.writeStalled(fact)),
    bodyRefused: limited('bodyRefused', (fact: BoundReached) => events.bodyRefused(fact)),
    pipelineRefused: limited('pipelineRefused', (fact: BoundReached) => events.pipelineRefused(fact)),
  };
}
