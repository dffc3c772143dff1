import { setImmediate as nextIteration } from 'node:timers/promises';
import { createSizedCache } from '../platform/sized-cache.ts';
import type { UsedOperation } from './generation.ts';
import { bytesOfShared, type SharedOperation } from './shared-operation.ts';
import { readVariantKey } from './variant-key.ts';

/** Number of operations whose uses are read without a pause. */
const OPERATIONS_PER_STEP = 200;

/** A variant and the number of its requests. */
interface Use {
  readonly operation: SharedOperation;
  readonly key: string;
  readonly uses: number;
}

/**
 * Lists the most requested variants, the most used first, with an example operation for each. Requests are processed between the steps,
 * because a cache can have many operations.
 */
export async function mostUsedOf(operations: readonly SharedOperation[], limit: number): Promise<readonly UsedOperation[]> {
  let found: readonly Use[] = [];
  for (let start = 0; start < operations.length; start += OPERATIONS_PER_STEP) {
    if (start > 0) await nextIteration();
    const step = operations.slice(start, start + OPERATIONS_PER_STEP);
    const used = step.flatMap((operation) => [...operation.variants.uses()].map(([key, uses]) => ({ operation, key, uses })));
    found = [...found, ...used].sort((one, other) => other.uses - one.uses).slice(0, limit);
  }
  return found.map(({ operation, key }) => toUsedOperation(operation, key));
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
  all(): readonly SharedOperation[];
  /** Removes an operation. */
  forget(text: string): void;
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
    forget: (text) => cache.delete(text),
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
