import { FRESH_DIGITS } from '../graph/operations.ts';

/**
 * Prepares bytes of which only the digits change.
 *
 * @param text text that contains `FRESH_DIGITS` at each position of the digits
 * @returns a function that returns the bytes with other digits. They are new bytes unless the text has no digits.
 */
export function createByteTemplate(text: string): (digits: string) => Buffer {
  const bytes = Buffer.from(text);
  const positions: number[] = [];
  for (let at = bytes.indexOf(FRESH_DIGITS); at !== -1; at = bytes.indexOf(FRESH_DIGITS, at + FRESH_DIGITS.length)) positions.push(at);
  if (positions.length === 0) return () => bytes;
  return (digits) => {
    const copy = Buffer.from(bytes);
    for (const at of positions) copy.write(digits, at, 'latin1');
    return copy;
  };
}
