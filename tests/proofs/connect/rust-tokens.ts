/** A word of Rust source. `mark` denotes punctuation. */
export interface RustToken {
  readonly kind: 'name' | 'string' | 'number' | 'mark' | 'other';
  /** The content for strings, the source text otherwise. */
  readonly text: string;
  readonly line: number;
}

const IGNORED = /(?:\s+|\/\/[^\n]*|\/\*[^]*?\*\/)+/y;
const NAME = /(?:r#)?[A-Za-z_]\w*/y;
const NUMBER = /0x[\da-fA-F_]+|\d[\d_]*(?:\.\d[\d_]*|\.(?![.\w]))?(?:[eE][+-]?\d+)?(?:_?(?:[iuf]\d+|usize|isize))?/y;
const RAW_STRING = /b?r(#*)"([^]*?)"\1/y;
const STRING = /b?"((?:[^"\\]|\\[^])*)"/y;
const OTHER = /'(?:\\[^]|[^\\'])'|'[A-Za-z_]\w*/y;
const MARK = /\.\.\.|\.\.=|::|->|=>|\.\.|&&|\|\||==|!=|<=|>=|[^]/y;

/** Splits Rust source into words, as far as test modules need it. */
export function tokenizeRust(source: string): readonly RustToken[] {
  const tokens: RustToken[] = [];
  let offset = 0;
  let line = 1;
  function take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = offset;
    const match = expression.exec(source);
    if (match === null) return undefined;
    offset += match[0].length;
    return match;
  }
  while (offset < source.length) {
    const start = offset;
    const token = take(IGNORED) === undefined ? readToken(take) : undefined;
    if (token !== undefined) tokens.push({ ...token, line });
    line += source.slice(start, offset).split('\n').length - 1;
  }
  return tokens;
}

function readToken(take: (expression: RegExp) => RegExpExecArray | undefined): Omit<RustToken, 'line'> | undefined {
  const raw = take(RAW_STRING);
  if (raw !== undefined) return { kind: 'string', text: raw[2] ?? '' };
  const text = take(STRING);
  if (text !== undefined) return { kind: 'string', text: unescapeRust(text[1] ?? '') };
  const kinds = [
    ['name', NAME],
    ['number', NUMBER],
    ['other', OTHER],
    ['mark', MARK],
  ] as const;
  for (const [kind, expression] of kinds) {
    const match = take(expression);
    if (match !== undefined) return { kind, text: match[0] };
  }
  return undefined;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '0': '\0' };

function unescapeRust(content: string): string {
  return content.replaceAll(/\\(\n\s*|u\{([0-9a-fA-F_]+)\}|x[0-9a-fA-F]{2}|[^])/g, (_escape, code: string, point?: string) => {
    if (code.startsWith('\n')) return '';
    if (point !== undefined) return String.fromCodePoint(Number.parseInt(point.replaceAll('_', ''), 16));
    if (code.length > 1) return String.fromCodePoint(Number.parseInt(code.slice(1), 16));
    return ESCAPES[code] ?? code;
  });
}
