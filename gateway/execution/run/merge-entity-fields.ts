import { FieldFailure } from '../data/field-failure.ts';
import { type DataKey, type DataObject, isDataObject, readKey, writeOwn } from '../data/own-properties.ts';
import type { MergeField } from '../plan/compiled-plan.ts';

/**
 * Puts the fields that a fetch brought into an object of the tree. Only the fields that were asked for are read. What both
 * have is merged; where they contradict each other the later answer stands, with two exceptions: the name of an interface, which a
 * subgraph gives that knows the interface as an object, and the null of an object or a list that another subgraph has. Subgraphs respond
 * in any order, and the data must not depend on it.
 *
 * @param isCopied whether objects and lists are copied, because `source` goes into other objects too
 */
export function mergeFields(target: DataObject, source: Readonly<DataObject>, fields: readonly MergeField[], isCopied: boolean): void {
  for (const field of fields) {
    const { key, fields: inner } = field;
    const value = readKey(source, key);
    if (value === undefined || (field.saysLess !== undefined && typeof target[key.name] === 'string' && field.saysLess(value))) continue;
    const merged = inner === undefined || typeof value !== 'object' ? value : mergeValue(readKey(target, key), value, inner, isCopied);
    if (key.isInherited) writeOwn(target, key.name, merged);
    else target[key.name] = merged;
  }
}

/** What stands at a place after `incoming` was added to `existing`. */
function mergeValue(existing: unknown, incoming: unknown, fields: readonly MergeField[], isCopied: boolean): unknown {
  if (existing === undefined && !isCopied) return incoming;
  if (isDataObject(incoming)) {
    const isKnown = isDataObject(existing) && !(existing instanceof FieldFailure);
    if (!isKnown && !isCopied) return incoming;
    // The same object stands at several places, and was merged at the first.
    if (existing === incoming) return existing;
    const target = isKnown ? existing : {};
    mergeFields(target, incoming, fields, isCopied);
    return target;
  }
  if (!Array.isArray(incoming)) return incoming === null && isComposite(existing) ? existing : incoming;
  if (Array.isArray(existing) && incoming.length === existing.length) {
    for (const [index, value] of incoming.entries()) existing[index] = mergeValue(existing[index], value, fields, isCopied);
    return existing;
  }
  return isCopied ? incoming.map((value) => mergeValue(undefined, value, fields, isCopied)) : incoming;
}

function isComposite(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof FieldFailure);
}

/** Marks fields that a fetch should have filled and did not, unless another fetch filled them. */
export function markFailed(target: DataObject, keys: readonly DataKey[], failure: FieldFailure): void {
  for (const key of keys) {
    if (readKey(target, key) === undefined) writeOwn(target, key.name, failure);
  }
}
