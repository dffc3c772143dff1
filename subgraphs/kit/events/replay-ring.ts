import type { BusEvent, SubscriptionStart } from './event-bus.ts';

/** Which events of a topic are kept for those who come back. */
export interface ReplayLimits {
  /** @unit events @defaultValue 10000 */
  readonly maxReplayEvents?: number;
  /** Largest size of the retained events of a topic. @unit bytes @defaultValue 16777216 */
  readonly maxReplayBytes?: number;
  /** @unit milliseconds @defaultValue 600000 */
  readonly maxReplayAgeMs?: number;
}

/** The latest events of one topic. */
export interface ReplayRing {
  add(event: BusEvent): void;
  /** What came after an event, or after a position. All positions are `start` or the id of an event. */
  after(id: string): SubscriptionStart & { readonly events: readonly BusEvent[] };
  /** Of the latest event. */
  position(): string;
  /** Size of the events that are retained. @unit bytes */
  readonly bytes: number;
}

interface Kept {
  readonly event: BusEvent;
  readonly addedAt: number;
  /** Estimated size. @unit bytes */
  readonly bytes: number;
}

/** Beside the texts of an event: its objects, and its place. @unit bytes */
const BYTES_PER_EVENT = 512;
/** A text with one character beyond Latin-1 takes two bytes for each. */
const BYTES_PER_CHARACTER = 2;

/**
 * @param start the position before the first event
 * @param now of the monotonic clock. @unit milliseconds
 */
export function createReplayRing(start: string, now: () => number, limits: ReplayLimits = {}): ReplayRing {
  const { maxReplayEvents = 10_000, maxReplayBytes = 16_777_216, maxReplayAgeMs = 600_000 } = limits;
  let kept: Kept[] = [];
  /** Size of the events that are not dropped. @unit bytes */
  let bytes = 0;
  /** Of these, how many are not kept any more; they are cut off when they are half of all, or a quarter of what all may take. */
  let dropped = 0;
  let droppedBytes = 0;
  let before = start;

  function forget(): void {
    const oldest = now() - maxReplayAgeMs;
    for (let first = kept[dropped]; first !== undefined; first = kept[dropped]) {
      if (kept.length - dropped <= maxReplayEvents && bytes <= maxReplayBytes && first.addedAt >= oldest) break;
      before = first.event.id;
      bytes -= first.bytes;
      droppedBytes += first.bytes;
      dropped += 1;
    }
    if (dropped * 2 <= kept.length && droppedBytes * 4 <= maxReplayBytes) return;
    kept = kept.slice(dropped);
    dropped = 0;
    droppedBytes = 0;
  }

  function position(): string {
    return kept.at(-1)?.event.id ?? before;
  }

  return {
    add(event) {
      const added = { event, addedAt: now(), bytes: bytesOf(event) };
      kept.push(added);
      bytes += added.bytes;
      forget();
    },
    after(id) {
      forget();
      if (id === before) return { position: id, isGap: false, events: kept.slice(dropped).map(({ event }) => event) };
      const index = kept.findLastIndex(({ event }) => event.id === id);
      if (index < dropped) return { position: position(), isGap: true, events: [] };
      return { position: id, isGap: false, events: kept.slice(index + 1).map(({ event }) => event) };
    },
    position,
    get bytes() {
      return bytes;
    },
  };
}

function bytesOf({ id, payload }: BusEvent): number {
  let characters = id.length;
  for (const [name, value] of Object.entries(payload)) characters += name.length + (typeof value === 'string' ? value.length : 8);
  return BYTES_PER_EVENT + BYTES_PER_CHARACTER * characters;
}
