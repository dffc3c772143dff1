import type { Attack, Tally } from './attack.ts';
import { type Measurement, quantile } from './measure.ts';

/** Effects of an attack on an honest caller, and the bounds it exceeded. */
export interface Classification {
  readonly row: Readonly<Record<string, string | number>>;
  readonly failures: readonly string[];
}

export interface Trial {
  readonly attack: Attack;
  /** Calm measurement before the attack. */
  readonly before: Measurement;
  /** Calm measurements before and after the attack. */
  readonly calm: Measurement;
  readonly attacked: Measurement;
  /** Tally of the attack. Undefined if the attack ended early. */
  readonly tally: Tally | undefined;
  /** Length of the attack. */
  readonly seconds: number;
  /** Whether the gateway has exited. */
  readonly hasEnded: boolean;
}

const MAX_RATIO = 3;
const MAX_GROWTH_BYTES = 300_000_000;

const tenths = (value: number): number => Math.round(value * 10) / 10;
const megabytes = (bytes: number): number => Math.round(bytes / 1e6);
const listed = (failures: ReadonlyMap<string, number>): string =>
  [...failures].map(([failure, count]) => `${count} x ${failure}`).join(', ');

export function classify({ attack, before, calm, attacked, tally, seconds, hasEnded }: Trial): Classification {
  const p99 = { calm: quantile(calm.times, 0.99), attacked: quantile(attacked.times, 0.99) };
  const ratio = p99.attacked / p99.calm;
  const growth = attacked.peak - before.peak;
  const { sent = 0, accepted = 0, rejected = 0, broken = 0 } = tally ?? {};
  const failures = [
    hasEnded ? 'the gateway has exited' : '',
    ratio <= MAX_RATIO ? '' : `p99 is more than ${MAX_RATIO} times the calm one`,
    growth <= MAX_GROWTH_BYTES ? '' : `memory has grown by more than ${megabytes(MAX_GROWTH_BYTES)} MB`,
    attacked.rejected.size === 0 ? '' : 'honest requests were rejected',
    calm.rejected.size === 0 ? '' : `honest requests were rejected without an attack: ${listed(calm.rejected)}`,
    tally === undefined ? 'the attack ended early' : '',
    sent >= attack.minRate * seconds && accepted >= (attack.minAccepted ?? 0) * seconds ? '' : 'the attack did not reach its rate',
  ].filter((failure) => failure !== '');
  const row = {
    attack: attack.name,
    'calm p50': tenths(quantile(calm.times, 0.5)),
    'calm p99': tenths(p99.calm),
    'attacked p50': tenths(quantile(attacked.times, 0.5)),
    'attacked p99': tenths(p99.attacked),
    ratio: Math.round(ratio * 100) / 100,
    'RSS MB': `${megabytes(before.peak)} to ${megabytes(attacked.peak)}`,
    'honest refused': attacked.rejected.size === 0 ? 0 : listed(attacked.rejected),
    'attacker sent': sent,
    accepted,
    rejected,
    broken,
    'new p99': `${tenths(quantile(calm.newTimes, 0.99))} to ${tenths(quantile(attacked.newTimes, 0.99))}`,
    'control p99': `${tenths(quantile(calm.controlTimes, 0.99))} to ${tenths(quantile(attacked.controlTimes, 0.99))}`,
    'loop ms': `${Math.round(calm.longestDelayMs)} to ${Math.round(attacked.longestDelayMs)}`,
    CPU: `${Math.round(100 * calm.cpu)} to ${Math.round(100 * attacked.cpu)} %`,
  };
  return { row, failures };
}

/** Prints two tables: bounded values, and values that help to find causes. Times are milliseconds. */
export function printClassifications(classifications: readonly Classification[]): void {
  const columns = ['attack', 'calm p50', 'calm p99', 'attacked p50', 'attacked p99', 'ratio', 'RSS MB', 'honest refused'];
  const witnesses = ['attack', 'attacker sent', 'accepted', 'refused', 'broken', 'new p99', 'control p99', 'loop ms', 'CPU'];
  const pick = (row: Classification['row'], names: readonly string[]): Classification['row'] =>
    Object.fromEntries(names.map((name) => [name, row[name] ?? '']));
  console.table(classifications.map(({ row, failures }) => ({ ...pick(row, columns), result: failures.length === 0 ? 'holds' : 'FAILS' })));
  console.table(classifications.map(({ row }) => pick(row, witnesses)));
  for (const { row, failures } of classifications) for (const failure of failures) console.error(`${row['attack']}: ${failure}.`);
}
