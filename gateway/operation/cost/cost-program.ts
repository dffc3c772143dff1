import { amountAt, type CostValues, type Size } from './list-size.ts';

/** A part of a cost: a constant, plus the result of a step that depends on the request. */
export interface Amount {
  readonly constant: number;
  /** Index of the step; undefined when the amount is the same for all requests. */
  readonly step?: number;
}

/** Sum of a constant and of earlier steps, multiplied by a factor. */
interface Step {
  readonly constant: number;
  readonly steps: readonly number[];
  readonly factor: Size;
}

/** A list of steps. Each step is computed once per request, in order, even if several amounts refer to it. */
export interface CostProgram {
  sum(amounts: readonly Amount[]): Amount;
  times(amount: Amount, factor: Size): Amount;
  /** Returns a function that computes the amount. */
  finish(total: Amount): (values: CostValues) => number;
}

/** Maximum cost. Fragments that repeatedly double their cost would overflow any number, so costs are capped here. */
export const MAX_COST = Number.MAX_SAFE_INTEGER;

export const NOTHING: Amount = { constant: 0 };
export const ONE: Amount = { constant: 1 };

export function amountOf(constant: number): Amount {
  return { constant };
}

export function createCostProgram(): CostProgram {
  const program: Step[] = [];

  function add(step: Step): Amount {
    program.push(step);
    return { constant: 0, step: program.length - 1 };
  }

  return {
    sum(amounts) {
      const constant = saturate(amounts.reduce((total, amount) => total + amount.constant, 0));
      const steps = amounts.flatMap(({ step }) => step ?? []);
      if (steps.length > 1) return { ...add({ constant: 0, steps, factor: 1 }), constant };
      return steps[0] === undefined ? { constant } : { constant, step: steps[0] };
    },
    times({ constant, step }, factor) {
      if (factor === 1) return step === undefined ? { constant } : { constant, step };
      if (step === undefined && typeof factor === 'number') return { constant: saturate(constant * factor) };
      return add({ constant, steps: step === undefined ? [] : [step], factor });
    },
    finish({ constant, step }) {
      if (step === undefined) return () => constant;
      return (values) => {
        const results: number[] = [];
        for (const { constant: own, steps, factor } of program) {
          let sum = own;
          for (const before of steps) sum += results[before] ?? 0;
          results.push(saturate(sum * amountAt(factor, values)));
        }
        return saturate(constant + (results[step] ?? 0));
      };
    },
  };
}

function saturate(cost: number): number {
  return Math.min(cost, MAX_COST);
}
