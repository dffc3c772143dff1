import { type Goal, isReached } from '../report/goals.ts';
import { quantile } from '../report/quantile.ts';
import type { ConnectSlice } from './load-process.ts';

/** A set-up that was measured. The n-th slices of all set-ups belong to one round. */
export interface MeasuredSetUp {
  readonly name: SetUpName;
  readonly slices: readonly ConnectSlice[];
}

export type SetUpName = 'connectors' | 'connectors, again' | 'hand-written subgraph' | 'recorded subgraph' | 'hive with mesh';

/** Maximum CPU time of connectors as a multiple of that of another set-up. */
const BOUNDS = { 'hand-written subgraph': 0.35, 'recorded subgraph': 1.3 } as const satisfies Partial<Record<SetUpName, number>>;

export interface SetUpComparison {
  readonly rows: readonly Readonly<Record<string, string | number>>[];
  readonly goals: readonly Goal[];
  /** Difference between two processes of the same set-up: what the measurement alone adds. */
  readonly error: string;
}

/** Compares the CPU time of connectors with that of all set-ups, by the medians of the ratios within each round. */
export function compareSetUps(measured: readonly MeasuredSetUp[]): SetUpComparison {
  const find = (name: SetUpName): MeasuredSetUp | undefined => measured.find((one) => one.name === name);
  const connectors = find('connectors');
  if (connectors === undefined) throw new Error('The set-up with connectors was not measured.');
  const ratiosTo = ({ slices }: MeasuredSetUp): readonly number[] =>
    connectors.slices.map((slice, round) => cpuOf(slice) / (slices.map(cpuOf)[round] ?? Number.NaN));
  const rows = measured.map((one) => ({
    'set-up': one.name,
    'CPU µs per request': Math.round(quantile(one.slices.map(cpuOf), 0.5) * 1_000),
    'connectors / this': one === connectors ? '' : range(ratiosTo(one)),
    'back-end calls per request': round(quantile(one.slices.map(callsOf), 0.5)),
    'share of a core': round(quantile(one.slices.map(shareOf), 0.5)),
  }));
  const goals = Object.entries(BOUNDS).map(([name, bound]): Goal => {
    const other = find(name as keyof typeof BOUNDS);
    return {
      name: `CPU of connectors as a fraction of ${name}`,
      bound,
      measured: other === undefined ? undefined : quantile(ratiosTo(other), 0.5),
    };
  });
  const control = find('connectors, again');
  return { rows, goals, error: control === undefined ? 'not measured' : range(ratiosTo(control)) };
}

/** Describes goals, one per line. */
export function describeGoals(goals: readonly Goal[]): string {
  return goals
    .map((goal) => {
      const result = { true: 'reached', false: 'MISSED', undefined: 'not measured' }[`${isReached(goal)}`];
      return `${goal.name}: ${goal.measured?.toFixed(3) ?? '-'}, at most ${goal.bound}: ${result}`;
    })
    .join('\n');
}

/** @unit milliseconds per request */
function cpuOf({ gatewayMs, responses }: ConnectSlice): number {
  return gatewayMs / responses;
}

function shareOf({ gatewayMs, elapsedMs }: ConnectSlice): number {
  return gatewayMs / elapsedMs;
}

/** Returns the number of calls that resolve shipments, per request of a client. */
export function callsOf({ fetches, allResponses }: ConnectSlice): number {
  return (fetches.legacy + fetches.shipping) / allResponses;
}

/** Prints the median, and the range of the half of the values around it. */
function range(values: readonly number[]): string {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(values, share).toFixed(3));
  return `${middle} (${low} to ${high})`;
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
