import { setTimeout as wait } from 'node:timers/promises';
import { UNNUMBERED_EVENT } from '../../../gateway/platform/http/request/event-id.ts';
import { toLoggableError } from '../../kit/database/loggable-error.ts';
import type { CheckOwner } from '../owners/check-owner.ts';
import { backoff } from './backoff.ts';
import type { OwnerStream } from './owner-stream.ts';
import { StreamRejected } from './read-events.ts';
import { type ReadOptions, readOnce } from './read-once.ts';
import { readPosition } from './record-item.ts';

export interface FollowOptions extends Omit<ReadOptions, 'tries' | 'position' | 'isRelief' | 'onConsumed' | 'onPosition'> {
  readonly checkOwner: CheckOwner;
  /** Returns a number between 0 and 1. */
  readonly random: () => number;
  /**
   * Time after which a stream without a position is replaced by a new one. Both are open for a while.
   *
   * @unit milliseconds
   * @defaultValue 40000
   */
  readonly relieveAfterMs?: number;
}

/** Error codes of streams that ended as expected. */
const TIMELY: ReadonlySet<string> = new Set(['TOKEN_EXPIRED', 'EVENTS_MAY_BE_MISSED']);

/** Minimum duration of a stream after which the next one is opened immediately. @unit milliseconds */
const WORTH_MS = 1_000;
/** Duration of a stream after which earlier failures are forgotten. @unit milliseconds */
const CALM_MS = 30_000;

/** Time after which a stream is replaced, well before its token expires. @unit milliseconds */
const RELIEVE_AFTER_MS = 40_000;

/**
 * Reads one stream while it is required, and queues its events. Failures of the gateway and of the database are retried. Each retry
 * continues after the last queued event, with a new token.
 */
export async function followStream(stream: OwnerStream, signal: AbortSignal, options: FollowOptions): Promise<void> {
  const { log, random, clock } = options;
  const facts = { event: stream.document.event, ownerId: stream.owner.id };
  const tries = new Map<string, number>();
  const leaving = new AbortController();
  const reading = AbortSignal.any([signal, leaving.signal]);
  let failures = 0;
  /** Replaced stream, which continues to its end. */
  let before: Shift | undefined;
  while (!signal.aborted) {
    const beganAt = clock.monotonic();
    let error: unknown;
    try {
      if ((await options.checkOwner(stream.endpoint)) === undefined) break; // the worker determines the required streams again
      const position = await readPosition(options.database, stream);
      const isRelief = before?.isOver === false;
      const shift = beginShift(stream, reading, { ...options, tries, position, isRelief, onConsumed: () => void (failures = 0) });
      if (await shift.isRelieved) {
        before = shift;
        failures = 0;
        continue;
      }
      await shift.ended;
    } catch (thrown) {
      if (!(thrown instanceof StreamRejected && TIMELY.has(thrown.code))) error = thrown;
    }
    if (signal.aborted) break;
    const heldMs = clock.monotonic() - beganAt;
    if (heldMs >= CALM_MS) failures = 0;
    if (error === undefined && heldMs >= WORTH_MS) continue;
    failures += 1;
    if (failures === 1 && error !== undefined)
      log.warn({ err: toLoggableError(error), ...facts }, 'The events of a webhook cannot be read. The worker will retry.');
    await wait(backoff(failures, random()), undefined, { signal, ref: false }).catch(() => undefined);
  }
  leaving.abort();
  await before?.ended.catch(() => undefined);
}

/** One stream, which the next one may replace before it ends. */
interface Shift {
  readonly isOver: boolean;
  /** Resolves when the stream has ended. @throws the error that ended it early */
  readonly ended: Promise<void>;
  /** Resolves to true when the next stream must be opened, and to false when this stream has ended. */
  readonly isRelieved: Promise<boolean>;
}

/**
 * Opens a stream. Without event ids, a stream cannot resume, so the next stream is opened before the token of this one expires: only a
 * broken stream causes a gap. Events that both streams deliver are queued once. A stream with a position needs no replacement.
 */
function beginShift(
  stream: OwnerStream,
  signal: AbortSignal,
  options: Omit<ReadOptions, 'onPosition'> & Pick<FollowOptions, 'relieveAfterMs'>,
): Shift {
  const { relieveAfterMs = RELIEVE_AFTER_MS, position } = options;
  const over = new AbortController();
  let isPositioned = isNumbered(position.lastEventId);
  const ended = readOnce(stream, signal, { ...options, onPosition: (id) => void (isPositioned = isNumbered(id)) }).finally(() =>
    over.abort(),
  );
  ended.catch(() => undefined); // callers that await it still receive the rejection
  const isDue = isPositioned
    ? ended.then(() => false)
    : wait(relieveAfterMs, undefined, { signal: over.signal, ref: false }).then(
        () => !isPositioned,
        () => false,
      );
  return {
    get isOver() {
      return over.signal.aborted;
    },
    ended,
    isRelieved: isDue.catch(() => false),
  };
}

function isNumbered(lastEventId: string | undefined): boolean {
  return lastEventId !== undefined && lastEventId !== UNNUMBERED_EVENT;
}
