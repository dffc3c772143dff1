import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../../gateway/platform/clock.ts';
import type { Logger } from '../../../gateway/platform/logger.ts';
import type { Database } from '../../kit/database/database.ts';
import { toLoggableError } from '../../kit/database/loggable-error.ts';
import type { CheckOwner } from '../delivery/check-owner.ts';
import { backoff } from './backoff.ts';
import type { OwnerStream } from './owner-stream.ts';
import { type GatewayClient, type StreamItem, StreamRefused } from './read-events.ts';
import { readCursor, recordEvent, recordGap, recordMark } from './record-item.ts';
import type { SignServiceToken } from './sign-service-token.ts';

export interface FollowOptions {
  readonly database: Database;
  readonly gateway: Pick<GatewayClient, 'read'>;
  readonly sign: SignServiceToken;
  readonly checkOwner: CheckOwner;
  /** Told that messages were queued. */
  readonly onQueued: () => void;
  readonly clock: Clock;
  readonly log: Logger;
  /** Between 0 and 1. */
  readonly random: () => number;
}

/** An event that could not be computed whole. It is read again, as often as `MAX_TRIES`. */
class EventIncomplete extends Error {
  override readonly name = 'EventIncomplete';
}

/** With waits that grow to half a minute, some five minutes: as long as a subgraph may be away before owners are told. */
const MAX_TRIES = 15;

/** The rights of the owner do not reach it. */
const DENIED: ReadonlySet<string> = new Set(['FORBIDDEN', 'UNAUTHENTICATED']);

/** Ends of streams that nothing is wrong with. */
const TIMELY: ReadonlySet<string> = new Set(['TOKEN_EXPIRED', 'EVENTS_MAY_BE_MISSED']);

/** A stream that held so long was worth something: the next one begins at once. @unit milliseconds */
const WORTH_MS = 1_000;
/** One that held so long has made good what was wrong before. @unit milliseconds */
const CALM_MS = 30_000;

/**
 * Reads one stream for as long as it is wanted, and queues what it brings. A gateway that is away, and a database that does not answer, are
 * tried again; each time the stream goes on after the last event that was queued, with a token that was made for it.
 */
export async function followStream(stream: OwnerStream, signal: AbortSignal, options: FollowOptions): Promise<void> {
  const { log, random, clock } = options;
  const facts = { event: stream.document.event, ownerId: stream.owner.id };
  const tries = new Map<string, number>();
  let failures = 0;
  while (!signal.aborted) {
    const beganAt = clock.monotonic();
    let error: unknown;
    try {
      if ((await options.checkOwner(stream.endpoint)) === undefined) return; // whoever follows whom is looked at anew
      await readOnce(stream, signal, { ...options, tries, onTaken: () => void (failures = 0) });
    } catch (thrown) {
      if (!(thrown instanceof StreamRefused && TIMELY.has(thrown.code))) error = thrown;
    }
    if (signal.aborted) return;
    const heldMs = clock.monotonic() - beganAt;
    if (heldMs >= CALM_MS) failures = 0;
    if (error === undefined && heldMs >= WORTH_MS) continue;
    failures += 1;
    if (failures === 1 && error !== undefined)
      log.warn({ err: toLoggableError(error), ...facts }, 'events of webhooks cannot be read; it is tried again');
    await wait(backoff(failures, random()), undefined, { signal, ref: false }).catch(() => undefined);
  }
}

interface ReadOptions extends FollowOptions {
  /** How often events were read that could not be computed whole. */
  readonly tries: Map<string, number>;
  /** Told of each event that was queued, or passed by. */
  readonly onTaken: () => void;
}

/** How soon after the mark of where it goes on a subgraph says that something is missing before it, amply. @unit milliseconds */
const GAP_FOLLOWS_MS = 5_000;

/** One stream to its end. */
async function readOnce(stream: OwnerStream, signal: AbortSignal, options: ReadOptions): Promise<void> {
  const { database, gateway, sign, clock, log } = options;
  const now = (): Date => new Date(clock.now());
  let cursor = await readCursor(database, stream);
  /** The first mark of a stream that did not go on where it should: what comes next says whether something is missing before it. */
  let held: { readonly id: string; readonly at: number } | undefined;
  let isResumed = cursor !== undefined;
  const question = { text: stream.document.text, lastEventId: cursor, token: await sign(stream.owner) };
  try {
    for await (const item of gateway.read(question, signal)) {
      if (item.kind === 'mark' && item.id === cursor) continue;
      if (item.kind === 'mark' && isResumed) {
        held = { id: item.id, at: clock.monotonic() };
        isResumed = false;
        continue;
      }
      isResumed = false;
      if (item.kind === 'gap') {
        log.warn({ event: stream.document.event, ownerId: stream.owner.id }, 'events of webhooks may have been missed; endpoints are told');
        await recordGap(database, stream, { from: cursor, to: held?.id, now: now() });
        cursor = held?.id;
        options.onQueued();
      } else if (item.kind === 'mark') {
        await recordMark(database, stream, item.id, now());
        cursor = item.id;
      } else {
        await takeEvent(stream, item, options);
        cursor = item.id ?? cursor;
        options.onTaken();
      }
      held = undefined;
    }
  } finally {
    if (held !== undefined && clock.monotonic() - held.at >= GAP_FOLLOWS_MS) await recordMark(database, stream, held.id, now());
  }
}

async function takeEvent(
  stream: OwnerStream,
  { id, data, codes }: Extract<StreamItem, { readonly kind: 'event' }>,
  { database, clock, tries, onQueued }: ReadOptions,
): Promise<void> {
  const now = new Date(clock.now());
  const code = codes.find((one) => DENIED.has(one)) ?? codes[0];
  if (code === undefined) await recordEvent(database, stream, { id, data, now });
  else if (DENIED.has(code)) await recordEvent(database, stream, { id, data, end: { state: 'BLOCKED', code }, now });
  else {
    const count = id === undefined ? MAX_TRIES : (tries.get(id) ?? 0) + 1;
    if (id !== undefined && count < MAX_TRIES) {
      tries.clear(); // events come one after another: there is one that is tried again
      tries.set(id, count);
      throw new EventIncomplete(code);
    }
    await recordEvent(database, stream, { id, data, end: { state: 'DEAD', code }, now });
  }
  onQueued();
}
