/**
 * Estimates the memory of a value that was parsed from JSON, or of a set or map of such values. The length of the JSON text is not a good
 * estimate: `{}` has 2 characters and takes 56 bytes. The parser has limited the depth of the value.
 *
 * @unit bytes
 */
export function bytesOfValue(value: unknown): number {
  let bytes = 0;
  const waiting: unknown[] = [value]; // The traversal is iterative, because a value of some kilobytes can have thousands of levels.
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string') bytes += bytesOfText(next);
    else if (typeof next !== 'object' || next === null) bytes += BYTES_PER_POSITION;
    else if (Array.isArray(next)) bytes += BYTES_PER_ARRAY + addAll(next, waiting);
    else if (next instanceof Set) bytes += BYTES_PER_TABLE + BYTES_PER_TABLE_ENTRY * addAll(next, waiting);
    else bytes += BYTES_PER_OBJECT + addMembers(next, waiting);
  }
  return bytes;
}

/** Estimates the memory of a string. @unit bytes */
export function bytesOfText(text: string): number {
  return BYTES_PER_TEXT + BYTES_PER_CHARACTER * text.length;
}

/** Adds values to the traversal. @returns number of values */
function addAll(values: Iterable<unknown>, waiting: unknown[]): number {
  let count = 0;
  for (const value of values) {
    waiting.push(value);
    count += 1;
  }
  return count;
}

/** Adds the values of an object to the traversal. @returns memory of its member names. @unit bytes */
function addMembers(object: object, waiting: unknown[]): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(object)) {
    bytes += BYTES_PER_MEMBER + bytesOfText(name);
    waiting.push(value);
  }
  return bytes;
}

// Measured on V8 and rounded up. A member includes its share of the hidden class, which objects with other names do not share.
const BYTES_PER_POSITION = 16;
const BYTES_PER_TEXT = 32;
/** A string with one character beyond Latin-1 takes two bytes per character. */
const BYTES_PER_CHARACTER = 2;
const BYTES_PER_ARRAY = 64;
const BYTES_PER_TABLE = 120;
const BYTES_PER_TABLE_ENTRY = 48;
const BYTES_PER_OBJECT = 64;
const BYTES_PER_MEMBER = 160;
