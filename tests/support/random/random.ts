/** A random number generator that returns the same sequence for the same seed. */
export interface Random {
  /** Returns a number from 0 to less than 1. */
  next(): number;
  /** Returns an integer from 0 to less than `bound`. */
  below(bound: number): number;
  /** Returns true with this probability. */
  chance(probability: number): boolean;
  /** Returns one of the items. The list must not be empty. */
  pick<T>(items: readonly T[]): T;
}

/** Creates a Mulberry32 generator: small, and good enough to generate operations. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick(items) {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('Cannot pick from an empty list.');
      return item;
    },
  };
}
