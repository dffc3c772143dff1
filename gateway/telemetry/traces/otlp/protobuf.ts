/** Writes fields of messages in the binary encoding of Protocol Buffers (https://protobuf.dev/programming-guides/encoding). */

const VARINT = 0;
const FIXED_64 = 1;
const LENGTH_DELIMITED = 2;

/** Returns the tag with which a field begins. */
function tagOf(field: number, wireType: number): Uint8Array {
  return varintOf(field * 8 + wireType);
}

/** Returns a variable-length integer. Negative numbers have ten bytes, as the types `int32` and `int64` require. */
function varintOf(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

/** Returns a field with an integer, a boolean or a value of an enumeration. */
export function integerField(field: number, value: number): Uint8Array {
  return Buffer.concat([tagOf(field, VARINT), varintOf(value)]);
}

/** Returns a field with a floating-point number. */
export function doubleField(field: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return Buffer.concat([tagOf(field, FIXED_64), bytes]);
}

/** Returns a field with a text. */
export function textField(field: number, text: string): Uint8Array {
  return bytesField(field, Buffer.from(text, 'utf8'));
}

/** Returns a field with bytes or with a message. */
export function bytesField(field: number, ...contents: readonly Uint8Array[]): Uint8Array {
  const length = contents.reduce((sum, content) => sum + content.length, 0);
  return Buffer.concat([headOf(field, length), ...contents]);
}

/** Returns what precedes bytes or a message: the tag and the length. */
export function headOf(field: number, length: number): Uint8Array {
  return Buffer.concat([tagOf(field, LENGTH_DELIMITED), varintOf(length)]);
}
