/** Something that ends at a time. */
export interface Expiring {
  /** Called when its time has come. @returns when to call again; undefined when it is over */
  onDue(): number | undefined;
}

/** Calls what is due, under one timer for all: neither the number nor how far away the times are matters. */
export interface ExpiryWheel extends Disposable {
  /** @param at wall clock. @unit milliseconds since the epoch */
  add(one: Expiring, at: number): () => void;
}

/** How exactly times are kept. @unit milliseconds */
const SLOT_MS = 1_000;

/** @param now wall clock. @unit milliseconds since the epoch */
export function createExpiryWheel(now: () => number): ExpiryWheel {
  const slots = new Map<number, Set<Expiring>>();
  let timer: NodeJS.Timeout | undefined;

  function place(one: Expiring, at: number): Set<Expiring> {
    const due = Math.ceil(at / SLOT_MS);
    let slot = slots.get(due);
    if (slot === undefined) {
      slot = new Set();
      slots.set(due, slot);
    }
    slot.add(one);
    timer ??= setInterval(turn, SLOT_MS).unref();
    return slot;
  }

  function turn(): void {
    const current = Math.floor(now() / SLOT_MS);
    for (const [due, slot] of slots) {
      if (slot.size > 0 && due > current) continue;
      slots.delete(due);
      for (const one of slot) {
        const again = one.onDue();
        if (again !== undefined) place(one, Math.max(again, now()));
      }
    }
    if (slots.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    add(one, at) {
      place(one, at);
      return () => {
        // It may have been placed anew since.
        for (const slot of slots.values()) if (slot.delete(one)) return;
      };
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      timer = undefined;
      slots.clear();
    },
  };
}
