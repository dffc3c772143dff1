import type { SubgraphError } from '../../supergraph/subgraph-executor.ts';
import type { SubgraphStream, SubgraphStreamListener, SubgraphStreamRequest } from '../../supergraph/subgraph-streams.ts';
import type { StreamAttempt, AttemptOver, UpstreamTransport } from './stream-attempt.ts';

export interface ResumeOptions {
  /** Maximum delay before the first reconnection attempt. It doubles with each attempt. @unit milliseconds */
  readonly baseDelayMs: number;
  /** Maximum delay before any attempt. @unit milliseconds */
  readonly maxDelayMs: number;
  /** Time during which the gateway tries to reopen a lost stream. @unit milliseconds */
  readonly reconnectTimeoutMs: number;
  /** Monotonic clock. @unit milliseconds */
  readonly now: () => number;
  readonly random: () => number;
  /** Called once, when the stream has ended or was closed. */
  readonly onOver?: () => void;
}

/**
 * Number of attempts to open a stream for the first time. A connection can be closed by the subgraph at the moment the gateway uses it,
 * which is not a failure of the subgraph.
 */
const FIRST_ATTEMPTS = 2;

/**
 * Opens a stream that is reopened when it is lost. It resumes after the last event when the subgraph sends event IDs. Without IDs, or when
 * the subgraph reports a gap, the listener is notified that events may have been missed.
 */
export function openResumingStream(
  transport: UpstreamTransport,
  request: SubgraphStreamRequest,
  listener: SubgraphStreamListener,
  { baseDelayMs, maxDelayMs, reconnectTimeoutMs, now, random, onOver }: ResumeOptions,
): SubgraphStream {
  let { lastEventId } = request;
  let attempt: StreamAttempt | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let hasOpened = false;
  /** Number of attempts since the stream last worked. */
  let attempts = 0;
  let lostAt: number | undefined;
  let openedAt: number | undefined;
  /** Position that the subgraph reported during this attempt. */
  let reportedPosition: string | undefined;

  function begin(): void {
    attempts += 1;
    reportedPosition = undefined;
    const mine = transport.attempt(
      { ...request, lastEventId },
      {
        onOpen() {
          if (isOver) return;
          if (hasOpened && lastEventId === undefined) listener.onGap();
          if (!hasOpened) listener.onOpen();
          hasOpened = true;
          openedAt = now();
        },
        onPosition(eventId) {
          if (isOver) return;
          reportedPosition = eventId;
          lastEventId = eventId;
          listener.onPosition?.(eventId);
        },
        onEvent(event) {
          if (isOver) return;
          calmDown();
          if (event.eventId !== undefined) lastEventId = event.eventId;
          listener.onEvent(event);
        },
        onGap() {
          if (isOver) return;
          lastEventId = reportedPosition; // The previous position is no longer valid.
          listener.onGap();
        },
        onOver(over) {
          if (attempt === mine) attempt = undefined;
          settle(over);
        },
      },
    );
    attempt = mine;
  }

  function calmDown(): void {
    lostAt = undefined;
    attempts = 0;
  }

  function settle(over: AttemptOver): void {
    if (isOver) return;
    if (over.kind === 'complete' || (over.kind === 'rejected' && !isOverrun(over.errors))) return end(over);
    if (openedAt !== undefined && now() - openedAt >= maxDelayMs) calmDown();
    openedAt = undefined;
    lostAt ??= now();
    const isInVain = hasOpened ? now() - lostAt >= reconnectTimeoutMs : attempts >= FIRST_ATTEMPTS;
    if (isInVain) return end(over.kind === 'lost' ? { kind: 'failed', error: over.error } : over);
    const longest = Math.min(maxDelayMs, baseDelayMs * 2 ** Math.min(Math.max(0, attempts - 1), MAX_DOUBLINGS));
    timer = setTimeout(begin, longest * (HALF + HALF * random())).unref();
    return undefined;
  }

  function end(over: Parameters<SubgraphStreamListener['onEnd']>[0]): void {
    isOver = true;
    onOver?.();
    listener.onEnd(over);
  }

  begin();
  return {
    get lastEventId() {
      return lastEventId;
    },
    close() {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      attempt?.close();
      onOver?.();
    },
  };
}

/**
 * Whether the subgraph dropped the gateway as a slow reader or lost its own event source. Missed events may be available after the last
 * event.
 */
function isOverrun(errors: readonly SubgraphError[]): boolean {
  return errors.some(({ code }) => code === 'EVENTS_MAY_BE_MISSED');
}

/**
 * Delays are drawn from the upper half of the range. Clients that lost the same subgraph together then reconnect at different times and
 * never immediately.
 */
const HALF = 0.5;

const MAX_DOUBLINGS = 20;
