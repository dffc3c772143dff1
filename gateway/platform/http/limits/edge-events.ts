import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';

/** Scope of the limit that was reached: the whole process (or listener), or one client address. */
export type LimitScope = 'total' | 'address';

/** Limit that a client has reached. */
export interface LimitReached {
  /** Client address, reduced to the part that one client cannot change: an IPv4 address, or the first 64 bits of an IPv6 address. */
  readonly address: string;
  readonly scope: LimitScope;
  /** Configured limit. @unit connections or bytes */
  readonly limit: number;
}

/** Response that the gateway has stopped sending. */
export interface UnreadResponse {
  readonly address: string;
  /** Size of the unread data. @unit bytes */
  readonly bytes: number;
}

/**
 * Metric hook of the listeners. It is called once for each rejection or closed connection, whereas the log contains at most one line per
 * second for each kind. Methods are called synchronously and must not throw.
 */
export interface EdgeEvents {
  /** Called when a connection exceeds a limit. It can be used only for health checks. */
  connectionRejected(reached: LimitReached): void;
  /**
   * Called when a response was replaced by 503, because too many response bytes are unread. For a stream, the message was replaced by an
   * `OVERLOADED` error or the connection was closed.
   */
  responseRejected(reached: LimitReached): void;
  /** Called when a connection was closed to free capacity for other responses, because its data had been unread for longest. */
  responseEvicted(response: UnreadResponse): void;
  /**
   * Called when a connection was closed because its client did not read pending data within `server.writeTimeoutMs`, or the shorter time
   * for streams.
   */
  writeStalled(response: UnreadResponse): void;
  /** Called when a request was rejected with 503 because too many bytes of request bodies are being received. */
  bodyRejected(reached: LimitReached): void;
  /** Called when a request, or an operation on a WebSocket, was rejected because the process is overloaded. */
  requestShed?(): void;
  /** Called when a connection was closed because too many requests waited behind its unread responses. */
  pipelineRejected(reached: LimitReached): void;
}

function ignore(): void {
  // No hook is configured.
}

/** Hook that discards all events. */
export const noEdgeEvents: EdgeEvents = {
  connectionRejected: ignore,
  responseRejected: ignore,
  responseEvicted: ignore,
  writeStalled: ignore,
  bodyRejected: ignore,
  pipelineRejected: ignore,
};

/** Events that are logged. Load shedding writes its own log. */
type LoggedEvent = Exclude<keyof EdgeEvents, 'requestShed'>;

const MESSAGES: Readonly<Record<LoggedEvent, string>> = {
  connectionRejected: 'The connection limit was exceeded. The connection is served only for health checks.',
  responseRejected: 'A response was rejected because too many response bytes are unread.',
  responseEvicted: 'A connection with an unread response was closed to free capacity for others.',
  writeStalled: 'A connection was closed because its client did not read the response in time.',
  bodyRejected: 'A request was rejected because too many bytes of request bodies are being received.',
  pipelineRejected: 'A connection was closed because too many requests wait behind its unread responses.',
};

/**
 * Interval between two log lines of the same kind, so that an attack does not fill the log. Each line contains the number of suppressed
 * lines.
 *
 * @unit milliseconds
 */
const LOG_INTERVAL_MS = 1_000;

/** Forwards events to the metric hook, and writes log lines at a limited rate. */
export function createEdgeReporter(events: EdgeEvents, logger: Logger, clock: Pick<Clock, 'monotonic'>): EdgeEvents {
  function limited<Fact extends LimitReached | UnreadResponse>(kind: LoggedEvent, report: (fact: Fact) => void): (fact: Fact) => void {
    let loggedAt = Number.NEGATIVE_INFINITY;
    let suppressed = 0;
    return (fact) => {
      report(fact);
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
    connectionRejected: limited('connectionRejected', (fact: LimitReached) => events.connectionRejected(fact)),
    responseRejected: limited('responseRejected', (fact: LimitReached) => events.responseRejected(fact)),
    responseEvicted: limited('responseEvicted', (fact: UnreadResponse) => events.responseEvicted(fact)),
    writeStalled: limited('writeStalled', (fact: UnreadResponse) => events.writeStalled(fact)),
    bodyRejected: limited('bodyRejected', (fact: LimitReached) => events.bodyRejected(fact)),
    pipelineRejected: limited('pipelineRejected', (fact: LimitReached) => events.pipelineRejected(fact)),
  };
}
