/** An object that expires at a time. */
export interface Expiring {
  /** Called at the expiry time. @returns the next time to call it; undefined when it has expired */
  onDue(): number | undefined;
}

/** Calls objects at their expiry time, with one timer for all. The cost does not depend on their number or their times. */
export interface ExpiryWheel extends Disposable {
  /** Adds an object. @param at wall clock. @unit milliseconds since the epoch @returns a function that removes the object */
  add(one: Expiring, at: number): () => void;
}

/** Precision of the times. @unit milliseconds */
const SLOT_MS = 1_000;

interface Entry {
  readonly one: Expiring;
  /** Slot that contains the entry until its time is reached. */
  slot: Set<Entry> | undefined;
}

/** @param now wall clock. @unit milliseconds since the epoch */
export function createExpiryWheel(now: () => number): ExpiryWheel {
  const slots = new Map<number, Set<Entry>>();
  let timer: NodeJS.Timeout | undefined;

  function add(entry: Entry, at: number): void {
    const due = Math.ceil(at / SLOT_MS);
    let slot = slots.get(due);
    if (slot === undefined) {
      slot = new Set();
      slots.set(due, slot);
    }
    slot.add(entry);
    entry.slot = slot;
    timer ??= setInterval(turn, SLOT_MS).unref();
  }

  function turn(): void {
    const current = Math.floor(now() / SLOT_MS);
    for (const [due, slot] of slots) {
      if (slot.size > 0 && due > current) continue;
      slots.delete(due);
      for (const entry of slot) {
        entry.slot = undefined;
        const again = entry.one.onDue();
        if (again !== undefined) add(entry, Math.max(again, now()));
      }
    }
    if (slots.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    add(one, at) {
      const entry: Entry = { one, slot: undefined };
      add(entry, at);
      return () => void entry.slot?.delete(entry);
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      timer = undefined;
      slots.clear();
    },
  };
}
