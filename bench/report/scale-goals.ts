import type { Goal } from './goals.ts';

/** Figures of one gateway with one supergraph. Absent values were not measured. */
export interface ScaleFigures {
  readonly target: string;
  readonly size: string;
  readonly readyMs: number;
  readonly readyCpuMs: number;
  /** CPU time until the gateway is ready that finds no stored indexes. @defaultValue it stores none: `readyCpuMs` */
  readonly unstoredCpuMs?: number;
  readonly rssMb: number;
  readonly firstMs: number;
  readonly longestWaitMs?: number;
  readonly reloadCpuMs?: number;
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
const FIRST_SHARE = 0.9;
const EXPONENT = 1.1;

/**
 * Returns the goals of the report on growth with the measured figures of the gateway.
 *
 * @param exponents growth exponents of the gateway by column; empty when only one size was measured
 */
export function classifyScale(rows: readonly ScaleFigures[], exponents: Readonly<Record<string, number>>): readonly Goal[] {
  const own = rows.filter(({ target }) => target === 'gatefold');
  const at = (size: string): ScaleFigures | undefined => own.find((row) => row.size === size);
  const bounded = (name: string, bounds: Bounds, read: (row: ScaleFigures) => number | undefined): readonly Goal[] =>
    bounds.map(([size, bound]) => {
      const row = at(size);
      return { name: `${size}: ${name}`, bound, measured: row && read(row) };
    });
  return [
    ...bounded('longest wait of others during a reload, ms', WAIT_MS, ({ longestWaitMs }) => longestWaitMs),
    ...bounded('ready in ms', READY_MS, ({ readyMs }) => readyMs),
    ...bounded('memory at ready, MB', MEMORY_MB, ({ rssMb }) => rssMb),
    ...own.flatMap(({ size, reloadCpuMs, readyCpuMs, unstoredCpuMs = readyCpuMs, firstMs }) => {
      const fastest = Math.min(...rows.filter((row) => row.size === size && isPeer(row)).map((row) => row.firstMs));
      return [
        {
          name: `${size}: CPU of a reload as a fraction of a start`,
          bound: RELOAD_CPU,
          measured: reloadCpuMs && reloadCpuMs / unstoredCpuMs,
        },
        {
          name: `${size}: first response as a fraction of the fastest peer`,
          bound: FIRST_SHARE,
          measured: Number.isFinite(fastest) ? firstMs / fastest : undefined,
        },
      ];
    }),
    ...Object.entries(exponents).map(([column, measured]) => ({ name: `growth exponent of ${column}`, bound: EXPONENT, measured })),
  ];
}

function isPeer({ target }: ScaleFigures): boolean {
  return !target.startsWith('gatefold');
}
