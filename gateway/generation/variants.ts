import type { ExecutableOperation } from '../execution/executable-operation.ts';

/** An operation that was planned and compiled for one set of decided conditions. */
export interface MadeVariant {
  readonly executable: ExecutableOperation;
  /** Estimated size when it is made. @unit bytes */
  readonly bytes: number;
}

/**
 * Makes a variant.
 *
 * @param callers those who wait for it
 * @param onGrown to be called with what it holds beside `MadeVariant.bytes`, each time that is notably more. @unit bytes
 */
export type MakeVariant = (callers: ReadonlySet<string>, onGrown: (bytes: number) => void) => Promise<MadeVariant>;

/** The variants of one operation, each made once. */
export interface Variants {
  /** What all of them hold. @unit bytes */
  readonly bytes: number;
  /**
   * @param make done at the first call; callers at the same time share it. A failure that is not final is tried again.
   * It is told who waits for it; callers that come before it is done are added
   * @param caller names who asks
   * @throws whatever `make` throws
   */
  get(key: string, make: MakeVariant, caller?: string): ExecutableOperation | Promise<ExecutableOperation>;
  /** One that is there already; undefined where it has to be made. */
  made(key: string): ExecutableOperation | undefined;
  /** How often each was asked for. */
  uses(): ReadonlyMap<string, number>;
  /** Lets go of those that are not being made. Requests that run with one of them are not affected. */
  forget(): void;
  /** The same, except for the variant that was used last. */
  keepLatest(): void;
}

export interface VariantsOptions {
  /** Variants kept, the latest ones. Those that are being made stay, so that nobody makes them twice. @unit variants */
  readonly maxVariants: number;
  /** Bound of what the variants kept retain; the latest one is kept in any case. @unit bytes */
  readonly maxBytes: number;
  /** Tells failures that are kept as variants are, because trying again would fail again. */
  readonly isFinal: (error: unknown) => boolean;
  /** Called when one was made, and when one has grown. */
  readonly onGrown: () => void;
}

interface Variant {
  made?: MadeVariant;
  /** Until it is made, and of a final failure. */
  promise?: Promise<ExecutableOperation>;
  /** Those who wait until it is made. */
  callers?: Set<string>;
  isSettled: boolean;
  uses: number;
  /** Estimated growth since it was made. @unit bytes */
  grown: number;
}

/** What a variant costs that could not be made, or is not made yet. @unit bytes */
const EMPTY_BYTES = 500;

export function createVariants({ maxVariants, maxBytes, isFinal, onGrown }: VariantsOptions): Variants {
  /** From the one that was used longest ago to the latest. */
  const variants = new Map<string, Variant>();
  let last: Variant | undefined;

  function begin(key: string, make: MakeVariant, caller: string): Promise<ExecutableOperation> {
    const callers = new Set([caller]);
    const variant: Variant = { callers, isSettled: false, uses: 1, grown: 0 };
    variants.set(key, variant);
    last = variant;
    const grow = (bytes: number): void => {
      variant.grown = bytes;
      if (variants.get(key) === variant) count();
    };
    const promise = make(callers, grow).then(
      (made) => {
        variant.made = made;
        delete variant.promise;
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
    promise.catch(() => undefined); // whoever asks for it is told
    evict();
    return promise;
  }

  function settle(variant: Variant): void {
    variant.isSettled = true;
    delete variant.callers;
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

  /** Counts a use. */
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
    keepLatest() {
      for (const [key, variant] of variants) if (variant.isSettled && variant !== last) drop(key, variant);
    },
  };
}

function bytesOf({ made, grown }: Variant): number {
  return grown + (made?.bytes ?? EMPTY_BYTES);
}
