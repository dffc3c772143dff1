import type { ExecutableOperation } from '../execution/executable-operation.ts';

/** An operation that was planned and compiled for one set of conditions. */
export interface MadeVariant {
  readonly executable: ExecutableOperation;
  /** Estimated size at its creation. @unit bytes */
  readonly bytes: number;
}

/**
 * Creates a variant.
 *
 * @param callers Callers that wait for the variant.
 * @param onGrown Called with the memory that the variant holds in addition to `MadeVariant.bytes`, each time it has grown notably.
 * @unit bytes
 */
export type MakeVariant = (callers: ReadonlySet<string>, onGrown: (bytes: number) => void) => Promise<MadeVariant>;

/** Variants of one operation. Each variant is created once. */
export interface Variants {
  /** Total memory of all variants. @unit bytes */
  readonly bytes: number;
  /**
   * Returns a variant and creates it at the first call.
   *
   * @param make Creates the variant. Concurrent callers share the call. A failure that is not final is retried at the next call. `make`
   * receives the set of waiting callers, to which later callers are added.
   * @param caller Key of the caller.
   * @throws any error of `make`
   */
  get(key: string, make: MakeVariant, caller?: string): ExecutableOperation | Promise<ExecutableOperation>;
  /** Returns an existing variant; undefined when it must be created. */
  made(key: string): ExecutableOperation | undefined;
  /** Returns the number of requests for each variant. */
  uses(): ReadonlyMap<string, number>;
  /** Drops all variants except those in creation. Requests that run with a dropped variant are not affected. */
  forget(): void;
  /** Drops all variants except those in creation and the most recently used one. */
  retainLatest(): void;
}

export interface VariantsOptions {
  /** Maximum number of cached variants. Variants in creation are not evicted, so that they are not created twice. @unit variants */
  readonly maxVariants: number;
  /** Maximum memory of the cached variants. The most recently used variant is cached in any case. @unit bytes */
  readonly maxBytes: number;
  /** Whether a failure is cached like a variant, because a retry would fail again. */
  readonly isFinal: (error: unknown) => boolean;
  /** Called when a variant was created and when one has grown. */
  readonly onGrown: () => void;
}

interface Variant {
  made: MadeVariant | undefined;
  /** Present until the variant is created, and for a final failure. */
  promise: Promise<ExecutableOperation> | undefined;
  /** Callers that wait for the creation. */
  callers: Set<string> | undefined;
  isSettled: boolean;
  uses: number;
  /** Estimated growth since its creation. @unit bytes */
  grown: number;
}

/** Memory of a variant that could not be created or is not created yet. @unit bytes */
const EMPTY_BYTES = 500;

export function createVariants({ maxVariants, maxBytes, isFinal, onGrown }: VariantsOptions): Variants {
  /** Ordered from the least to the most recently used variant. */
  const variants = new Map<string, Variant>();
  let last: Variant | undefined;

  function begin(key: string, make: MakeVariant, caller: string): Promise<ExecutableOperation> {
    const callers = new Set([caller]);
    const variant: Variant = { made: undefined, promise: undefined, callers, isSettled: false, uses: 1, grown: 0 };
    variants.set(key, variant);
    last = variant;
    const grow = (bytes: number): void => {
      variant.grown = bytes;
      if (variants.get(key) === variant) count();
    };
    const promise = make(callers, grow).then(
      (made) => {
        variant.made = made;
        variant.promise = undefined;
        settle(variant);
        return made.executable;
      },
      (error: unknown) => {
        if (!isFinal(error) && variants.get(key) === variant) drop(key, variant);
        settle(variant);
        throw error;
      },
    );
    variant.promise = promise;
    promise.catch(() => undefined); // Callers receive the rejection. An unobserved rejection must not end the process.
    evict();
    return promise;
  }

  function settle(variant: Variant): void {
    variant.isSettled = true;
    variant.callers = undefined;
    count();
  }

  function count(): void {
    evict();
    onGrown();
  }

  function drop(key: string, variant: Variant): void {
    variants.delete(key);
    if (last === variant) last = undefined;
  }

  /** Counts a use and makes the variant the most recently used one. */
  function use(key: string, variant: Variant): Variant {
    variant.uses += 1;
    if (variant !== last) {
      variants.delete(key);
      variants.set(key, variant);
      last = variant;
    }
    return variant;
  }

  function evict(): void {
    let surplus = variants.size - maxVariants;
    let excess = bytesOfAll() - maxBytes;
    for (const [key, variant] of variants) {
      if (surplus <= 0 && excess <= 0) return;
      if (!variant.isSettled || variant === last) continue;
      drop(key, variant);
      surplus -= 1;
      excess -= bytesOf(variant);
    }
  }

  function bytesOfAll(): number {
    let bytes = 0;
    for (const variant of variants.values()) bytes += bytesOf(variant);
    return bytes;
  }

  return {
    get bytes() {
      return bytesOfAll();
    },
    made(key) {
      const variant = variants.get(key);
      return variant?.made === undefined ? undefined : use(key, variant).made?.executable;
    },
    get(key, make, caller = '') {
      const variant = variants.get(key);
      if (variant === undefined) return begin(key, make, caller);
      use(key, variant);
      if (variant.made !== undefined) return variant.made.executable;
      variant.callers?.add(caller);
      return variant.promise ?? begin(key, make, caller);
    },
    uses: () => new Map([...variants].filter(([, { made }]) => made !== undefined).map(([key, { uses }]) => [key, uses])),
    forget() {
      for (const [key, variant] of variants) if (variant.isSettled) drop(key, variant);
    },
    retainLatest() {
      for (const [key, variant] of variants) if (variant.isSettled && variant !== last) drop(key, variant);
    },
  };
}

function bytesOf({ made, grown }: Variant): number {
  return grown + (made?.bytes ?? EMPTY_BYTES);
}
