import { isJsonObject, jsonTypeOf, setOwnProperty } from '../json-values.ts';
import { MAX_DATA_DEPTH } from '../mapping-limits.ts';
import type { MethodCompiler } from './method-compiler.ts';

const toText: MethodCompiler =
  ({ report }) =>
  (input, _root, run) => {
    if (input === null) return '';
    if (typeof input === 'object') return report(run, `->toString requires a scalar, not ${jsonTypeOf(input)}: use ->jsonStringify`);
    return typeof input === 'string' ? input : JSON.stringify(input);
  };

/** A whole number in base 10. */
const DECIMAL = /^[+-]?\d+$/;

const parseInteger: MethodCompiler =
  ({ args: [base], report }) =>
  (input, root, run) => {
    const radix = base === undefined ? 10 : base(input, root, run);
    if (typeof radix !== 'number' || !Number.isInteger(radix) || radix < 2 || radix > 36) {
      return report(run, '->parseInt requires a base from 2 to 36');
    }
    if (typeof input !== 'string' && typeof input !== 'number') {
      return report(run, `->parseInt requires a string or a number, not ${jsonTypeOf(input)}`);
    }
    const text = String(typeof input === 'number' ? Math.trunc(input) : input);
    if (radix === 10 && DECIMAL.test(text)) return Number.parseInt(text, 10);
    const digits = /^[+-]?([0-9a-z]+)$/i.exec(text)?.[1] ?? '';
    const valid =
      digits !== '' &&
      digits
        .toLowerCase()
        .split('')
        .every((digit) => Number.parseInt(digit, 36) < radix);
    return valid ? Number.parseInt(text, radix) : report(run, `->parseInt: the value is not a whole number in base ${String(radix)}`);
  };

const split: MethodCompiler =
  ({ args: [separator, limit], report }) =>
  (input, root, run) => {
    const glue = separator?.(input, root, run);
    const count = limit?.(input, root, run);
    if (typeof input !== 'string' || typeof glue !== 'string') return report(run, '->split requires a string and a separator');
    if (limit !== undefined && (typeof count !== 'number' || !Number.isInteger(count) || count < 0)) {
      return report(run, '->split requires a limit that is a whole number, 0 or more');
    }
    const parts = glue === '' ? Array.from(input) : input.split(glue);
    return typeof count === 'number' ? parts.slice(0, count) : parts;
  };

function trimWith(name: string, trim: (text: string) => string): MethodCompiler {
  return ({ report }) =>
    (input, _root, run) =>
      typeof input === 'string' ? trim(input) : report(run, `->${name} requires a string, not ${jsonTypeOf(input)}`);
}

const keysToCamelCase: MethodCompiler =
  ({ report }) =>
  (input, _root, run) =>
    isJsonObject(input) ? camelKeys(input) : report(run, `->keysToCamelCase requires an object, not ${jsonTypeOf(input)}`);

const keysToCamelCaseDeep: MethodCompiler = () => (input) => camelKeysDeep(input, 0);

function camelKeys(input: Readonly<Record<string, unknown>>, convert = (value: unknown): unknown => value): unknown {
  const output: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(input)) setOwnProperty(output, camelCase(key), convert(value));
  return output;
}

function camelKeysDeep(value: unknown, depth: number): unknown {
  if (depth > MAX_DATA_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => camelKeysDeep(item, depth + 1));
  return isJsonObject(value) ? camelKeys(value, (child) => camelKeysDeep(child, depth + 1)) : value;
}

/** Converts `PascalCase`, `snake_case` and `SCREAMING_SNAKE_CASE`. Underscores at the start remain. */
function camelCase(key: string): string {
  const [prefix] = /^_*/.exec(key) ?? [''];
  const words = key.slice(prefix.length).split('_').filter(Boolean);
  const isUpper = !/[a-z]/.test(key);
  const plain = words.map((word) => (isUpper ? word.toLowerCase() : word));
  const joined = plain.map((word, index) => (index === 0 ? lowerStart(word) : word.slice(0, 1).toUpperCase() + word.slice(1)));
  return prefix + joined.join('');
}

/** Lowers the first letter, or all letters of an abbreviation at the start: `URLPath` becomes `urlPath`. */
function lowerStart(word: string): string {
  return word.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+$|^[A-Z]/, (start) => start.toLowerCase());
}

/** Methods of strings, and those that rename keys. */
export const TEXT_METHODS: Readonly<Record<string, MethodCompiler>> = {
  toString: toText,
  parseInt: parseInteger,
  split,
  trim: trimWith('trim', (text) => text.trim()),
  trimStart: trimWith('trimStart', (text) => text.trimStart()),
  trimEnd: trimWith('trimEnd', (text) => text.trimEnd()),
  keysToCamelCase,
  keysToCamelCaseDeep,
};
