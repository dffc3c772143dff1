import { FieldFailure } from '../data/field-failure.ts';
import { type DataKey, type DataObject, isDataObject, readKey, writeOwn } from '../data/own-properties.ts';
import type { MergeField } from '../plan/compiled-plan.ts';

/**
 * Merges fetched fields into an object of the tree. Only selected fields are read. When two values conflict, the later response wins, with
 * two exceptions. An interface name from a subgraph that defines the interface as an object does not replace a type name. A null does not
 * replace an object or a list from another subgraph. Subgraphs respond in any order, and the data must not depend on that order.
 *
 * @param isCopied Whether objects and lists are copied, because `source` is merged into other objects as well.
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

/** Returns the result of merging `incoming` into `existing`. */
function mergeValue(existing: unknown, incoming: unknown, fields: readonly MergeField[], isCopied: boolean): unknown {
  if (existing === undefined && !isCopied) return incoming;
  if (isDataObject(incoming)) {
    const isKnown = isDataObject(existing) && !(existing instanceof FieldFailure);
    if (!isKnown && !isCopied) return incoming;
    // The same object occurs at several positions and was already merged at the first one.
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

/** Writes a failure for fields that a fetch should have filled, unless another fetch filled them. */
export function markFailed(target: DataObject, keys: readonly DataKey[], failure: FieldFailure): void {
  for (const key of keys) {
    if (readKey(target, key) === undefined) writeOwn(target, key.name, failure);
  }
}
