import { LRUCache } from 'lru-cache';
import { lazy } from './lazy.ts';

/** Item that callers wait for. It is processed in the turn of the caller that comes first. */
export interface Waiting {
  /** Names of the callers. Others can be added while the item waits. */
  readonly callers: ReadonlySet<string>;
}

/** Queue in which no caller waits for another caller that has requested more. */
export interface FairQueue<T extends Waiting> {
  readonly size: number;
  push(item: T): void;
  /** Puts an item back in front of all others. */
  unshift(item: T): void;
  /**
   * Takes the next item: the earliest item of the caller with the lowest charge.
   *
   * @param busy callers that are being served; items that only these callers wait for are skipped. @defaultValue none
   */
  shift(busy?: ReadonlySet<string>): T | undefined;
  /** Whether a caller is waiting that is not one of these. */
  hasOther(callers: ReadonlySet<string>): boolean;
  /** Removes an item. @returns whether it was in the queue */
  remove(item: T): boolean;
  /** Charges the amount that an item has used, in milliseconds or bytes, to its caller. */
  charge(item: T, amount: number): void;
  /** Returns the number of items that a caller waits for. */
  held(caller: string): number;
  /**
   * Removes and returns the latest item of the caller that waits for most. Returns undefined if that caller would not wait for more than
   * `caller` with one more item.
   */
  displaceFor(caller: string): T | undefined;
  /** Removes all items. */
  clear(): readonly T[];
}

/** Maximum number of idle callers whose charge is remembered. @unit callers */
const MAX_REMEMBERED = 2_000;

/**
 * Creates a queue with start-time fair queuing. Each caller has a charge, and a caller that returns after a pause starts at the level of
 * the others. So a caller waits for at most one item of each other caller before its first item.
 */
export function createFairQueue<T extends Waiting>(): FairQueue<T> {
  const first: T[] = [];
  /** Items in order of arrival. */
  const items = new Set<T>();
  const served = lazy(() => new LRUCache<string, number>({ max: MAX_REMEMBERED })); // The cache allocates its memory when it is created.
  /** Charge of the caller that was selected last. */
  let clock = 0;

  const shareOf = (caller: string): number => Math.max(clock, served().get(caller) ?? 0);
  const shareOfItem = ({ callers }: T): number => Math.min(...[...callers].map(shareOf));

  function chargedCaller({ callers }: T): string | undefined {
    const [caller] = [...callers].sort((one, other) => shareOf(one) - shareOf(other));
    return caller;
  }

  function remove(item: T): boolean {
    const index = first.indexOf(item);
    if (index >= 0) first.splice(index, 1);
    return items.delete(item) || index >= 0;
  }

  return {
    get size() {
      return first.length + items.size;
    },
    push: (item) => void items.add(item),
    unshift: (item) => void first.unshift(item),
    hasOther(callers) {
      for (const item of items) if (isOfOthers(item, callers)) return true;
      return false;
    },
    shift(busy) {
      const [front] = first.splice(0, 1);
      if (front !== undefined) return front;
      let best: T | undefined;
      let lowest = Number.POSITIVE_INFINITY;
      for (const item of items) {
        if (busy !== undefined && !isOfOthers(item, busy)) continue;
        const share = shareOfItem(item);
        if (share >= lowest) continue;
        best = item;
        lowest = share;
      }
      if (best === undefined) return undefined;
      clock = Math.max(clock, lowest);
      items.delete(best);
      return best;
    },
    remove,
    charge(item, amount) {
      const caller = chargedCaller(item);
      // An item that used nothing still counts as a turn.
      if (caller !== undefined) served().set(caller, shareOf(caller) + Math.max(1, amount));
    },
    held(caller) {
      let count = 0;
      for (const { callers } of items) if (callers.has(caller)) count += 1;
      return count;
    },
    displaceFor(caller) {
      const counts = new Map<string, number>();
      for (const item of items) for (const one of item.callers) counts.set(one, (counts.get(one) ?? 0) + 1);
      let largest: string | undefined;
      for (const [one, count] of counts) if (count > (counts.get(largest ?? '') ?? 0)) largest = one;
      if (largest === undefined || (counts.get(largest) ?? 0) <= (counts.get(caller) ?? 0) + 1) return undefined;
      const own = [...items].filter(({ callers }) => callers.size === 1 && callers.has(largest ?? ''));
      const last = own.at(-1);
      if (last !== undefined) items.delete(last);
      return last;
    },
    clear() {
      const all = [...first.splice(0), ...items];
      items.clear();
      return all;
    },
  };
}

function isOfOthers({ callers }: Waiting, busy: ReadonlySet<string>): boolean {
  for (const caller of callers) if (!busy.has(caller)) return true;
  return false;
}
