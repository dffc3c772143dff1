/** Random choices that are the same in every run. */
export interface RandomSource {
  /** 0 up to, but not, 1. */
  fraction(): number;
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  /** One of the values. */
  pick<T>(values: readonly [T, ...T[]]): T;
  /** True in `share` of the cases, 0 to 1. */
  chance(share: number): boolean;
}

/** The Mulberry32 generator: 32 bits of state, good enough to look alive and short enough to read. */
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
