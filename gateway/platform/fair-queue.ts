import { LRUCache } from 'lru-cache';
import { lazy } from './lazy.ts';

/** Callers that wait for one thing. It is waited for in the turn of whichever comes first. */
export interface Waiting {
  /** Names of the callers; others can be added while it waits. */
  readonly callers: ReadonlySet<string>;
}

/** A queue in which no caller waits for another that has asked for more. */
export interface FairQueue<T extends Waiting> {
  readonly size: number;
  push(item: T): void;
  /** Puts something back in front of everything else. */
  unshift(item: T): void;
  /**
   * Takes the next one: the earliest of the caller that has been charged least.
   *
   * @param busy callers that are being served: what nobody else waits for stays. @defaultValue none
   */
  shift(busy?: ReadonlySet<string>): T | undefined;
  /** Tells if a caller waits that is not one of these. */
  hasOther(callers: ReadonlySet<string>): boolean;
  /** Takes one out. @returns whether it was there */
  remove(item: T): boolean;
  /** Charges a caller who waited for something with what it took: milliseconds, or bytes. */
  charge(item: T, amount: number): void;
  /** How many things a caller waits for. */
  held(caller: string): number;
  /** The latest thing of the caller that waits for most, unless that is no more than `caller` would wait for with one more. */
  displaceFor(caller: string): T | undefined;
  /** Takes everything out. */
  clear(): readonly T[];
}

/** Callers whose share is remembered while they wait for nothing. @unit callers */
const MAX_REMEMBERED = 2_000;

/**
 * Orders what callers wait for by start-time fair queuing: each caller has a share, and one who comes after a pause begins where the
 * others are. So a caller waits for at most one thing of each of the others before the first of its own.
 */
export function createFairQueue<T extends Waiting>(): FairQueue<T> {
  const first: T[] = [];
  /** In the order in which they came. */
  const items = new Set<T>();
  const served = lazy(() => new LRUCache<string, number>({ max: MAX_REMEMBERED })); // it takes its memory at once
  /** Charge of the caller that was chosen last. */
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
      // Even what takes nothing is a turn.
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
