import { LRUCache } from 'lru-cache';
import type { SharedOperation } from './shared-operation.ts';
import { bytesOfShared } from './shared-operation.ts';

/** Shared operations by canonical text, the latest ones, bounded by what they hold. */
export interface SharedOperations {
  find(text: string): SharedOperation | undefined;
  /** The one to be used for its text: it was used just now. It comes back when it was let go of. */
  use(operation: SharedOperation): SharedOperation;
  /** Counts again what it holds. */
  weigh(operation: SharedOperation): void;
  all(): Iterable<SharedOperation>;
  clear(): void;
}

export interface SharedOperationsOptions {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

export function createSharedOperations({ maxEntries, maxBytes }: SharedOperationsOptions): SharedOperations {
  const cache = new LRUCache<string, SharedOperation>({
    max: maxEntries,
    maxSize: maxBytes,
    sizeCalculation: bytesOfShared,
    dispose: (operation, _text, reason) => {
      // Texts that are known may still lead here: what is not counted any more must not be held either.
      if (reason !== 'set' && !operation.isKept) operation.variants.forget();
    },
  });

  function put(operation: SharedOperation): void {
    cache.set(operation.text, operation);
    // More than all that may be kept: it is made again each time, but for those who ask meanwhile.
    if (!operation.isKept && cache.peek(operation.text) !== operation) operation.variants.forget();
  }

  return {
    find: (text) => cache.get(text),
    use(operation) {
      const known = cache.get(operation.text);
      if (known === undefined) put(operation);
      return known === undefined || operation.isKept ? operation : known;
    },
    weigh(operation) {
      if (cache.peek(operation.text) === operation) put(operation);
      else if (!operation.isKept) operation.variants.forget();
    },
    all: () => cache.values(),
    clear: () => cache.clear(),
  };
}
