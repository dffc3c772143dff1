import type { SubgraphError } from '../../supergraph/subgraph-executor.ts';
import type { SubgraphStream, SubgraphStreamListener, SubgraphStreamRequest } from '../../supergraph/subgraph-streams.ts';
import type { StreamAttempt, AttemptOver, UpstreamTransport } from './stream-attempt.ts';

export interface ResumeOptions {
  /** Longest wait before the first attempt to open it again; it doubles each time. @unit milliseconds */
  readonly baseDelayMs: number;
  /** Longest wait before any attempt. @unit milliseconds */
  readonly maxDelayMs: number;
  /** How long it is tried to open a stream again that was lost. @unit milliseconds */
  readonly reconnectTimeoutMs: number;
  /** By the monotonic clock. @unit milliseconds */
  readonly now: () => number;
  readonly random: () => number;
  /** Called once, when it is over or closed. */
  readonly onOver?: () => void;
}

/** A new connection may be lost for a reason that is none: the subgraph closed it as it was taken. */
const FIRST_ATTEMPTS = 2;

/**
 * A stream that is opened again when it is lost: after the last event where the subgraph gives ids. Where it does not,
 * or where it says so itself, the listener is told that events may have been missed.
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
  /** Since the last sign that the stream is worth something. */
  let attempts = 0;
  let lostAt: number | undefined;
  let openedAt: number | undefined;
  /** What this attempt was told of where it is. */
  let toldPosition: string | undefined;

  function begin(): void {
    attempts += 1;
    toldPosition = undefined;
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
          toldPosition = eventId;
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
          lastEventId = toldPosition; // the one before is of no use any more
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
    if (over.kind === 'complete' || (over.kind === 'refused' && !isOverrun(over.errors))) return end(over);
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

/** The subgraph gave up on us as a reader, or lost its own source: what was missed may be had again after the last event. */
function isOverrun(errors: readonly SubgraphError[]): boolean {
  return errors.some(({ code }) => code === 'EVENTS_MAY_BE_MISSED');
}

/** Waits are drawn from the upper half: those who lost one subgraph together come back spread, and none of them at once. */
const HALF = 0.5;

const MAX_DOUBLINGS = 20;
