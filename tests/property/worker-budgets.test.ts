import { describe, expect, it } from '@jest/globals';
import type { BucketRate } from '../../gateway/budget/buckets.ts';
import { createRandom, type Random } from '../support/random/random.ts';
import { type Grant, type SimulatedWorker, type SimulatedWorkers, simulateWorkers } from '../support/workers/simulated-workers.ts';

const FIRST_SEED = Number(process.env['WORKER_BUDGETS_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const RUNS = 25;
const STEPS = 1_500;
const KEYS = ['alice', 'bob'];

/** A single bucket that records what was granted. */
class Reference {
  readonly granted: Grant[] = [];
  /** Largest number of points that were missing. */
  most = 0;
  sum = 0;
  readonly #rate: BucketRate;
  #missing = 0;
  #at = 0;

  constructor(rate: BucketRate) {
    this.#rate = rate;
  }

  note(grant: Grant, now: number): void {
    const refilled = ((now - this.#at) * this.#rate.refillPerSecond) / 1_000;
    this.#missing = Math.max(0, Math.max(0, this.#missing - refilled) + grant.points);
    this.#at = now;
    this.most = Math.max(this.most, this.#missing);
    this.sum += grant.points;
    this.granted.push(grant);
  }
}

interface Run {
  readonly random: Random;
  readonly simulation: SimulatedWorkers;
  readonly rate: BucketRate;
  readonly references: ReadonlyMap<string, Reference>;
  readonly refused: { readonly key: string; readonly points: number }[];
  /** Points that were granted and not refunded. */
  readonly refundable: { readonly key: string; readonly points: number }[];
  alive: SimulatedWorker[];
}

function startRun(seed: number, rate: BucketRate, hasRevocationTimeout: boolean): Run {
  const random = createRandom(seed);
  const references = new Map(KEYS.map((key) => [key, new Reference(rate)]));
  const simulation: SimulatedWorkers = simulateWorkers({
    count: 2 + random.below(3),
    hasRevocationTimeout,
    onGrant: (grant) => references.get(grant.key)?.note(grant, simulation.now()),
  });
  return { random, simulation, rate, references, refused: [], refundable: [], alive: [...simulation.workers] };
}

async function send({ random, alive, rate, refused, refundable }: Run, sizes: readonly number[]): Promise<void> {
  const key = random.pick(KEYS);
  const points = random.pick(sizes);
  const withdrawal = random.pick(alive).take(key, rate, points);
  const finish = ({ isGranted }: { readonly isGranted: boolean }): void => void (isGranted ? refundable : refused).push({ key, points });
  if (withdrawal instanceof Promise) void withdrawal.then(finish);
  else finish(withdrawal);
}

function refund({ random, alive, rate, refundable }: Run): void {
  const { key, points } = refundable.splice(random.below(refundable.length), 1)[0] ?? { key: 'alice', points: 0 };
  void random.pick(alive).take(key, rate, -Math.ceil(points * random.next()));
}

async function replaceWorker(run: Run): Promise<void> {
  const ended = run.random.pick(run.alive);
  await ended.end();
  run.alive = [...run.alive.filter((worker) => worker !== ended), run.simulation.start()];
}

async function deliverOne({ random, alive }: Run): Promise<void> {
  const worker = random.pick(alive);
  await (random.chance(0.5) ? worker.deliverToPrimary() : worker.deliverToWorker());
}

function numbersOf(run: Run) {
  const granted = [...run.references.values()].flatMap((reference) => reference.granted);
  return { leased: granted.filter(({ isFromLease }) => isFromLease).length, revocations: run.simulation.notices.revoke };
}

describe(`budgets of workers with random messages from seed ${FIRST_SEED} (WORKER_BUDGETS_SEED)`, () => {
  it('never grant more than one bucket, although workers end, do not respond and refund', async () => {
    const totals = { leased: 0, revocations: 0 };
    for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed += 1) {
      const run = startRun(seed, { capacity: 400, refillPerSecond: seed % 2 === 0 ? 50 : 2_000 }, true);
      for (let step = 0; step < STEPS; step += 1) {
        const event = run.random.next();
        if (event < 0.35) await send(run, [1, 2, 7, 60]);
        else if (event < 0.4) refund(run);
        else if (event < 0.5) await run.simulation.pass(run.random.pick([1, 1, 5, 20, 120]));
        else if (event < 0.503) await replaceWorker(run);
        else await deliverOne(run);
      }
      for (const [key, { most }] of run.references) {
        if (most > run.rate.capacity + 1e-6) throw new Error(`Seed ${seed}: ${most} points of ${key} were missing at once.`);
      }
      const { leased, revocations } = numbersOf(run);
      totals.leased += leased;
      totals.revocations += revocations;
    }
    expect(totals.leased).toBeGreaterThan(RUNS * 10);
    expect(totals.revocations).toBeGreaterThan(RUNS);
  });

  it.each([
    ['of one size', [7]],
    ['of different sizes', [1, 3, 20, 111]],
  ])('grant requests %s as long as one bucket does, if they do not refill', async (_name, sizes) => {
    const totals = { leased: 0, revocations: 0 };
    for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed += 1) {
      const capacity = 1_000 + (seed % 100);
      const run = startRun(seed, { capacity, refillPerSecond: 1e-6 }, false);
      const isOpen = (key: string) => !run.refused.some((one) => one.key === key && one.points === Math.min(...sizes));
      while (KEYS.some(isOpen)) {
        const event = run.random.next();
        if (event < 0.3) await send(run, sizes);
        else if (event < 0.35) await run.simulation.pass(run.random.pick([1, 5, 30]));
        else await deliverOne(run);
      }
      await run.simulation.deliverAll();
      for (const { key, points } of run.refused) {
        const sum = run.references.get(key)?.sum ?? 0;
        if (sum + points <= capacity) throw new Error(`Seed ${seed}: ${points} points were refused although ${capacity - sum} remained.`);
      }
      for (const [key, { sum }] of run.references) {
        const most = capacity - (capacity % Math.min(...sizes));
        if (sum !== most) throw new Error(`Seed ${seed}: ${sum} points of ${key} were granted, and not ${most}.`);
      }
      const { leased, revocations } = numbersOf(run);
      totals.leased += leased;
      totals.revocations += revocations;
    }
    expect(totals.leased).toBeGreaterThan(RUNS * 10);
    expect(totals.revocations).toBeGreaterThan(0);
  });
});
