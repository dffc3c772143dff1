/** Position and reason of a JSON syntax error. Line and column start at 1. */
export interface JsonError {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

type Closer = '}' | ']';
type Expected = 'value' | 'value or "]"' | 'key' | 'key or "}"' | 'colon' | 'next';

interface Step {
  readonly index: number;
  readonly expected: Expected;
  readonly opens?: Closer;
  readonly closes?: true;
}

interface TokenError {
  readonly index: number;
  readonly issue: string;
}

const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\r\n]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Number of tokens that are read in one step. */
const TOKENS_PER_STEP = 5_000;

/** Finds the first syntax error of a text that `JSON.parse` rejected; undefined if the text is well-formed. */
export function locateJsonError(text: string): JsonError | undefined {
  const steps = locateJsonErrorInSteps(text);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/**
 * Finds the first syntax error of a long text, and yields after every few milliseconds. It is iterative, so the nesting depth is not
 * limited.
 */
export function* locateJsonErrorInSteps(text: string): Generator<undefined, JsonError | undefined, undefined> {
  const closers: Closer[] = [];
  let expected: Expected = 'value';
  let index = text.startsWith('\ufeff') ? 1 : 0;
  for (let tokens = 1; ; tokens += 1) {
    if (tokens % TOKENS_PER_STEP === 0) yield;
    index = skip(SPACE, text, index);
    const closer = closers.at(-1);
    if (expected === 'next' && closer === undefined)
      return index === text.length ? undefined : at(text, index, 'unexpected text after the value');
    if (index === text.length) return at(text, index, 'unexpected end of the text');
    const step = readToken(text, index, expected, closer);
    if ('issue' in step) return at(text, step.index, step.issue);
    if (step.opens !== undefined) closers.push(step.opens);
    if (step.closes === true) closers.pop();
    expected = step.expected;
    index = step.index;
  }
}

function readToken(text: string, index: number, expected: Expected, closer: Closer | undefined): Step | TokenError {
  const character = text.charAt(index);
  const next = index + 1;
  if (character === closer && expected !== 'value' && expected !== 'key' && expected !== 'colon')
    return { index: next, expected: 'next', closes: true };
  if (expected === 'colon') return character === ':' ? { index: next, expected: 'value' } : { index, issue: 'expected ":"' };
  if (expected === 'next') {
    return character === ','
      ? { index: next, expected: closer === '}' ? 'key' : 'value' }
      : { index, issue: `expected "," or "${closer}"` };
  }
  if (expected === 'key' || expected === 'key or "}"') {
    return character === '"' ? readString(text, index, 'colon') : { index, issue: 'expected a key in double quotes' };
  }
  if (character === '"') return readString(text, index, 'next');
  if (character === '{') return { index: next, expected: 'key or "}"', opens: '}' };
  if (character === '[') return { index: next, expected: 'value or "]"', opens: ']' };
  const end = skip(LITERAL, text, index);
  return end === index ? { index, issue: 'expected a value' } : { index: end, expected: 'next' };
}

function readString(text: string, start: number, expected: Expected): Step | TokenError {
  let index = start + 1;
  while (index < text.length) {
    const character = text.charCodeAt(index);
    if (character === 0x22) return { index: index + 1, expected };
    if (character < 0x20) return { index, issue: 'unescaped control character in a string' };
    const end = character === 0x5c ? skip(ESCAPE, text, index) : index + 1;
    if (end === index) return { index, issue: 'invalid escape sequence in a string' };
    index = end;
  }
  return { index, issue: 'unterminated string' };
}

function skip(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index;
  return pattern.test(text) ? pattern.lastIndex : index;
}

function at(text: string, index: number, message: string): JsonError {
  const before = text.slice(0, index);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { message, line: before.split('\n').length, column: index - lineStart + 1 };
}
