/**
 * Pseudo-random numbers that are converted to text at once: one call for each id takes ten times as long. Ids must be unique but not secret,
 * and random bytes of `node:crypto` take several times as long.
 */
const numbers = new Uint32Array(1_024);
const bytes = Buffer.from(numbers.buffer);
let digits = '';
let usedDigits = 0;

/** Returns a new id of a span: 16 hexadecimal digits that are not all zero. */
export function randomSpanId(): string {
  if (usedDigits + SPAN_DIGITS > digits.length) {
    digits = randomDigits();
    usedDigits = 0;
  }
  const id = digits.slice(usedDigits, usedDigits + SPAN_DIGITS);
  usedDigits += SPAN_DIGITS;
  return id.startsWith('0000') && ZEROS.test(id) ? randomSpanId() : id;
}

function randomDigits(): string {
  for (let index = 0; index < numbers.length; index += 1) numbers[index] = Math.random() * TWO_32;
  return bytes.toString('hex');
}

const TRACE_DIGITS = 32;
const SPAN_DIGITS = 16;

/** Positions at which the ids in a value of `traceparent` begin and end. */
export const TRACE_ID_AT = 3;
export const TRACE_ID_END = 35;
export const SPAN_ID_AT = 36;
export const SPAN_ID_END = 52;

/** Length of a value of `traceparent`. */
const TRACEPARENT_LENGTH = 55;

let traceparents = '';
let usedTraceparents = 0;

/**
 * Returns the value of `traceparent` for a new trace that is not sampled, with its first span (W3C Trace Context, section 3.2). It is taken
 * from a long text, because joining its five strings for each request would allocate more and take longer.
 */
export function randomTraceparent(): string {
  if (usedTraceparents === traceparents.length) {
    traceparents = writeTraceparents();
    usedTraceparents = 0;
  }
  const begin = usedTraceparents;
  usedTraceparents += TRACEPARENT_LENGTH;
  return traceparents.slice(begin, usedTraceparents);
}

/** Writes values of `traceparent`, one after the other. */
function writeTraceparents(): string {
  const source = randomDigits();
  let text = '';
  for (let at = 0; at + TRACE_DIGITS + SPAN_DIGITS <= source.length; at += TRACE_DIGITS + SPAN_DIGITS) {
    const traceId = source.slice(at, at + TRACE_DIGITS);
    const spanId = source.slice(at + TRACE_DIGITS, at + TRACE_DIGITS + SPAN_DIGITS);
    if (!ZEROS.test(traceId) && !ZEROS.test(spanId)) text += `00-${traceId}-${spanId}-00`;
  }
  return text;
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
