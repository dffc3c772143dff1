/** Names and values of a record. */
export interface RecordEntries<T> {
  readonly names: readonly string[];
  has(name: string): boolean;
  /** Returns the value of a name, always the same one. */
  get(name: string): T | undefined;
}

/** Creates a record without a prototype whose values are created when they are read. To list its names creates no value. */
export function createRecordOnDemand<T>({ names, has, get }: RecordEntries<T>): Record<string, T> {
  return new Proxy<Record<string, T>>(Object.create(null), {
    get: (_target, name) => (typeof name === 'string' ? get(name) : undefined),
    has: (_target, name) => typeof name === 'string' && has(name),
    ownKeys: () => [...names],
    getOwnPropertyDescriptor(_target, name) {
      if (typeof name !== 'string' || !has(name)) return undefined;
      return { configurable: true, enumerable: true, get: () => get(name) };
    },
  });
}
