import type { ConnectVersion } from '../connect-version.ts';
import { MappingSyntaxError } from './mapping-syntax-error.ts';

/** A word of a mapping. `end` follows the last one. */
export interface MappingToken {
  readonly kind: 'name' | 'string' | 'number' | 'variable' | 'mark' | 'end';
  /** Name, content of a string, digits of a number, variable with dollar sign, or the punctuation itself. */
  readonly text: string;
  readonly offset: number;
}

/** Whitespace, commas excluded, and comments. */
const IGNORED = /(?:[ \t\r\n\uFEFF]|#[^\n]*)*/y;
const NAME = /[A-Za-z_][0-9A-Za-z_]*/y;
const NUMBER = /(?:[0-9]+(?:\.(?!\.)[0-9]*)?|\.[0-9]+)/y;
const EXPONENT = /[eE][+-]?[0-9]+/y;
const MARK = /\.\.\.|->|\?\?|\?!|[{}()[\],:.?$@-]/y;

/**
 * Splits a mapping into words. Comments start with `#` and end with the line.
 *
 * @throws {MappingSyntaxError} for a character that no word starts with, or a string without an end
 */
export function tokenizeMapping(text: string, version: ConnectVersion): readonly MappingToken[] {
  const tokens: MappingToken[] = [];
  const isJson = version === '0.4';
  let offset = 0;

  /** Returns what the expression matches at the offset, and moves behind it. */
  function take(expression: RegExp): string | undefined {
    expression.lastIndex = offset;
    const match = expression.exec(text)?.[0];
    if (match !== undefined) offset += match.length;
    return match;
  }

  function readToken(start: number): MappingToken {
    const character = text[start];
    if (character === '"' || character === "'") {
      const end = endOfString(text, start, character);
      offset = end + 1;
      return { kind: 'string', text: unescapeString(text.slice(start + 1, end), isJson, start), offset: start };
    }
    const name = take(NAME);
    if (name !== undefined) return { kind: 'name', text: name, offset: start };
    const digits = take(NUMBER);
    if (digits !== undefined) return { kind: 'number', text: digits + ((isJson && take(EXPONENT)) || ''), offset: start };
    const mark = take(MARK);
    if (mark === undefined) {
      const shown = String.fromCodePoint(text.codePointAt(start) ?? 0);
      throw new MappingSyntaxError(`Unexpected character ${JSON.stringify(shown)}: write names with other characters in quotes`, start);
    }
    if (mark !== '$') return { kind: 'mark', text: mark, offset: start };
    const variable = take(NAME);
    return variable === undefined ? { kind: 'mark', text: '$', offset: start } : { kind: 'variable', text: `$${variable}`, offset: start };
  }

  for (;;) {
    take(IGNORED);
    if (offset >= text.length) break;
    tokens.push(readToken(offset));
  }
  tokens.push({ kind: 'end', text: '', offset: text.length });
  return tokens;
}

function endOfString(text: string, start: number, quote: string): number {
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === quote) return index;
  }
  throw new MappingSyntaxError(`The string that starts here has no end: expected another ${quote}`, start);
}

const JSON_ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '/': '/' };

/** Replaces escapes. Before version 0.4, only quotes and backslashes are escaped; all other backslashes are characters. */
function unescapeString(content: string, isJson: boolean, offset: number): string {
  if (!content.includes('\\')) return content;
  return content.replaceAll(/\\(u[0-9a-fA-F]{4}|[^])/g, (escape: string, code: string) => {
    if (code === '"' || code === "'" || code === '\\') return code;
    if (!isJson) return escape;
    if (code.length > 1) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    const character = JSON_ESCAPES[code];
    if (character === undefined) throw new MappingSyntaxError(`The string that starts here has an unknown escape: ${escape}`, offset);
    return character;
  });
}
