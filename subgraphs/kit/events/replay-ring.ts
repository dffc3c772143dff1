import type { BusEvent, SubscriptionStart } from './event-bus.ts';

/** Which events of a topic are kept for those who come back. */
export interface ReplayLimits {
  /** @unit events @defaultValue 10000 */
  readonly maxReplayEvents?: number;
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
}

interface Kept {
  readonly event: BusEvent;
  readonly addedAt: number;
}

/**
 * @param start the position before the first event
 * @param now of the monotonic clock. @unit milliseconds
 */
export function createReplayRing(start: string, now: () => number, limits: ReplayLimits = {}): ReplayRing {
  const { maxReplayEvents = 10_000, maxReplayAgeMs = 600_000 } = limits;
  let kept: Kept[] = [];
  /** Of these, how many are not kept any more; they are cut off when they are half of all. */
  let dropped = 0;
  let before = start;

  function forget(): void {
    const oldest = now() - maxReplayAgeMs;
    for (let first = kept[dropped]; first !== undefined; first = kept[dropped]) {
      if (kept.length - dropped <= maxReplayEvents && first.addedAt >= oldest) break;
      before = first.event.id;
      dropped += 1;
    }
    if (dropped * 2 <= kept.length) return;
    kept = kept.slice(dropped);
    dropped = 0;
  }

  function position(): string {
    return kept.at(-1)?.event.id ?? before;
  }

  return {
    add(event) {
      kept.push({ event, addedAt: now() });
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
  };
}
