import type { UsedOperation } from './generation.ts';
import type { SharedOperation } from './shared-operation.ts';
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
