/** A source of chance that gives the same sequence for the same seed. */
export interface Random {
  /** From 0 to less than 1. */
  next(): number;
  /** A whole number from 0 to less than `bound`. */
  below(bound: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** One of the items; there must be one. */
  pick<T>(items: readonly T[]): T;
}

/** Mulberry32: small, and good enough to shake operations with. */
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
      if (item === undefined) throw new Error('Nothing to pick from.');
      return item;
    },
  };
}
