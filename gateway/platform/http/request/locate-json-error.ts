/** Position and reason of a JSON syntax error. Line and column start at 1. */
export interface JsonFault {
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

interface Fault {
  readonly index: number;
  readonly fault: string;
}

const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const SPACE = /[ \t\r\n]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Number of tokens that are read in one step. */
const TOKENS_PER_STEP = 5_000;

/** Finds the first syntax error of a text that `JSON.parse` rejected; undefined if the text is well-formed. */
export function locateJsonFault(text: string): JsonFault | undefined {
  const steps = locateJsonFaultInSteps(text);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/**
 * Finds the first syntax error of a long text, and yields after every few milliseconds. It is iterative, so the nesting depth is not
 * limited.
 */
export function* locateJsonFaultInSteps(text: string): Generator<undefined, JsonFault | undefined, undefined> {
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
    if ('fault' in step) return at(text, step.index, step.fault);
    if (step.opens !== undefined) closers.push(step.opens);
    if (step.closes === true) closers.pop();
    expected = step.expected;
    index = step.index;
  }
}

function readToken(text: string, index: number, expected: Expected, closer: Closer | undefined): Step | Fault {
  const character = text.charAt(index);
  const next = index + 1;
  if (character === closer && expected !== 'value' && expected !== 'key' && expected !== 'colon')
    return { index: next, expected: 'next', closes: true };
  if (expected === 'colon') return character === ':' ? { index: next, expected: 'value' } : { index, fault: 'expected ":"' };
  if (expected === 'next') {
    return character === ','
      ? { index: next, expected: closer === '}' ? 'key' : 'value' }
      : { index, fault: `expected "," or "${closer}"` };
  }
  if (expected === 'key' || expected === 'key or "}"') {
    return character === '"' ? readString(text, index, 'colon') : { index, fault: 'expected a key in double quotes' };
  }
  if (character === '"') return readString(text, index, 'next');
  if (character === '{') return { index: next, expected: 'key or "}"', opens: '}' };
  if (character === '[') return { index: next, expected: 'value or "]"', opens: ']' };
  const end = skip(LITERAL, text, index);
  return end === index ? { index, fault: 'expected a value' } : { index: end, expected: 'next' };
}

function readString(text: string, start: number, expected: Expected): Step | Fault {
  let index = start + 1;
  while (index < text.length) {
    const character = text.charCodeAt(index);
    if (character === 0x22) return { index: index + 1, expected };
    if (character < 0x20) return { index, fault: 'unescaped control character in a string' };
    const end = character === 0x5c ? skip(ESCAPE, text, index) : index + 1;
    if (end === index) return { index, fault: 'invalid escape sequence in a string' };
    index = end;
  }
  return { index, fault: 'unterminated string' };
}

function skip(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index;
  return pattern.test(text) ? pattern.lastIndex : index;
}

function at(text: string, index: number, message: string): JsonFault {
  const before = text.slice(0, index);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { message, line: before.split('\n').length, column: index - lineStart + 1 };
}
