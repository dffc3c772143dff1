/**
 * Pseudo-random numbers that are converted to text at once: one call for each id takes ten times as long. Ids must be unique but not secret,
 * and random bytes of `node:crypto` take several times as long.
 */
const numbers = new Uint32Array(1_024);
const bytes = Buffer.from(numbers.buffer);
let digits = '';
let usedDigits = 0;

/** Returns a new id. An id is never zero. */
export function randomHex(length: 16 | 32): string {
  if (usedDigits + length > digits.length) {
    for (let index = 0; index < numbers.length; index += 1) numbers[index] = Math.random() * TWO_32;
    digits = bytes.toString('hex');
    usedDigits = 0;
  }
  const id = digits.slice(usedDigits, usedDigits + length);
  usedDigits += length;
  return id.startsWith('0000') && ZEROS.test(id) ? randomHex(length) : id;
}

const TWO_32 = 2 ** 32;
const ZEROS = /^0+$/;

/** Returns a pseudo-random integer of 32 bits that is not zero, so that ids of it are not zero. */
export function randomInteger(): number {
  const integer = (Math.random() * TWO_32) | 0;
  return integer === 0 ? 1 : integer;
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
