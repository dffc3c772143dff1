import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Operation, OPERATIONS } from '../graph/operations.ts';
import { allTargets } from '../targets/all-targets.ts';
import { gatefoldBefore } from '../targets/gatefold.ts';
import { checkout } from '../targets/paths.ts';
import type { Target, TargetName } from '../targets/target.ts';

/** Settings of one benchmark run. */
export interface Settings {
  readonly isQuick: boolean;
  /** Whether all targets and operations are measured, so that every goal can be evaluated. */
  readonly isWhole: boolean;
  readonly targets: readonly Target[];
  readonly operations: readonly Operation[];
  readonly rounds: number;
  /** @unit milliseconds */
  readonly warmUpMs: number;
  /** @unit milliseconds */
  readonly durationMs: number;
  /** Whether the run succeeds when targets are missing. */
  readonly allowMissing: boolean;
  /** Checkout whose build is measured as Gatefold. */
  readonly gatefold: string;
  /** Whether two builds of Gatefold are compared. Other goals are not evaluated then. */
  readonly isBeforeAndAfter: boolean;
}

const QUICK_TARGETS: ReadonlySet<TargetName> = new Set<TargetName>(['gatefold', 'stock', 'grafbase', 'floor-merged']);

const USAGE = `npm run bench federation -- [--quick] [--only gatefold,stock] [--queries big,tiny] [--rounds 5] [--allow-missing] [--gatefold <checkout>]
  [--before <checkout>]  compares the build of this checkout with the build of another one only
targets: ${allTargets.map(({ name }) => name).join(', ')}
queries: ${OPERATIONS.map(({ name }) => name).join(', ')}`;

/** Parses the command-line arguments. Prints the usage and ends the process when they are invalid. */
export function readSettings(args: readonly string[]): Settings {
  try {
    return parse(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
    return process.exit(2);
  }
}

function parse(args: readonly string[]): Settings {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      queries: { type: 'string' },
      rounds: { type: 'string' },
      'allow-missing': { type: 'boolean', default: false },
      gatefold: { type: 'string', default: checkout },
      before: { type: 'string' },
    },
  });
  const { quick, only, queries, before } = values;
  if (before !== undefined && only !== undefined) throw new Error('--before and --only cannot be combined.');
  const rounds = Number(values.rounds ?? (quick ? 2 : 5));
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be an integer of at least 1.');
  return {
    isQuick: quick,
    isWhole: !quick && only === undefined && queries === undefined && before === undefined,
    targets:
      before === undefined
        ? pick(allTargets, only ?? (quick ? [...QUICK_TARGETS].join(',') : undefined), '--only')
        : [...pick(allTargets, 'gatefold', '--only'), gatefoldBefore(resolve(before))],
    operations: pick(OPERATIONS, queries, '--queries'),
    rounds,
    ...(quick ? { warmUpMs: 1_200, durationMs: 1_000 } : { warmUpMs: 5_000, durationMs: 4_000 }),
    allowMissing: values['allow-missing'],
    gatefold: values.gatefold,
    isBeforeAndAfter: before !== undefined,
  };
}

function pick<T extends { readonly name: string }>(all: readonly T[], names: string | undefined, option: string): readonly T[] {
  if (names === undefined) return all;
  const wanted = names.split(',').map((name) => name.trim());
  const unknown = wanted.filter((name) => !all.some((one) => one.name === name));
  if (unknown.length > 0)
    throw new Error(`${option}: unknown name ${unknown.join(', ')}. Expected one of ${all.map(({ name }) => name).join(', ')}.`);
  return all.filter(({ name }) => wanted.includes(name));
}
