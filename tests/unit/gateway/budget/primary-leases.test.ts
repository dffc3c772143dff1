import { describe, expect, it } from '@jest/globals';
import type { Withdrawal } from '../../../../gateway/budget/buckets.ts';
import { type SimulatedWorker, type SimulatedWorkers, simulateWorkers } from '../../../support/workers/simulated-workers.ts';

/** Refills less than one point while a test runs. */
const SLOW = { capacity: 1_000, refillPerSecond: 0.001 };

function simulate(): { readonly simulation: SimulatedWorkers; readonly one: SimulatedWorker; readonly two: SimulatedWorker } {
  const simulation = simulateWorkers({ count: 2 });
  const [one, two] = simulation.workers;
  if (one === undefined || two === undefined) throw new Error('Expected two workers.');
  return { simulation, one, two };
}

/** Takes points, and delivers all messages that this needs. */
async function taken(simulation: SimulatedWorkers, worker: SimulatedWorker, points: number): Promise<Withdrawal> {
  const withdrawal = worker.take('alice', SLOW, points);
  await simulation.deliverAll();
  return withdrawal;
}

/** Takes 20 points, and returns a simulation whose first worker has a lease of 40 points. */
async function withLease() {
  const simulated = simulate();
  await taken(simulated.simulation, simulated.one, 10);
  await taken(simulated.simulation, simulated.one, 10);
  return simulated;
}

describe('a worker that has a lease and does not return it', () => {
  it('delays takes of its key at other workers, in their order, up to 300 ms', async () => {
    const { simulation, one, two } = await withLease();
    const settled: string[] = [];
    const all = two.take('alice', SLOW, 960) as Promise<Withdrawal>;
    const few = two.take('alice', SLOW, 10) as Promise<Withdrawal>;
    const other = two.take('bob', SLOW, 1) as Promise<Withdrawal>;
    void all.then(() => settled.push('all'));
    void few.then(() => settled.push('few'));
    void other.then(() => settled.push('other key'));
    await simulation.deliverAll(one);
    expect(settled).toEqual(['other key']);
    await simulation.pass(299);
    await simulation.deliverAll(one);
    expect(settled).toEqual(['other key']);
    await simulation.pass(1);
    await simulation.deliverAll(one);
    expect(settled).toEqual(['other key', 'all', 'few']);
    expect(await all).toMatchObject({ isGranted: false, remaining: 940 });
    expect(await few).toMatchObject({ isGranted: true, remaining: 930 });
  });

  it('delays no further takes after the timeout, until it returns the lease', async () => {
    const { simulation, one, two } = await withLease();
    void two.take('alice', SLOW, 960);
    await simulation.deliverAll(one);
    await simulation.pass(300);
    const next = two.take('alice', SLOW, 960);
    await simulation.deliverAll(one);
    expect(await next).toMatchObject({ isGranted: false });
    await simulation.deliverAll();
    expect(await taken(simulation, two, 980)).toMatchObject({ isGranted: true, remaining: 0 });
  });

  it('pays for all points of the lease when it ends, and delays no takes any longer', async () => {
    const { simulation, one, two } = await withLease();
    const all = two.take('alice', SLOW, 960);
    const few = two.take('alice', SLOW, 940);
    await simulation.deliverAll(one);
    await one.end();
    await simulation.deliverAll();
    expect(await all).toMatchObject({ isGranted: false, remaining: 940 });
    expect(await few).toMatchObject({ isGranted: true, remaining: 0 });
    expect(await taken(simulation, simulation.start(), 1)).toMatchObject({ isGranted: false });
  });

  it('is charged nothing for its own waiting takes when it ends', async () => {
    const { simulation, one, two } = await withLease();
    await taken(simulation, two, 10);
    await taken(simulation, two, 10);
    void two.take('alice', SLOW, 990);
    void two.take('alice', SLOW, 100);
    await simulation.deliverAll(one);
    await two.end();
    await simulation.deliverAll();
    expect(await taken(simulation, one, 950)).toMatchObject({ isGranted: true, remaining: 10 });
  });
});

