import { isEqualJson, jsonTypeOf } from '../json-values.ts';
import type { MethodCompiler } from './method-compiler.ts';

const eq: MethodCompiler =
  ({ args: [other] }) =>
  (input, root, run) => {
    const right = other?.(input, root, run);
    return right === undefined ? undefined : isEqualJson(input, right);
  };

const ne: MethodCompiler =
  ({ args: [other] }) =>
  (input, root, run) => {
    const right = other?.(input, root, run);
    return right === undefined ? undefined : !isEqualJson(input, right);
  };

/** Compares two numbers or two strings. */
function compareWith(name: string, decide: (order: number) => boolean): MethodCompiler {
  return ({ args: [other], report }) =>
    (input, root, run) => {
      const right = other?.(input, root, run);
      if (right === undefined) return undefined;
      if (typeof input === 'number' && typeof right === 'number') return decide(input - right);
      if (typeof input === 'string' && typeof right === 'string') return decide(input === right ? 0 : input < right ? -1 : 1);
      return report(run, `->${name} requires two numbers or two strings, not ${jsonTypeOf(input)} and ${jsonTypeOf(right)}`);
    };
}

/** Joins booleans. The arguments after the first one that decides are not evaluated, and other values than booleans do not count. */
function combine(name: string, decisive: boolean): MethodCompiler {
  return ({ args, report }) =>
    (input, root, run) => {
      if (typeof input !== 'boolean') return report(run, `->${name} requires a boolean, not ${jsonTypeOf(input)}`);
      if (input === decisive) return decisive;
      for (const argument of args) {
        const value = argument(input, root, run);
        if (value === undefined) return undefined;
        if (value === decisive) return decisive;
        if (typeof value !== 'boolean') report(run, `->${name} ignores an argument of type ${jsonTypeOf(value)}: it requires booleans`);
      }
      return !decisive;
    };
}

const not: MethodCompiler =
  ({ report }) =>
  (input, _root, run) =>
    typeof input === 'boolean' ? !input : report(run, `->not requires a boolean, not ${jsonTypeOf(input)}`);

/** Methods that return booleans. */
export const LOGIC_METHODS: Readonly<Record<string, MethodCompiler>> = {
  eq,
  ne,
  lt: compareWith('lt', (order) => order < 0),
  lte: compareWith('lte', (order) => order <= 0),
  gt: compareWith('gt', (order) => order > 0),
  gte: compareWith('gte', (order) => order >= 0),
  and: combine('and', false),
  or: combine('or', true),
  not,
};
