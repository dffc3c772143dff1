/** Source of random values that are the same in every run. */
export interface RandomSource {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  fraction(): number;
  /** Returns an integer from `min` to `max`, both inclusive. */
  integer(min: number, max: number): number;
  /** Returns one of the values. */
  pick<T>(values: readonly [T, ...T[]]): T;
  /** Returns true with the probability `share`, from 0 to 1. */
  chance(share: number): boolean;
}

/** Creates a Mulberry32 generator, which has 32 bits of state and is sufficient for sample data. */
export function createRandomSource(seed: number): RandomSource {
  let state = seed >>> 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (min: number, max: number): number => min + Math.floor(fraction() * (max - min + 1));
  return {
    fraction,
    integer,
    pick: (values) => values[integer(0, values.length - 1)] ?? values[0],
    chance: (share) => fraction() < share,
  };
}
