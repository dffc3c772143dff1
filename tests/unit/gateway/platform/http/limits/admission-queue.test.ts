import { describe, expect, it } from '@jest/globals';
import { type AdmissionQueueSettings, createAdmissionQueue } from '../../../../../../gateway/platform/http/limits/admission-queue.ts';

const SETTINGS: AdmissionQueueSettings = { activationDelayMs: 100, targetDelayMs: 5, maxQueueMs: 1_000, overloadQueueMs: 50, warmUpMs: 0 };
const SAMPLE_MS = 50;

/**
 * Simulates a process of one thread. Each request needs `costMs` of processor time, and the event loop delay is the time that the started
 * requests need.
 */
function simulate(settings: Partial<AdmissionQueueSettings> = {}, costMs = 5) {
  const scheduled: (() => void)[] = [];
  const queue = createAdmissionQueue({ ...SETTINGS, ...settings }, (callback) => void scheduled.push(callback));
  const started: { readonly arrivedAt: number }[] = [];
  const counts = { completed: 0, rejected: 0, longestWaitMs: 0 };
  let now = 0;
  let credit = 0;
  queue.adapt({ at: now, utilization: 0, delayMs: 0 });

  function arrive(isGone = false): boolean {
    const arrivedAt = now;
    const isAdmitted = queue.enter(
      {
        isGone: () => isGone,
        start() {
          counts.longestWaitMs = Math.max(counts.longestWaitMs, now - arrivedAt);
          started.push({ arrivedAt });
        },
      },
      now,
    );
    if (!isAdmitted) counts.rejected += 1;
    return isAdmitted;
  }

  /** Lets requests arrive at a rate for a time. */
  function run(ms: number, perSecond: number): void {
    let busyMs = 0;
    let due = 0;
    for (const endsAt = now + ms; now < endsAt; ) {
      now += 1;
      for (due += perSecond / 1_000; due >= 1; due -= 1) arrive();
      for (const callback of scheduled.splice(0)) callback();
      if (started.length > 0) {
        busyMs += 1;
        credit += 1;
      }
      for (; credit >= costMs && started.length > 0; credit -= costMs) {
        started.shift();
        counts.completed += 1;
        queue.leave();
      }
      if (now % SAMPLE_MS !== 0) continue;
      queue.adapt({ at: now, utilization: busyMs / SAMPLE_MS, delayMs: started.length * costMs });
      busyMs = 0;
    }
  }

  return { queue, counts, run, arrive };
}

describe('createAdmissionQueue', () => {
  it('rejects nothing and limits nothing below the capacity', () => {
    const { queue, counts, run } = simulate();
    run(10_000, 100);
    expect(counts).toMatchObject({ rejected: 0, completed: expect.any(Number) });
    expect([queue.isActive, queue.limit]).toEqual([false, Number.POSITIVE_INFINITY]);
  });

  it('limits nothing while the event loop is saturated but not delayed', () => {
    const { queue, counts, run } = simulate();
    run(10_000, 200);
    expect([counts.rejected, queue.isActive]).toEqual([0, false]);
  });

  it('is inactive again a second after a single pause of the event loop', () => {
    const { queue, run } = simulate();
    run(2_000, 100);
    queue.adapt({ at: 2_100, utilization: 1, delayMs: 300 });
    expect(queue.isActive).toBe(true);
    for (let at = 2_150; at <= 3_150; at += SAMPLE_MS) queue.adapt({ at, utilization: 1, delayMs: 8 });
    expect(queue.isActive).toBe(false);
  });

  it('rejects nothing of a burst that the process completes within maxQueueMs', () => {
    const { queue, counts, run, arrive } = simulate();
    run(5_000, 180);
    for (let count = 0; count < 150; count += 1) arrive();
    run(5_000, 100);
    expect(counts.rejected).toBe(0);
    expect(queue.waiting).toBe(0);
  });

  it('completes as many requests at five times the capacity, rejects the others, and starts those it admits soon', () => {
    const { queue, counts, run } = simulate();
    run(5_000, 190);
    counts.completed = 0;
    run(3_000, 1_000);
    counts.longestWaitMs = 0;
    run(7_000, 1_000);
    expect(counts.completed).toBeGreaterThanOrEqual(0.98 * 200 * 10);
    expect(counts.rejected).toBeGreaterThan(7_000);
    expect(counts.longestWaitMs).toBeLessThan(300);
    expect(queue.limit).toBeLessThan(10);
  });

  it('stops rejecting when the load falls, and is inactive a second later', () => {
    const { queue, counts, run } = simulate();
    run(5_000, 1_000);
    expect(queue.isOverloaded).toBe(true);
    run(1_000, 100);
    counts.rejected = 0;
    run(3_000, 100);
    expect([counts.rejected, queue.isOverloaded, queue.isActive, queue.waiting]).toEqual([0, false, false, 0]);
  });

  it('rejects nothing during the warm-up, and starts waiting requests in order afterwards', () => {
    const { queue, counts, run } = simulate({ warmUpMs: 2_001 });
    queue.warmUp(0);
    run(2_000, 400);
    expect(counts.rejected).toBe(0);
    expect(queue.waiting).toBeGreaterThan(100);
    run(3_000, 400);
    expect(counts.rejected).toBeGreaterThan(0);
  });

  it('raises the limit while the process is not saturated, so that slow subgraphs do not make requests wait', () => {
    const { queue, run } = simulate();
    run(2_000, 250);
    let at = 2_000;
    const startedAtOnce = (): boolean => {
      let isStarted = false;
      queue.enter({ isGone: () => false, start: () => void (isStarted = true) }, at);
      return isStarted;
    };
    expect(startedAtOnce()).toBe(false);
    for (let count = 0; count < 100; count += 1) {
      at += SAMPLE_MS;
      queue.adapt({ at, utilization: 0.85, delayMs: 20 });
    }
    expect(queue.limit).toBeGreaterThan(queue.running);
  });

  it('raises the limit slowly while the event loop is busy, because more requests in progress only need more memory', () => {
    const { queue, run } = simulate();
    run(2_000, 250);
    const before = queue.limit;
    for (let at = 2_050; at <= 3_000; at += SAMPLE_MS) queue.adapt({ at, utilization: 0.95, delayMs: 1 });
    expect(queue.limit).toBeGreaterThan(before);
    expect(queue.limit).toBeLessThan(before * 2);
  });

  it('raises the limit in the end although rejections keep the event loop busy', () => {
    const { queue, run } = simulate();
    run(2_000, 250);
    for (let count = 0; count < 200; count += 1) queue.enter({ isGone: () => false, start: () => undefined }, 2_000);
    for (let at = 2_050; at <= 20_000; at += SAMPLE_MS) queue.adapt({ at, utilization: 1, delayMs: 1 });
    expect(queue.limit).toBeGreaterThan(200);
  });

  it('does not start a request whose client has disconnected while it waited', () => {
    const { queue, counts, run, arrive } = simulate();
    run(2_000, 250);
    const { running, waiting } = queue;
    arrive(true);
    expect(queue.waiting).toBe(waiting + 1);
    run(5_000, 0);
    expect([queue.waiting, queue.running, counts.rejected]).toEqual([0, 0, 0]);
    expect(running).toBeGreaterThan(0);
  });
});
