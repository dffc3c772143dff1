import type { DefinitionOutline, DocumentOutline } from './document-outline.ts';

/** Twice is enough to tell that a field is there more than once. */
const ENOUGH = 2;

/**
 * How often an operation selects each of the root fields that were looked out for, with fragments expanded; 2 stands for more. A fragment
 * is looked at twice at most: what it has is then there twice. No recursion.
 */
export function countWatchedFields({ fragments }: DocumentOutline, operation: DefinitionOutline): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const looks = new Map<DefinitionOutline, number>();
  const pending: DefinitionOutline[] = [operation];
  for (let definition = pending.pop(); definition !== undefined; definition = pending.pop()) {
    for (const name of definition.watchedFields) counts.set(name, Math.min(ENOUGH, (counts.get(name) ?? 0) + 1));
    for (const { name, dataDepth, introspectionDepth } of definition.spreads) {
      const fragment = dataDepth + introspectionDepth === 0 ? fragments.get(name) : undefined;
      const before = fragment === undefined ? ENOUGH : (looks.get(fragment) ?? 0);
      if (fragment === undefined || before >= ENOUGH) continue;
      looks.set(fragment, before + 1);
      pending.push(fragment);
    }
  }
  return counts;
}
