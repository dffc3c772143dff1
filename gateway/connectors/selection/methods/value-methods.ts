import { isEqualJson, isJsonObject, jsonTypeOf } from '../json-values.ts';
import type { MatchPair, MethodCompiler } from './method-compiler.ts';

const echo: MethodCompiler =
  ({ args: [value] }) =>
  (input, root, run) =>
    value?.(input, root, run);

const typeOf: MethodCompiler = () => (input) => jsonTypeOf(input);

const match: MethodCompiler = ({ pairs, report }) => {
  // Literals at the start are found in a map. They are the whole list in the usual mapping of codes to names.
  const literals = new Map<unknown, MatchPair>();
  let count = 0;
  for (const pair of pairs) {
    if (pair.literal === undefined) break;
    if (!literals.has(pair.literal)) literals.set(pair.literal, pair);
    count += 1;
  }
  const others = pairs.slice(count);
  return (input, root, run) => {
    const found = literals.get(input);
    if (found !== undefined) return found.value === undefined ? found.result(input, root, run) : found.value;
    for (const { candidate, result } of others) {
      if (candidate === undefined || isEqualJson(candidate(input, root, run), input)) return result(input, root, run);
    }
    return report(run, '->match has no pair for the value: add [@, default] as the last pair');
  };
};

const matchIf: MethodCompiler =
  ({ pairs, report }) =>
  (input, root, run) => {
    for (const { candidate: condition, result } of pairs) {
      if (condition === undefined || condition(input, root, run) === true) return result(input, root, run);
    }
    return report(run, '->matchIf has no pair with a true condition: add [true, default] as the last pair');
  };

const size: MethodCompiler =
  ({ report }) =>
  (input, _root, run) => {
    if (Array.isArray(input)) return input.length;
    if (typeof input === 'string') return input.length;
    if (isJsonObject(input)) return Object.keys(input).length;
    return report(run, `->size requires an array, a string or an object, not ${jsonTypeOf(input)}`);
  };

const entries: MethodCompiler =
  ({ report }) =>
  (input, _root, run) => {
    if (isJsonObject(input)) return Object.entries(input).map(([key, value]) => ({ key, value }));
    return report(run, `->entries requires an object, not ${jsonTypeOf(input)}`);
  };

const keys: MethodCompiler =
  ({ report }) =>
  (input, _root, run) =>
    isJsonObject(input) ? Object.keys(input) : report(run, `->keys requires an object, not ${jsonTypeOf(input)}`);

const values: MethodCompiler =
  ({ report }) =>
  (input, _root, run) =>
    isJsonObject(input) ? Object.values(input) : report(run, `->values requires an object, not ${jsonTypeOf(input)}`);

const has: MethodCompiler =
  ({ args: [name] }) =>
  (input, root, run) => {
    const key = name?.(input, root, run);
    if (key === undefined) return undefined;
    if (isJsonObject(input)) return typeof key === 'string' && Object.hasOwn(input, key);
    if (typeof input !== 'string' && !Array.isArray(input)) return false;
    return typeof key === 'number' && Number.isInteger(key) && key < input.length && key >= -input.length;
  };

const get: MethodCompiler =
  ({ args: [argument], report }) =>
  (input, root, run) => {
    const key = argument?.(input, root, run);
    if (key === undefined) return undefined;
    if (isJsonObject(input)) {
      if (typeof key !== 'string') return report(run, `->get of an object requires the name of a property, not ${jsonTypeOf(key)}`);
      return Object.hasOwn(input, key) ? input[key] : report(run, `->get: the object has no property ${JSON.stringify(key)}`);
    }
    if (typeof input !== 'string' && !Array.isArray(input)) {
      return report(run, `->get requires an array, a string or an object, not ${jsonTypeOf(input)}`);
    }
    const type = jsonTypeOf(input);
    if (typeof key !== 'number' || !Number.isInteger(key)) {
      return report(run, `->get of a value of type ${type} requires a whole number, not ${jsonTypeOf(key)}`);
    }
    const found: unknown = input.at(key);
    const range = `a value of type ${type} with length ${String(input.length)}`;
    return found === undefined ? report(run, `->get: index ${String(key)} is outside of ${range}`) : found;
  };

const jsonStringify: MethodCompiler =
  ({ report }) =>
  (input, _root, run) => {
    try {
      return JSON.stringify(input);
    } catch {
      return report(run, '->jsonStringify: the value is too large or nested too deeply');
    }
  };

const jsonParse: MethodCompiler =
  ({ report }) =>
  (input, _root, run) => {
    if (typeof input !== 'string') return report(run, `->jsonParse requires a string, not ${jsonTypeOf(input)}`);
    try {
      return JSON.parse(input) as unknown;
    } catch {
      return report(run, '->jsonParse: the string is not JSON');
    }
  };

/** Methods of values of several types. */
export const VALUE_METHODS: Readonly<Record<string, MethodCompiler>> = {
  echo,
  typeof: typeOf,
  match,
  matchIf,
  size,
  entries,
  keys,
  values,
  has,
  get,
  jsonStringify,
  jsonParse,
};
