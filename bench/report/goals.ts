import type { OperationName } from '../graph/operations.ts';
import type { TargetName } from '../targets/target.ts';
import type { Figures, Medians } from './medians.ts';

/** A measured figure and its upper bound. */
export interface Goal {
  readonly name: string;
  /** Maximum value. */
  readonly bound: number;
  /** Undefined when a required figure was not measured. */
  readonly measured: number | undefined;
}

export interface RunFigures {
  /** Figures with 32 clients and subgraphs without delay. */
  readonly loaded: Figures;
  /** Figures with one client and delayed subgraphs. */
  readonly delayed: Figures;
}

/** The only gateway of the table that is not written in JavaScript. */
export const NATIVE_PEER: TargetName = 'grafbase';

/** Maximum CPU time as a fraction of that of another target. */
const SHARES: readonly (readonly [OperationName, TargetName, TargetName, number])[] = [
  ['big', 'gatefold', 'stock', 1 / 18],
  ['big', 'gatefold', NATIVE_PEER, 0.7],
  ['medium', 'gatefold', 'stock', 1 / 11],
  ['medium', 'gatefold', NATIVE_PEER, 1.1],
  ['tiny', 'gatefold', 'stock', 1 / 10],
  ['tiny', 'gatefold', NATIVE_PEER, 0.9],
  ...(['unique', 'literals', 'mixed'] as const).flatMap((operation) => [
    [operation, 'gatefold', 'stock', 1 / 18] as const,
    [operation, 'gatefold', NATIVE_PEER, 0.8] as const,
  ]),
  ...(['big', 'medium', 'tiny', 'unique', 'literals', 'mixed'] as const).map(
    (operation) => [operation, 'gatefold', 'floor-merged', 1.25] as const,
  ),
  ['big', 'gatefold-apollo', 'stock', 1 / 14],
];

const COMPARED: ReadonlySet<TargetName> = new Set(['gatefold-before', ...SHARES.flatMap(([, one, other]) => [one, other])]);

/** Whether any goal refers to a target. */
export function isCompared(target: TargetName): boolean {
  return COMPARED.has(target);
}

const ALL: readonly OperationName[] = ['big', 'medium', 'tiny', 'unique', 'literals', 'mixed'];

/** Returns every goal with its measured figure. */
export function classify({ loaded, delayed }: RunFigures): readonly Goal[] {
  const cpuShare = (operation: OperationName, one: TargetName, other: TargetName) =>
    quotient(loaded.find(one, operation)?.cpuMs, loaded.find(other, operation)?.cpuMs);
  const tail = ({ p99Ms, p50Ms }: Medians) => p99Ms / p50Ms;
  return [
    ...SHARES.map(([operation, one, other, bound]) => ({
      name: `${operation}: CPU of ${one} as a fraction of ${other}`,
      bound,
      measured: cpuShare(operation, one, other),
    })),
    ...ALL.map((operation) => ({
      name: `${operation}: p50 as a fraction of stock, subgraphs with 5 ms delay`,
      bound: 1.05,
      measured: quotient(delayed.find('gatefold', operation)?.p50Ms, delayed.find('stock', operation)?.p50Ms),
    })),
    ...ALL.map((operation) => ({
      name: `${operation}: p99 over p50, 32 clients`,
      bound: 3,
      measured: apply(loaded.find('gatefold', operation), tail),
    })),
    { name: 'ready in ms', bound: 1_000, measured: loaded.readyMs('gatefold') },
    { name: 'big: memory under load, MB', bound: 200, measured: loaded.find('gatefold', 'big')?.rssMb },
  ];
}

function quotient(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one / other;
}

function apply<T>(value: T | undefined, read: (value: T) => number): number | undefined {
  return value === undefined ? undefined : read(value);
}

/** Returns the goals of a change: each load takes at most 3 % more CPU time and 5 % more memory than before. */
export function classifyChange({ loaded }: RunFigures): readonly Goal[] {
  return ALL.flatMap((operation) => {
    const [after, before] = [loaded.find('gatefold', operation), loaded.find('gatefold-before', operation)];
    const cpu = loaded.cpuQuotient(operation, 'gatefold', 'gatefold-before');
    return [
      { name: `${operation}: CPU as a fraction of the CPU before`, bound: 1.03, measured: cpu },
      { name: `${operation}: memory as a fraction of the memory before`, bound: 1.05, measured: quotient(after?.rssMb, before?.rssMb) },
    ];
  });
}

/** Whether a goal is reached; undefined when it was not measured. */
export function isReached({ measured, bound }: Goal): boolean | undefined {
  return measured === undefined ? undefined : measured <= bound;
}
