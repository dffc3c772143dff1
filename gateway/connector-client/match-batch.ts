import { Kind, type SelectionSetNode } from 'graphql';
import { ownValue } from './select-output.ts';

/** Returns a text that identifies an object by a key. Numbers and their texts are equal, as for `ID`. @returns undefined if a field is missing */
export type IdentifyByKey = (object: object) => string | undefined;

/** Compiles the keys of an entity. */
export function compileKeys(keys: readonly SelectionSetNode[]): readonly IdentifyByKey[] {
  return keys.map((key) => {
    const [readOnly, ...others] = compileReaders(key);
    if (readOnly !== undefined && others.length === 0) return (object) => textOfOnly(readOnly(object));
    const readParts = compileParts(key);
    return (object) => {
      const parts = readParts(object);
      return parts === undefined ? undefined : JSON.stringify(parts);
    };
  });
}

/** Returns the text of a key with one field. Most are a string, which identifies the object by itself. JSON starts with a bracket. */
function textOfOnly(part: unknown): string | undefined {
  if (part === undefined) return undefined;
  return typeof part === 'string' && !part.startsWith('[') ? part : JSON.stringify([part]);
}

type ReadPart = (value: object) => unknown;

function compileReaders({ selections }: SelectionSetNode): readonly ReadPart[] {
  return selections.flatMap((node): readonly ReadPart[] => {
    if (node.kind !== Kind.FIELD || node.name.value === '__typename') return [];
    const name = node.name.value;
    const readItem = node.selectionSet === undefined ? leafPart : compileItem(node.selectionSet);
    return [(value) => partOf(ownValue(value, name), readItem)];
  });
}

function compileParts(key: SelectionSetNode): (value: object) => readonly unknown[] | undefined {
  const readers = compileReaders(key);
  return (value) => {
    const parts: unknown[] = [];
    for (const read of readers) {
      const part = read(value);
      if (part === undefined) return undefined;
      parts.push(part);
    }
    return parts;
  };
}

function compileItem(fields: SelectionSetNode): (value: unknown) => unknown {
  const read = compileParts(fields);
  return (value) => (isObject(value) ? read(value) : undefined);
}

/** Reads a value, or each item of a list. Lists are equal if their items are. */
function partOf(value: unknown, readItem: (value: unknown) => unknown): unknown {
  if (!Array.isArray(value)) return readItem(value);
  const parts = value.map((item: unknown) => partOf(item, readItem));
  return parts.includes(undefined) ? undefined : parts;
}

function leafPart(value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

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
  keys: readonly IdentifyByKey[],
): readonly (object | undefined)[] | undefined {
  if (!Array.isArray(results)) return undefined;
  const objects = (results as readonly unknown[]).filter((result) => result !== null);
  if (!objects.every(isObject)) return undefined;
  if (haveSameOrder(objects, representations, keys)) return objects;
  const byKey = keys.map((identify) => {
    const known = new Map<string, object>();
    for (const result of objects) {
      const text = identify(result);
      if (text !== undefined && !known.has(text)) known.set(text, result);
    }
    return { identify, known };
  });
  return representations.map((representation) => {
    for (const { identify, known } of byKey) {
      const text = identify(representation);
      const result = text === undefined ? undefined : known.get(text);
      if (result !== undefined) return result;
    }
    return undefined;
  });
}

/** Returns whether each result is that of the representation at its index. Many services respond in the order of the ids. */
function haveSameOrder(
  results: readonly object[],
  representations: readonly object[],
  [identify, ...others]: readonly IdentifyByKey[],
): boolean {
  if (identify === undefined || others.length > 0 || results.length !== representations.length) return false;
  for (let index = 0; index < results.length; index += 1) {
    const text = identify(results[index] as object);
    if (text === undefined || text !== identify(representations[index] as object)) return false;
  }
  return true;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
