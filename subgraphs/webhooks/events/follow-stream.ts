import { setTimeout as wait } from 'node:timers/promises';
import { UNNUMBERED_EVENT } from '../../../gateway/platform/http/request/event-id.ts';
import { toLoggableError } from '../../kit/database/loggable-error.ts';
import type { CheckOwner } from '../delivery/check-owner.ts';
import { backoff } from './backoff.ts';
import type { OwnerStream } from './owner-stream.ts';
import { StreamRefused } from './read-events.ts';
import { type ReadOptions, readOnce } from './read-once.ts';
import { readPlace } from './record-item.ts';

export interface FollowOptions extends Omit<ReadOptions, 'tries' | 'place' | 'isRelief' | 'onTaken' | 'onPlace'> {
  readonly checkOwner: CheckOwner;
  /** Between 0 and 1. */
  readonly random: () => number;
  /** How long a stream without a place is read before the next one is opened beside it. @unit milliseconds @defaultValue 40000 */
  readonly relieveAfterMs?: number;
}

/** Ends of streams that nothing is wrong with. */
const TIMELY: ReadonlySet<string> = new Set(['TOKEN_EXPIRED', 'EVENTS_MAY_BE_MISSED']);

/** A stream that held so long was worth something: the next one begins at once. @unit milliseconds */
const WORTH_MS = 1_000;
/** One that held so long has made good what was wrong before. @unit milliseconds */
const CALM_MS = 30_000;

/** Well before its token ends. @unit milliseconds */
const RELIEVE_AFTER_MS = 40_000;

/**
 * Reads one stream for as long as it is wanted, and queues what it brings. A gateway that is away, and a database that does not answer, are
 * tried again; each time the stream goes on after the last event that was queued, with a token that was made for it.
 */
export async function followStream(stream: OwnerStream, signal: AbortSignal, options: FollowOptions): Promise<void> {
  const { log, random, clock } = options;
  const facts = { event: stream.document.event, ownerId: stream.owner.id };
  const tries = new Map<string, number>();
  const leaving = new AbortController();
  const reading = AbortSignal.any([signal, leaving.signal]);
  let failures = 0;
  /** The one that was relieved; it runs on to its end. */
  let before: Shift | undefined;
  while (!signal.aborted) {
    const beganAt = clock.monotonic();
    let error: unknown;
    try {
      if ((await options.checkOwner(stream.endpoint)) === undefined) break; // whoever follows whom is looked at anew
      const place = await readPlace(options.database, stream);
      const isRelief = before?.isOver === false;
      const shift = beginShift(stream, reading, { ...options, tries, place, isRelief, onTaken: () => void (failures = 0) });
      if (await shift.isRelieved) {
        before = shift;
        failures = 0;
        continue;
      }
      await shift.ended;
    } catch (thrown) {
      if (!(thrown instanceof StreamRefused && TIMELY.has(thrown.code))) error = thrown;
    }
    if (signal.aborted) break;
    const heldMs = clock.monotonic() - beganAt;
    if (heldMs >= CALM_MS) failures = 0;
    if (error === undefined && heldMs >= WORTH_MS) continue;
    failures += 1;
    if (failures === 1 && error !== undefined)
      log.warn({ err: toLoggableError(error), ...facts }, 'events of webhooks cannot be read; it is tried again');
    await wait(backoff(failures, random()), undefined, { signal, ref: false }).catch(() => undefined);
  }
  leaving.abort();
  await before?.ended.catch(() => undefined);
}

/** One stream, which may be relieved by the next before it ends. */
interface Shift {
  readonly isOver: boolean;
  /** @throws whatever ends it early */
  readonly ended: Promise<void>;
  /** True when the next one is to begin beside it; false when it has ended. */
  readonly isRelieved: Promise<boolean>;
}

/**
 * Where events have no ids nobody can ask for what happens between two streams, so the next one is opened before the token of this one ends:
 * only a stream that breaks is a gap. What both bring is queued once. One that stands at an event needs no relief.
 */
function beginShift(
  stream: OwnerStream,
  signal: AbortSignal,
  options: Omit<ReadOptions, 'onPlace'> & Pick<FollowOptions, 'relieveAfterMs'>,
): Shift {
  const { relieveAfterMs = RELIEVE_AFTER_MS, place } = options;
  const over = new AbortController();
  let isPlaced = isNumbered(place.lastEventId);
  const ended = readOnce(stream, signal, { ...options, onPlace: (id) => void (isPlaced = isNumbered(id)) }).finally(() => over.abort());
  ended.catch(() => undefined); // whoever waits for it is told
  const isDue = isPlaced
    ? ended.then(() => false)
    : wait(relieveAfterMs, undefined, { signal: over.signal, ref: false }).then(
        () => !isPlaced,
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
