import { createWeighedCache } from '../platform/weighed-cache.ts';
import type { UsedOperation } from './generation.ts';
import { bytesOfShared, type SharedOperation } from './shared-operation.ts';
import { readVariantKey } from './variant-key.ts';

/** The variants that were asked for most, by an example of each; the most used first. */
export function mostUsedOf(operations: Iterable<SharedOperation>, limit: number): readonly UsedOperation[] {
  const used = [...operations].flatMap((operation) => [...operation.variants.uses()].map(([key, uses]) => ({ operation, key, uses })));
  return used
    .sort((one, other) => other.uses - one.uses)
    .slice(0, limit)
    .map(({ operation, key }) => toUsedOperation(operation, key));
}

function toUsedOperation(operation: SharedOperation, key: string): UsedOperation {
  const { access, ...decisions } = readVariantKey(operation, key);
  const rights = access === undefined ? undefined : operation.authorisation?.describe(access);
  return { ...operation.sample, ...decisions, ...(rights === undefined ? {} : { access: rights }) };
}

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
  // Texts that are known may still refer to an evicted operation, so its variants must go: nobody counts them any more.
  const cache = createWeighedCache<SharedOperation>({ maxEntries, maxBytes, bytesOf: bytesOfShared, onEvicted: forgetVariants });

  return {
    find: (text) => cache.get(text),
    use(operation) {
      const known = cache.get(operation.text);
      if (known === undefined) cache.put(operation.text, operation);
      return known === undefined || operation.isKept ? operation : known;
    },
    weigh(operation) {
      if (cache.peek(operation.text) === operation) cache.put(operation.text, operation);
      else forgetVariants(operation);
    },
    all: () => cache.values(),
    clear: () => cache.clear(),
  };
}

/** An operation of an owner keeps the variant that was used last: documents of owners are few, and their number is configured. */
function forgetVariants({ variants, isKept }: SharedOperation): void {
  if (isKept) variants.keepLatest();
  else variants.forget();
}
