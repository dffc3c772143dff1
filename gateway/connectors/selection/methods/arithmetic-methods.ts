import type { MethodCompiler } from './method-compiler.ts';

/** Combines the input with each argument in turn. */
function calculateWith(name: string, calculate: (left: number, right: number) => number): MethodCompiler {
  return ({ args, report }) =>
    (input, root, run) => {
      if (typeof input !== 'number') return report(run, `->${name} requires numbers`);
      let result = input;
      for (const argument of args) {
        const value = argument(input, root, run);
        if (typeof value !== 'number') return report(run, `->${name} requires numbers`);
        result = calculate(result, value);
      }
      return Number.isFinite(result) ? result : report(run, `->${name}: the result is not a finite number`);
    };
}

/** Methods of numbers. */
export const ARITHMETIC_METHODS: Readonly<Record<string, MethodCompiler>> = {
  add: calculateWith('add', (left, right) => left + right),
  sub: calculateWith('sub', (left, right) => left - right),
  mul: calculateWith('mul', (left, right) => left * right),
  div: calculateWith('div', (left, right) => left / right),
  mod: calculateWith('mod', (left, right) => left % right),
};
