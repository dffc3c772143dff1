/** Part of a text. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Parts of a text by name, in a form that is sent to another thread at little cost. */
export interface NamedRanges {
  /** Names, separated by spaces. */
  readonly names: string;
  /** Start and end of each part. Both are -1 for a name without a part. */
  readonly positions: Int32Array;
}

/** Packs parts of a text. */
export function packRanges(entries: readonly (readonly [name: string, range: TextRange | undefined])[]): NamedRanges {
  const positions = new Int32Array(entries.length * 2);
  for (const [index, [, range]] of entries.entries()) {
    positions[index * 2] = range?.start ?? -1;
    positions[index * 2 + 1] = range?.end ?? -1;
  }
  return { names: entries.map(([name]) => name).join(' '), positions };
}

/** Finds parts of a text by name. */
export interface RangeTable {
  readonly names: readonly string[];
  /** Whether there is an entry of a name, with or without a part. */
  has(name: string): boolean;
  /** Returns the part with a name; undefined if there is none. */
  find(name: string): TextRange | undefined;
}

/** Creates a table of packed ranges. */
export function createRangeTable({ names: joined, positions }: NamedRanges): RangeTable {
  const names = joined === '' ? [] : joined.split(' ');
  const indices = new Map<string, number>();
  for (let index = 0; index < names.length; index += 1) indices.set(names[index] ?? '', index);
  return {
    names,
    has: (name) => indices.has(name),
    find(name) {
      const index = indices.get(name);
      if (index === undefined) return undefined;
      const [start = -1, end = -1] = [positions[index * 2], positions[index * 2 + 1]];
      return start < 0 ? undefined : { start, end };
    },
  };
}