describe('a lease of points', () => {
  it('is granted with the second take within 100 ms, and not with takes that are further apart', async () => {
    const { simulation, one } = simulate();
    await taken(simulation, one, 10);
    await simulation.pass(250);
    await taken(simulation, one, 10);
    expect(simulation.notices.lease).toBe(0);
    await simulation.pass(50);
    await taken(simulation, one, 10);
    expect(simulation.notices.lease).toBe(1);
    expect(one.take('alice', SLOW, 10)).toEqual({ isGranted: true, remaining: 960, retryAfterMs: 0 });
  });

  it('is granted only while many points remain', async () => {
    const { simulation, one } = simulate();
    await taken(simulation, one, 900);
    await taken(simulation, one, 20);
    await taken(simulation, one, 20);
    expect(simulation.notices.lease).toBe(0);
  });

  it('is used until it has too few points, which are then available to all workers', async () => {
    const { simulation, one, two } = await withLease();
    expect(one.take('alice', SLOW, 30)).not.toBeInstanceOf(Promise);
    expect(one.take('alice', SLOW, 11)).toBeInstanceOf(Promise);
    await simulation.deliverAll();
    expect(await taken(simulation, two, 939)).toMatchObject({ isGranted: true, remaining: 0 });
  });

  it('ends after 100 ms at its worker, also if the timer of the worker is late', async () => {
    const { simulation, one, two } = await withLease();
    const granted = one.take('alice', SLOW, 10);
    expect(granted).not.toBeInstanceOf(Promise);
    await simulation.pass(99);
    expect(one.take('alice', SLOW, 10)).not.toBeInstanceOf(Promise);
    await simulation.pass(1);
    expect(one.take('alice', SLOW, 0)).toBeInstanceOf(Promise);
    await simulation.deliverAll();
    expect(await taken(simulation, two, 960)).toMatchObject({ isGranted: true, remaining: 0 });
    expect(simulation.notices.revoke).toBe(0);
  });

  it('does not apply to another rate, and is returned when the rate has changed', async () => {
    const { simulation, one, two } = await withLease();
    const larger = { capacity: 2_000, refillPerSecond: SLOW.refillPerSecond };
    const changed = one.take('alice', larger, 10);
    expect(changed).toBeInstanceOf(Promise);
    await simulation.deliverAll();
    expect(await changed).toMatchObject({ isGranted: true, remaining: 1_970 });
    const all = two.take('alice', larger, 1_970);
    await simulation.deliverAll();
    expect(await all).toMatchObject({ isGranted: true, remaining: 0 });
  });

  it('is revoked before another worker refuses a request', async () => {
    const { simulation, one, two } = await withLease();
    expect(one.take('alice', SLOW, 15)).not.toBeInstanceOf(Promise);
    expect(await taken(simulation, two, 965)).toMatchObject({ isGranted: true, remaining: 0 });
    expect(simulation.notices.revoke).toBe(1);
    expect(await taken(simulation, one, 1)).toMatchObject({ isGranted: false, remaining: 0 });
  });

  it('is revoked before the same worker refuses a request that it sent before it had the lease', async () => {
    const { simulation, one } = simulate();
    await taken(simulation, one, 10);
    const withdrawals = [10, 980].map(async (points) => one.take('alice', SLOW, points));
    await simulation.deliverAll();
    expect(await Promise.all(withdrawals)).toMatchObject([{ isGranted: true }, { isGranted: true, remaining: 0 }]);
  });

  it('receives refunds of its points, and the bucket receives all others', async () => {
    const { simulation, one, two } = await withLease();
    expect(one.take('alice', SLOW, 40)).not.toBeInstanceOf(Promise);
    expect(one.take('alice', SLOW, -30)).toEqual({ isGranted: true, remaining: 970, retryAfterMs: 0 });
    expect(one.take('alice', SLOW, 25)).not.toBeInstanceOf(Promise);
    const refund = one.take('alice', SLOW, -50);
    expect(refund).toBeInstanceOf(Promise);
    await simulation.deliverAll();
    // 55 points were spent, of which 50 were refunded. The first worker has more points in its lease.
    expect(await taken(simulation, two, 996)).toMatchObject({ isGranted: false, remaining: 995 });
    expect(await taken(simulation, two, 995)).toMatchObject({ isGranted: true });
  });

  it('serves requests while the primary does not respond, until it is used up', async () => {
    const { one } = await withLease();
    one.failCalls();
    expect(one.take('alice', SLOW, 40)).toMatchObject({ isGranted: true });
    expect(await one.take('alice', SLOW, 500)).toMatchObject({ isGranted: true, remaining: 0 });
    expect(await one.take('alice', SLOW, 1)).toMatchObject({ isGranted: false });
  });

  it('is returned even if the worker has not waited for the response that granted it', async () => {
    const { simulation, one, two } = simulate();
    await taken(simulation, one, 10);
    const late = one.take('alice', SLOW, 10);
    one.failCalls();
    await late;
    await simulation.deliverAll();
    expect(simulation.notices.lease).toBe(1);
    expect(await taken(simulation, two, 980)).toMatchObject({ isGranted: true, remaining: 0 });
  });

  it('is returned when the worker stops', async () => {
    const { simulation, one, two } = await withLease();
    one.dispose();
    await simulation.deliverAll();
    await one.end();
    expect(await taken(simulation, two, 980)).toMatchObject({ isGranted: true, remaining: 0 });
  });
});
