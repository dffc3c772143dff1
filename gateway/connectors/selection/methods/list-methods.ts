import { isEqualJson, jsonTypeOf } from '../json-values.ts';
import type { MethodCompiler } from './method-compiler.ts';

const map: MethodCompiler =
  ({ args: [value] }) =>
  (input, root, run) =>
    (Array.isArray(input) ? input : [input]).map((item, index) => value?.(item, root, run, index) ?? null);

const filter: MethodCompiler =
  ({ args: [condition], report }) =>
  (input, root, run) => {
    const output: unknown[] = [];
    for (const [index, item] of (Array.isArray(input) ? input : [input]).entries()) {
      const result = condition?.(item, root, run, index);
      if (result === true) output.push(item);
      else if (result !== false) return report(run, `->filter requires a condition that is true or false, not ${jsonTypeOf(result)}`);
    }
    return output;
  };

const find: MethodCompiler =
  ({ args: [condition], report }) =>
  (input, root, run) => {
    for (const [index, item] of (Array.isArray(input) ? input : [input]).entries()) {
      const result = condition?.(item, root, run, index);
      if (result === true) return item;
      if (result !== false) return report(run, `->find requires a condition that is true or false, not ${jsonTypeOf(result)}`);
    }
    return undefined;
  };

const first: MethodCompiler = () => (input) => {
  if (Array.isArray(input)) return input[0] as unknown;
  return typeof input === 'string' ? input.slice(0, 1) || undefined : input;
};

const last: MethodCompiler = () => (input) => {
  if (Array.isArray(input)) return input.at(-1) as unknown;
  return typeof input === 'string' ? input.slice(-1) || undefined : input;
};

const slice: MethodCompiler = ({ args: [start, end], literals, report }) => {
  const isFixed = literals.every((literal) => literal !== undefined);
  const [fixedStart, fixedEnd] = [startOf(literals[0]), endOf(literals[1])];
  return (input, root, run) => {
    if (typeof input !== 'string' && !Array.isArray(input)) {
      return report(run, `->slice requires an array or a string, not ${jsonTypeOf(input)}`);
    }
    if (isFixed) return input.slice(fixedStart, fixedEnd);
    return input.slice(startOf(start?.(input, root, run)), endOf(end?.(input, root, run)));
  };
};

function startOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function endOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

const isIn: MethodCompiler =
  ({ args, report }) =>
  (input, root, run) => {
    const values = args.map((argument) => argument(input, root, run));
    if (values.includes(undefined)) return undefined;
    const [list] = values;
    const candidates = values.length === 1 && Array.isArray(list) ? list : values;
    if (values.length === 1 && candidates === values) {
      return report(run, `->in requires an array, or two or more values, not ${jsonTypeOf(list)}`);
    }
    return candidates.some((candidate) => isEqualJson(candidate, input));
  };

const contains: MethodCompiler =
  ({ args: [value], report }) =>
  (input, root, run) => {
    if (!Array.isArray(input)) return report(run, `->contains requires an array, not ${jsonTypeOf(input)}`);
    const wanted = value?.(input, root, run);
    if (wanted === undefined) return undefined;
    return input.some((item) => isEqualJson(item, wanted));
  };

const joinNotNull: MethodCompiler =
  ({ args: [separator], report }) =>
  (input, root, run) => {
    const glue = separator?.(input, root, run);
    if (typeof glue !== 'string') return report(run, '->joinNotNull requires a separator that is a string');
    let text: string | undefined;
    for (const item of Array.isArray(input) ? (input as readonly unknown[]) : [input]) {
      if (item === null) continue;
      if (typeof item === 'object') return report(run, `->joinNotNull requires an array of scalars, not of ${jsonTypeOf(item)}`);
      const part = typeof item === 'string' ? item : JSON.stringify(item);
      text = text === undefined ? part : text + glue + part;
    }
    return text ?? '';
  };

/** Methods of lists. */
export const LIST_METHODS: Readonly<Record<string, MethodCompiler>> = {
  map,
  filter,
  find,
  first,
  last,
  slice,
  in: isIn,
  contains,
  joinNotNull,
};
