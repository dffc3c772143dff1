import { Kind, type SelectionSetNode } from 'graphql';
import { ownValue } from './select-output.ts';

/**
 * Matches the results of a batch to the representations of the request, by the fields of a key. The order of the results is irrelevant.
 *
 * @param results mapped value of the response
 * @param keys keys of the entity. The first one whose fields both have is used.
 * @returns result of each representation, undefined if there is none; undefined if the value is not a list of objects
 */
export function matchBatch(
  results: unknown,
  representations: readonly object[],
  keys: readonly SelectionSetNode[],
): readonly (object | undefined)[] | undefined {
  if (!Array.isArray(results)) return undefined;
  const objects = (results as readonly unknown[]).filter((result) => result !== null);
  if (!objects.every(isObject)) return undefined;
  const byKey = keys.map((key) => {
    const known = new Map<string, object>();
    for (const result of objects) {
      const text = keyTextOf(result, key);
      if (text !== undefined && !known.has(text)) known.set(text, result);
    }
    return { key, known };
  });
  return representations.map((representation) => {
    for (const { key, known } of byKey) {
      const text = keyTextOf(representation, key);
      const result = text === undefined ? undefined : known.get(text);
      if (result !== undefined) return result;
    }
    return undefined;
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a text that identifies an object by a key. Numbers and their texts are equal, as for `ID`. @returns undefined if a field is missing */
function keyTextOf(value: unknown, key: SelectionSetNode): string | undefined {
  const parts = keyParts(value, key);
  return parts === undefined ? undefined : JSON.stringify(parts);
}

function keyParts(value: unknown, { selections }: SelectionSetNode): readonly unknown[] | undefined {
  if (!isObject(value)) return undefined;
  const parts: unknown[] = [];
  for (const node of selections) {
    if (node.kind !== Kind.FIELD || node.name.value === '__typename') continue;
    const own = ownValue(value, node.name.value);
    const part = node.selectionSet === undefined ? leafPart(own) : keyParts(own, node.selectionSet);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return parts;
}

function leafPart(value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}
