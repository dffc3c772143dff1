import { createSizedCache } from '../platform/sized-cache.ts';
import type { UsedOperation } from './generation.ts';
import { bytesOfShared, type SharedOperation } from './shared-operation.ts';
import { readVariantKey } from './variant-key.ts';

/** Lists the most requested variants, the most used first, with an example operation for each. */
export function mostUsedOf(operations: Iterable<SharedOperation>, limit: number): readonly UsedOperation[] {
  const used = [...operations].flatMap((operation) => [...operation.variants.uses()].map(([key, uses]) => ({ operation, key, uses })));
  return used
    .sort((one, other) => other.uses - one.uses)
    .slice(0, limit)
    .map(({ operation, key }) => toUsedOperation(operation, key));
}

function toUsedOperation(operation: SharedOperation, key: string): UsedOperation {
  const { access, ...decisions } = readVariantKey(operation, key);
  const permissions = access === undefined ? undefined : operation.authorization?.describe(access);
  return { ...operation.sample, ...decisions, ...(permissions === undefined ? {} : { access: permissions }) };
}

/** Cache of the most recently used shared operations by canonical text, limited by their memory. */
export interface SharedOperations {
  find(text: string): SharedOperation | undefined;
  /** Marks an operation as used and returns the cached operation for its text. An evicted operation is cached again. */
  use(operation: SharedOperation): SharedOperation;
  /** Recounts the bytes of an operation. */
  recountBytes(operation: SharedOperation): void;
  all(): Iterable<SharedOperation>;
  clear(): void;
}

export interface SharedOperationsOptions {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

export function createSharedOperations({ maxEntries, maxBytes }: SharedOperationsOptions): SharedOperations {
  // Cached texts can still refer to an evicted operation, and its variants would no longer be counted. Therefore they are dropped.
  const cache = createSizedCache<SharedOperation>({ maxEntries, maxBytes, bytesOf: bytesOfShared, onEvicted: forgetVariants });

  return {
    find: (text) => cache.get(text),
    use(operation) {
      const known = cache.get(operation.text);
      if (known === undefined) cache.put(operation.text, operation);
      return known === undefined || operation.isOwned ? operation : known;
    },
    recountBytes(operation) {
      if (cache.peek(operation.text) === operation) cache.put(operation.text, operation);
      else forgetVariants(operation);
    },
    all: () => cache.values(),
    clear: () => cache.clear(),
  };
}

/**
 * Drops the variants of an evicted operation. A held operation retains its most recently used variant, because held documents are few and
 * their number is configured.
 */
function forgetVariants({ variants, isOwned }: SharedOperation): void {
  if (isOwned) variants.retainLatest();
  else variants.forget();
}
