import type { Clock } from '../../../gateway/platform/clock.ts';
import type { Logger } from '../../../gateway/platform/logger.ts';
import { UNNUMBERED_EVENT } from '../../../gateway/platform/http/request/event-id.ts';
import type { Database } from '../../kit/database/database.ts';
import { isOfAnother } from '../documents/webhook-document.ts';
import type { OwnerStream } from './owner-stream.ts';
import type { GatewayClient, StreamItem } from './read-events.ts';
import { type Place, recordEvent, recordGap, recordMark } from './record-item.ts';
import type { SignServiceToken } from './sign-service-token.ts';
import { type Sightings, sight } from './unnumbered.ts';

export interface ReadOptions {
  readonly database: Database;
  readonly gateway: Pick<GatewayClient, 'read'>;
  readonly sign: SignServiceToken;
  /** Told that messages were queued. */
  readonly onQueued: () => void;
  readonly clock: Clock;
  readonly log: Logger;
  /** How often events were read that could not be computed whole. */
  readonly tries: Map<string, number>;
  /** Where it goes on. */
  readonly place: Place;
  /** Whether the one before is still read, so that nothing can have been missed between. */
  readonly isRelief: boolean;
  /** Told of each event that was queued, or passed by. */
  readonly onTaken: () => void;
  /** Told where it stands. */
  readonly onPlace: (lastEventId: string | undefined) => void;
}

/** An event that could not be computed whole. It is read again, as often as `MAX_TRIES`. */
class EventIncomplete extends Error {
  override readonly name = 'EventIncomplete';
}

/** With waits that grow to half a minute, some five minutes: as long as a subgraph may be away before owners are told. */
const MAX_TRIES = 15;

/** The rights of the owner do not reach it. */
const DENIED: ReadonlySet<string> = new Set(['FORBIDDEN', 'UNAUTHENTICATED']);

/** How soon after the mark of where it goes on a subgraph says that something is missing before it, amply. @unit milliseconds */
const GAP_FOLLOWS_MS = 5_000;

/** One stream to its end. @throws StreamRefused, and whatever connections throw */
export async function readOnce(stream: OwnerStream, signal: AbortSignal, options: ReadOptions): Promise<void> {
  const { database, gateway, sign, clock, place, isRelief, onPlace } = options;
  const now = (): Date => new Date(clock.now());
  const sightings: Sightings = { since: place.lastQueued, counts: new Map() };
  let cursor = place.lastEventId;
  /** The first mark of a stream that did not go on where it should: what comes next says whether something is missing before it. */
  let held: { readonly id: string; readonly at: number } | undefined;
  const lastEventId = isRelief && cursor === UNNUMBERED_EVENT ? undefined : cursor;
  let isResumed = lastEventId !== undefined;
  const question = { text: stream.document.text, lastEventId, token: await sign(stream.owner) };
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
        cursor = await takeGap(stream, { cursor, to: held?.id, sightings }, options);
      } else if (item.kind === 'mark') {
        await recordMark(database, stream, item.id, now());
        cursor = item.id;
      } else {
        await takeEvent(stream, item, sightings, options);
        cursor = item.id ?? UNNUMBERED_EVENT;
      }
      onPlace(cursor);
      held = undefined;
    }
  } finally {
    if (held !== undefined && clock.monotonic() - held.at >= GAP_FOLLOWS_MS) await recordMark(database, stream, held.id, now());
  }
}

/** @returns where the stream stands after it; undefined where nobody says it */
async function takeGap(
  stream: OwnerStream,
  { cursor, to: told, sightings }: { readonly cursor: string | undefined; readonly to: string | undefined; readonly sightings: Sightings },
  { database, clock, log, onQueued }: ReadOptions,
): Promise<string | undefined> {
  log.warn({ event: stream.document.event, ownerId: stream.owner.id }, 'events of webhooks may have been missed; endpoints are told');
  const isNumbered = cursor !== undefined && cursor !== UNNUMBERED_EVENT;
  const from = isNumbered ? cursor : sight(sightings, stream, 'gap');
  // Where events have no ids, who comes back has always missed what was between.
  const to = told ?? (cursor === UNNUMBERED_EVENT ? UNNUMBERED_EVENT : undefined);
  await recordGap(database, stream, { from, to, now: new Date(clock.now()) });
  onQueued();
  return to;
}

async function takeEvent(
  stream: OwnerStream,
  { id, data, codes }: Extract<StreamItem, { readonly kind: 'event' }>,
  sightings: Sightings,
  { database, clock, tries, onQueued, onTaken }: ReadOptions,
): Promise<void> {
  // Whatever is wrong with another's event, it is not this stream's to wait for, or to tell.
  const told = isOfAnother(data, stream.document) ? [] : codes;
  const code = told.find((one) => DENIED.has(one)) ?? told[0];
  const event = { id: id ?? sight(sightings, stream, data), data, now: new Date(clock.now()) };
  if (code === undefined) await recordEvent(database, stream, event);
  else if (DENIED.has(code)) await recordEvent(database, stream, { ...event, end: { state: 'BLOCKED', code } });
  else {
    const count = id === undefined ? MAX_TRIES : (tries.get(id) ?? 0) + 1;
    if (id !== undefined && count < MAX_TRIES) {
      tries.clear(); // events come one after another: there is one that is tried again
      tries.set(id, count);
      throw new EventIncomplete(code);
    }
    await recordEvent(database, stream, { ...event, end: { state: 'DEAD', code } });
  }
  onQueued();
  onTaken();
}
