import { OPERATION_SIZES, type OperationSize } from '../scale/new-operations.ts';
import type { Goal } from './goals.ts';

/**
 * Medians of the latency and of the CPU time of responses to new operations, by the size of the operations. A size is absent if the gateway
 * returned unexpected responses.
 */
export type FirstResponseFigures = Readonly<Partial<Record<`${OperationSize}${'Ms' | 'CpuMs'}`, number>>>;

/** Figures of one gateway with one supergraph. Absent values were not measured. */
export interface ScaleFigures extends FirstResponseFigures {
  readonly target: string;
  readonly size: string;
  readonly readyMs: number;
  readonly readyCpuMs: number;
  /** CPU time until the gateway is ready that finds no stored indexes. @defaultValue it stores none: `readyCpuMs` */
  readonly unstoredCpuMs?: number;
  readonly rssMb: number;
  readonly longestWaitMs?: number;
  /** Longest wait during a reload in which 100 used operations are planned again. */
  readonly usedWaitMs?: number;
  readonly reloadCpuMs?: number;
}

/** Planning time of all fields of an entity, each of another subgraph. */
export interface WidePlanFigures {
  readonly planner: string;
  readonly fields: number;
  /** Undefined if planning takes too long. @unit milliseconds */
  readonly planMs: number | undefined;
}

/** Bounds of one figure by size. */
type Bounds = readonly (readonly [size: string, bound: number])[];

const READY_MS: Bounds = [
  ['s200', 1_500],
  ['s500', 4_000],
];
const MEMORY_MB: Bounds = [
  ['s200', 300],
  ['s500', 800],
];
const WAIT_MS: Bounds = [['s200', 20]];
const RELOAD_CPU = 1.5;
/** Maximum first response as a fraction of the fastest gateway in JavaScript, with all supergraphs. */
const FIRST_BY_JAVASCRIPT = 0.9;
/** Maximum first response as a fraction of the fastest native router. */
const FIRST_BY_NATIVE = 1;
const SIZES_BY_NATIVE: ReadonlySet<string> = new Set(['s10', 's50']);
const NATIVE: ReadonlySet<string> = new Set(['hive-router', 'apollo-router']);
const EXPONENT = 1.1;
const WIDE_PLAN = '500 fields of 500 subgraphs: planned in ms';
const WIDE_PLAN_MS = 200;

/**
 * Returns the goals of the report on growth with the measured figures of the gateway.
 *
 * @param exponents growth exponents of the gateway by column; empty when only one size was measured
 */
export function classifyScale(
  rows: readonly ScaleFigures[],
  plans: readonly WidePlanFigures[],
  exponents: Readonly<Record<string, number>>,
): readonly Goal[] {
  const own = rows.filter(({ target }) => target === 'gatefold');
  const at = (size: string): ScaleFigures | undefined => own.find((row) => row.size === size);
  const bounded = (name: string, bounds: Bounds, read: (row: ScaleFigures) => number | undefined): readonly Goal[] =>
    bounds.map(([size, bound]) => {
      const row = at(size);
      return { name: `${size}: ${name}`, bound, measured: row && read(row) };
    });
  return [
    ...bounded('longest wait of others during a reload, ms', WAIT_MS, ({ longestWaitMs }) => longestWaitMs),
    ...bounded('the same with 100 used operations, ms', WAIT_MS, ({ usedWaitMs }) => usedWaitMs),
    ...bounded('ready in ms', READY_MS, ({ readyMs }) => readyMs),
    ...bounded('memory at ready, MB', MEMORY_MB, ({ rssMb }) => rssMb),
    ...own.map(({ size, reloadCpuMs, readyCpuMs, unstoredCpuMs = readyCpuMs }) => ({
      name: `${size}: CPU of a reload as a fraction of a start`,
      bound: RELOAD_CPU,
      measured: reloadCpuMs && reloadCpuMs / unstoredCpuMs,
    })),
    ...own.flatMap((row) => firstResponseGoals(row, rows)),
    {
      name: WIDE_PLAN,
      bound: WIDE_PLAN_MS,
      measured: plans.find(({ planner, fields }) => planner === 'gatefold' && fields === 500)?.planMs,
    },
    ...Object.entries(exponents).map(([column, measured]) => ({ name: `growth exponent of ${column}`, bound: EXPONENT, measured })),
  ];
}

function firstResponseGoals(own: ScaleFigures, rows: readonly ScaleFigures[]): readonly Goal[] {
  const peers = rows.filter(({ size, target }) => size === own.size && !target.startsWith('gatefold'));
  const native = peers.filter(({ target }) => NATIVE.has(target));
  const javascript = peers.filter(({ target }) => !NATIVE.has(target));
  const share = (column: keyof FirstResponseFigures, others: readonly ScaleFigures[]): number | undefined => {
    const fastest = Math.min(...others.flatMap((row) => row[column] ?? []));
    const value = own[column];
    return value === undefined || !Number.isFinite(fastest) ? undefined : value / fastest;
  };
  return OPERATION_SIZES.flatMap((kind) => {
    const subject = `${own.size}: first response, ${kind} operation`;
    const byJavaScript = {
      name: `${subject}, by the fastest in JavaScript`,
      bound: FIRST_BY_JAVASCRIPT,
      measured: share(`${kind}Ms`, javascript),
    };
    if (!SIZES_BY_NATIVE.has(own.size)) return [byJavaScript];
    return [
      byJavaScript,
      { name: `${subject}, by the fastest native router`, bound: FIRST_BY_NATIVE, measured: share(`${kind}Ms`, native) },
      { name: `${subject}, CPU by that of the fastest native router`, bound: FIRST_BY_NATIVE, measured: share(`${kind}CpuMs`, native) },
    ];
  });
}
