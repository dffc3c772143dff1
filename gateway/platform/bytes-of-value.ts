/**
 * Estimates the memory that a value retains. For values that were parsed from JSON, and sets and maps of such values. The text of a value
 * is no measure of it: `{}` has 2 characters and takes 56 bytes. The walk is as deep as the value, which parsing has bounded.
 *
 * @unit bytes
 */
export function bytesOfValue(value: unknown): number {
  let bytes = 0;
  const waiting: unknown[] = [value]; // no recursion: a value of some kilobytes can have thousands of levels
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string') bytes += bytesOfText(next);
    else if (typeof next !== 'object' || next === null) bytes += BYTES_PER_PLACE;
    else if (Array.isArray(next)) bytes += BYTES_PER_ARRAY + addAll(next, waiting);
    else if (next instanceof Set) bytes += BYTES_PER_TABLE + BYTES_PER_TABLE_ENTRY * addAll(next, waiting);
    else bytes += BYTES_PER_OBJECT + addMembers(next, waiting);
  }
  return bytes;
}

/** @unit bytes */
export function bytesOfText(text: string): number {
  return BYTES_PER_TEXT + BYTES_PER_CHARACTER * text.length;
}

/** @returns number of the values */
function addAll(values: Iterable<unknown>, waiting: unknown[]): number {
  let count = 0;
  for (const value of values) {
    waiting.push(value);
    count += 1;
  }
  return count;
}

/** @returns what the names of the members take. @unit bytes */
function addMembers(object: object, waiting: unknown[]): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(object)) {
    bytes += BYTES_PER_MEMBER + bytesOfText(name);
    waiting.push(value);
  }
  return bytes;
}

// Measured on V8, rounded up. A member includes its share of the hidden class, which objects with other names do not share.
const BYTES_PER_PLACE = 16;
const BYTES_PER_TEXT = 32;
/** A text with one character beyond Latin-1 takes two bytes for each. */
const BYTES_PER_CHARACTER = 2;
const BYTES_PER_ARRAY = 64;
const BYTES_PER_TABLE = 120;
const BYTES_PER_TABLE_ENTRY = 48;
const BYTES_PER_OBJECT = 64;
const BYTES_PER_MEMBER = 160;
