import type { Clock } from '../../../gateway/platform/clock.ts';
import type { Logger } from '../../../gateway/platform/logger.ts';
import { UNNUMBERED_EVENT } from '../../../gateway/platform/http/request/event-id.ts';
import type { Database } from '../../kit/database/database.ts';
import { isOfAnother } from '../documents/webhook-document.ts';
import type { OwnerStream } from './owner-stream.ts';
import type { GatewayClient, StreamItem } from './read-events.ts';
import { type StreamPosition, recordEvent, recordGap, recordBookmark } from './record-item.ts';
import type { SignServiceToken } from './sign-service-token.ts';
import { type RedeliveryCounts, countRedelivery } from './redelivery-counts.ts';

export interface ReadOptions {
  readonly database: Database;
  readonly gateway: Pick<GatewayClient, 'read'>;
  readonly sign: SignServiceToken;
  /** Called when messages were queued. */
  readonly onQueued: () => void;
  readonly clock: Clock;
  readonly log: Logger;
  /** Number of attempts for events whose result was incomplete, by event id. */
  readonly tries: Map<string, number>;
  /** Position at which the stream continues. */
  readonly position: StreamPosition;
  /** Whether the previous stream is still open, so that no event can have been missed. */
  readonly isRelief: boolean;
  /** Called for each event that was queued or skipped. */
  readonly onConsumed: () => void;
  /** Called with the position of the stream. */
  readonly onPosition: (lastEventId: string | undefined) => void;
}

/** Thrown for an event with an incomplete result. The event is read again, up to `MAX_TRIES` times. */
class EventIncomplete extends Error {
  override readonly name = 'EventIncomplete';
}

/**
 * Maximum number of attempts. With delays of up to half a minute they last about five minutes, the time for which a subgraph may be
 * unavailable before the event is recorded as DEAD.
 */
const MAX_TRIES = 15;

/** Error codes for missing permissions of the owner. */
const DENIED: ReadonlySet<string> = new Set(['FORBIDDEN', 'UNAUTHENTICATED']);

/** Time after the first bookmark in which a subgraph reports a gap before it, with a margin. @unit milliseconds */
const GAP_FOLLOWS_MS = 5_000;

/** Reads one stream to its end. @throws StreamRejected, and the errors of the connections */
export async function readOnce(stream: OwnerStream, signal: AbortSignal, options: ReadOptions): Promise<void> {
  const { database, gateway, sign, clock, position, isRelief, onPosition } = options;
  const now = (): Date => new Date(clock.now());
  const redeliveryCounts: RedeliveryCounts = { since: position.lastQueued, counts: new Map() };
  let cursor = position.lastEventId;
  /** First bookmark of a stream that did not resume at the requested position. The next item shows whether events before it are missing. */
  let held: { readonly id: string; readonly at: number } | undefined;
  const lastEventId = isRelief && cursor === UNNUMBERED_EVENT ? undefined : cursor;
  let isResumed = lastEventId !== undefined;
  const question = { text: stream.document.text, lastEventId, token: await sign(stream.owner) };
  try {
    for await (const item of gateway.read(question, signal)) {
      if (item.kind === 'bookmark' && item.id === cursor) continue;
      if (item.kind === 'bookmark' && isResumed) {
        held = { id: item.id, at: clock.monotonic() };
        isResumed = false;
        continue;
      }
      isResumed = false;
      if (item.kind === 'gap') {
        cursor = await takeGap(stream, { cursor, to: held?.id, redeliveryCounts }, options);
      } else if (item.kind === 'bookmark') {
        await recordBookmark(database, stream, item.id, now());
        cursor = item.id;
      } else {
        await takeEvent(stream, item, redeliveryCounts, options);
        cursor = item.id ?? UNNUMBERED_EVENT;
      }
      onPosition(cursor);
      held = undefined;
    }
  } finally {
    if (held !== undefined && clock.monotonic() - held.at >= GAP_FOLLOWS_MS) await recordBookmark(database, stream, held.id, now());
  }
}

/** @returns the position of the stream after the gap; undefined when it is not known */
async function takeGap(
  stream: OwnerStream,
  {
    cursor,
    to: reported,
    redeliveryCounts,
  }: { readonly cursor: string | undefined; readonly to: string | undefined; readonly redeliveryCounts: RedeliveryCounts },
  { database, clock, log, onQueued }: ReadOptions,
): Promise<string | undefined> {
  log.warn(
    { event: stream.document.event, ownerId: stream.owner.id },
    'Events of webhooks may have been missed. The endpoints receive a notice.',
  );
  const isNumbered = cursor !== undefined && cursor !== UNNUMBERED_EVENT;
  const from = isNumbered ? cursor : countRedelivery(redeliveryCounts, stream, 'gap');
  // Without event ids, a resumed stream has always missed the events in between.
  const to = reported ?? (cursor === UNNUMBERED_EVENT ? UNNUMBERED_EVENT : undefined);
  await recordGap(database, stream, { from, to, now: new Date(clock.now()) });
  onQueued();
  return to;
}

async function takeEvent(
  stream: OwnerStream,
  { id, data, codes }: Extract<StreamItem, { readonly kind: 'event' }>,
  redeliveryCounts: RedeliveryCounts,
  { database, clock, tries, onQueued, onConsumed }: ReadOptions,
): Promise<void> {
  // Errors in an event of another document are ignored, because this stream neither waits for it nor reports it.
  const reported = isOfAnother(data, stream.document) ? [] : codes;
  const code = reported.find((one) => DENIED.has(one)) ?? reported[0];
  const event = { id: id ?? countRedelivery(redeliveryCounts, stream, data), data, now: new Date(clock.now()) };
  if (code === undefined) await recordEvent(database, stream, event);
  else if (DENIED.has(code)) await recordEvent(database, stream, { ...event, end: { state: 'BLOCKED', code } });
  else {
    const count = id === undefined ? MAX_TRIES : (tries.get(id) ?? 0) + 1;
    if (id !== undefined && count < MAX_TRIES) {
      tries.clear(); // events arrive one after another, so only one of them is retried at a time
      tries.set(id, count);
      throw new EventIncomplete(code);
    }
    await recordEvent(database, stream, { ...event, end: { state: 'DEAD', code } });
  }
  onQueued();
  onConsumed();
}
