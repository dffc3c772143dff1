import { FieldFailure } from './field-failure.ts';
import { type DataKey, type DataObject, isDataObject, readKey, readOwn, writeOwn } from './own-properties.ts';

/**
 * Puts the fields that a fetch brought into an object of the response. Only the keys that were asked for are read. What
 * both have is merged; where they contradict each other the later answer stands.
 *
 * @param keys response keys of the fetch's selection on this object
 * @param isCopied whether objects and lists are copied, because `source` goes into other objects too
 */
export function mergeFields(target: DataObject, source: Readonly<DataObject>, keys: readonly DataKey[], isCopied: boolean): void {
  for (const key of keys) {
    const value = readKey(source, key);
    if (value === undefined) continue;
    if (typeof value !== 'object' || value === null) {
      if (key.isInherited) writeOwn(target, key.name, value);
      else target[key.name] = value;
    } else {
      writeOwn(target, key.name, mergeValue(readKey(target, key), isCopied ? copyOf(value) : value));
    }
  }
}

/** What stands at a place after `incoming` was added to `existing`. */
function mergeValue(existing: unknown, incoming: unknown): unknown {
  if (isDataObject(incoming)) {
    if (!isDataObject(existing) || existing instanceof FieldFailure) return incoming;
    for (const key of Object.keys(incoming)) {
      const value = readOwn(incoming, key);
      if (value !== undefined) writeOwn(existing, key, mergeValue(readOwn(existing, key), value));
    }
    return existing;
  }
  if (Array.isArray(incoming) && Array.isArray(existing) && incoming.length === existing.length) {
    for (const [index, value] of incoming.entries()) existing[index] = mergeValue(existing[index], value);
    return existing;
  }
  return incoming;
}

/** A copy of plain data. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isDataObject(value) || value instanceof FieldFailure) return value;
  const copy: DataObject = {};
  for (const key of Object.keys(value)) writeOwn(copy, key, copyOf(value[key]));
  return copy;
}

/** Marks fields that a fetch should have filled and did not, unless another fetch filled them. */
export function markFailed(target: DataObject, keys: readonly DataKey[], failure: FieldFailure): void {
  for (const key of keys) {
    if (readKey(target, key) === undefined) writeOwn(target, key.name, failure);
  }
}
