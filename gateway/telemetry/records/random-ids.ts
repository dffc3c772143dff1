import { randomFillSync } from 'node:crypto';

/** Random bytes that are converted to text at once: one call for each id takes ten times as long. */
const bytes = Buffer.allocUnsafe(4_096);
let digits = '';
let usedDigits = 0;

/** Returns a new id. An id is never zero. */
export function randomHex(length: 16 | 32): string {
  if (usedDigits + length > digits.length) {
    digits = randomFillSync(bytes).toString('hex');
    usedDigits = 0;
  }
  const id = digits.slice(usedDigits, usedDigits + length);
  usedDigits += length;
  return id.startsWith('0000') && ZEROS.test(id) ? randomHex(length) : id;
}

const ZEROS = /^0+$/;

const integers = new Int32Array(1_024);
let usedIntegers = integers.length;

/** Returns a random integer of 32 bits that is not zero, so that ids of it are not zero. */
export function randomInteger(): number {
  if (usedIntegers === integers.length) {
    randomFillSync(integers);
    usedIntegers = 0;
  }
  const integer = integers[usedIntegers] ?? 0;
  usedIntegers += 1;
  return integer === 0 ? randomInteger() : integer;
}

/** Reads eight lower-case hexadecimal digits as a signed integer. */
export function readHexInteger(text: string, begin: number): number {
  let value = 0;
  for (let index = begin; index < begin + 8; index += 1) {
    const code = text.charCodeAt(index);
    value = (value << 4) | (code > NINE ? code - BEFORE_A : code - ZERO);
  }
  return value;
}

const ZERO = 48;
const NINE = 57;
/** Distance between the code of `a` and its value 10. */
const BEFORE_A = 87;
