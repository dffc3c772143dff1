import type { BusEvent, SubscriptionStart } from './event-bus.ts';

/** Limits of the events of a topic that are stored for replays. */
export interface ReplayLimits {
  /** @unit events @defaultValue 10000 */
  readonly maxReplayEvents?: number;
  /** Maximum size of the stored events of a topic. @unit bytes @defaultValue 16777216 */
  readonly maxReplayBytes?: number;
  /** @unit milliseconds @defaultValue 600000 */
  readonly maxReplayAgeMs?: number;
}

/** Latest events of one topic. */
export interface ReplayRing {
  add(event: BusEvent): void;
  /** Returns the events after an event or a position. All positions are `start` or the id of an event. */
  after(id: string): SubscriptionStart & { readonly events: readonly BusEvent[] };
  /** Returns the position of the latest event. */
  position(): string;
  /** Size of the stored events. @unit bytes */
  readonly bytes: number;
}

interface StoredEvent {
  readonly event: BusEvent;
  readonly addedAt: number;
  /** Estimated size. @unit bytes */
  readonly bytes: number;
}

/** Size of an event in addition to its texts: its objects and its array slot. @unit bytes */
const BYTES_PER_EVENT = 512;
/** Bytes per character. A text with one character beyond Latin-1 uses two bytes for each. */
const BYTES_PER_CHARACTER = 2;

/**
 * Creates a ring.
 *
 * @param start position before the first event
 * @param now monotonic clock. @unit milliseconds
 */
export function createReplayRing(start: string, now: () => number, limits: ReplayLimits = {}): ReplayRing {
  const { maxReplayEvents = 10_000, maxReplayBytes = 16_777_216, maxReplayAgeMs = 600_000 } = limits;
  let stored: StoredEvent[] = [];
  /** Size of the stored events. @unit bytes */
  let bytes = 0;
  /**
   * Number of expired events at the start of the array. They are removed when they are half of the array or a quarter of the maximum size.
   */
  let dropped = 0;
  let droppedBytes = 0;
  let before = start;

  function forget(): void {
    const oldest = now() - maxReplayAgeMs;
    for (let first = stored[dropped]; first !== undefined; first = stored[dropped]) {
      if (stored.length - dropped <= maxReplayEvents && bytes <= maxReplayBytes && first.addedAt >= oldest) break;
      before = first.event.id;
      bytes -= first.bytes;
      droppedBytes += first.bytes;
      dropped += 1;
    }
    if (dropped * 2 <= stored.length && droppedBytes * 4 <= maxReplayBytes) return;
    stored = stored.slice(dropped);
    dropped = 0;
    droppedBytes = 0;
  }

  function position(): string {
    return stored.at(-1)?.event.id ?? before;
  }

  return {
    add(event) {
      const added = { event, addedAt: now(), bytes: bytesOf(event) };
      stored.push(added);
      bytes += added.bytes;
      forget();
    },
    after(id) {
      forget();
      if (id === before) return { position: id, isGap: false, events: stored.slice(dropped).map(({ event }) => event) };
      const index = stored.findLastIndex(({ event }) => event.id === id);
      if (index < dropped) return { position: position(), isGap: true, events: [] };
      return { position: id, isGap: false, events: stored.slice(index + 1).map(({ event }) => event) };
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
