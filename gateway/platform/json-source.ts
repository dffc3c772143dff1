/** JSON text that is searched and parsed in slices. Indices count UTF-16 code units of a text, or bytes of UTF-8. */
export interface JsonSource {
  readonly length: number;
  /** Returns the code at an index. Characters that separate values are ASCII, so their codes are the same in both. */
  codeAt(index: number): number;
  /** Returns the index of the quote that closes the string at `start`; the length if the string is not closed. */
  endOfString(start: number): number;
  slice(from: number, to?: number): string;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Text as a source of JSON. */
export class JsonText implements JsonSource {
  readonly length: number;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
    this.length = text.length;
  }

  codeAt(index: number): number {
    return this.text.charCodeAt(index);
  }

  endOfString(start: number): number {
    return endOfJsonString(this.text, start);
  }

  slice(from: number, to?: number): string {
    return this.text.slice(from, to);
  }
}

/** Number of bytes of a string that are compared one by one. For longer strings, a call of the search of Node.js takes less time. */
const SHORT_STRING = 64;

/**
 * Bytes of a text as a source of JSON. A slice is decoded when it is parsed. Decoding a long text as a whole blocks the event loop, because
 * it needs new memory of the same size: 170 ms for 50 MB.
 */
export class JsonBytes implements JsonSource {
  readonly length: number;
  private readonly bytes: Buffer;
  private readonly encoding: 'latin1' | 'utf8';

  /** @param bytes valid UTF-8 @param isAscii whether the text contains only ASCII characters */
  constructor(bytes: Buffer, isAscii: boolean) {
    this.bytes = bytes;
    this.length = bytes.length;
    this.encoding = isAscii ? 'latin1' : 'utf8';
  }

  codeAt(index: number): number {
    return this.bytes[index] ?? Number.NaN;
  }

  endOfString(start: number): number {
    const { bytes, length } = this;
    const end = Math.min(length, start + SHORT_STRING);
    let index = start + 1;
    while (index < end) {
      const code = bytes[index];
      if (code === QUOTE) return index;
      index += code === BACKSLASH ? 2 : 1;
    }
    if (index >= length) return length;
    for (let quote = bytes.indexOf(QUOTE, index); quote !== -1; quote = bytes.indexOf(QUOTE, quote + 1)) {
      let backslashes = 0;
      while (quote - 1 - backslashes >= index && bytes[quote - 1 - backslashes] === BACKSLASH) backslashes += 1;
      if (backslashes % 2 === 0) return quote;
    }
    return length;
  }

  slice(from: number, to?: number): string {
    return this.bytes.toString(this.encoding, from, to);
  }

  /** Returns whether any of the ASCII texts occurs between two indices. */
  includesAny(searched: readonly string[], from: number, to: number): boolean {
    const part = this.bytes.subarray(from, to);
    return searched.some((text) => part.includes(text, 0, 'latin1'));
  }
}

/** Returns the index of the quote that closes the string at `start`; the length of the text if the string is not closed. */
export function endOfJsonString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote !== -1) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote;
    quote = text.indexOf('"', quote + 1);
  }
  return text.length;
}
