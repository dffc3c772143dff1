import { describe, expect, it } from '@jest/globals';
import { type PlanJob, type PlannerLane, createPlannerLane } from '../../../../../gateway/planning/worker/planner-lane.ts';
import { silentLogger } from '../../../../../gateway/platform/logger.ts';
import { EMPTY_PLAN } from '../../../../support/gateway/new-generation.ts';
import { FakeThread } from '../../../../support/planning/fake-thread.ts';

interface LaneOptions {
  /** Number of threads that can be started. */
  readonly failsAt?: number;
}

function newLane({ failsAt = Number.POSITIVE_INFINITY }: LaneOptions = {}) {
  const threads: FakeThread[] = [];
  const givenUp: Error[] = [];
  const lane = createPlannerLane({
    startThread() {
      if (threads.length >= failsAt) throw new Error('no thread');
      const thread = new FakeThread();
      threads.push(thread);
      return thread.worker;
    },
    logger: silentLogger,
    planTimeoutMs: 60_000,
    onReady: () => undefined,
    onEnded: () => undefined,
    onCrash: () => undefined,
    onRejected: () => undefined,
    onFree: () => undefined,
    onGivenUp: (cause) => void givenUp.push(cause),
  });
  return { lane, threads, givenUp };
}

function openLane(options?: LaneOptions) {
  const opened = newLane(options);
  opened.lane.start();
  opened.threads[0]?.respond({ kind: 'ready' });
  return opened;
}

/** Plans an operation. Returns its result when the thread responds. */
function plan(lane: PlannerLane, document: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const job: PlanJob = {
      input: { document, conditions: {}, labels: [] },
      callers: new Set(['']),
      resolve,
      reject,
      crashes: 0,
      stopListening: () => undefined,
    };
    lane.run(job);
  });
}

/** Failures of a thread before it is ready. */
const FAILURES: readonly (readonly [string, (thread: FakeThread | undefined) => void])[] = [
  [
    'cannot open the planner',
    (thread) => thread?.respond({ kind: 'not-started', failure: { kind: 'unplannable', name: 'Error', message: 'no' } }),
  ],
  ['ends', (thread) => void thread?.emit('exit', 1)],
  ['fails', (thread) => void thread?.emit('error', new Error('no memory'))],
];

describe('createPlannerLane, when its thread is replaced', () => {
  it('plans with the first thread until the second one is ready', async () => {
    const { lane, threads } = openLane();
    lane.renew();
    const planned = plan(lane, '{ a }');
    expect(threads[0]?.documents).toEqual(['{ a }']);
    threads[0]?.respond({ kind: 'planned', plan: EMPTY_PLAN });
    await expect(planned).resolves.toEqual(EMPTY_PLAN);
    threads[1]?.respond({ kind: 'ready' });
    expect(threads.map(({ isTerminated }) => isTerminated)).toEqual([true, false]);
    const next = plan(lane, '{ b }');
    expect(threads[1]?.documents).toEqual(['{ b }']);
    threads[1]?.respond({ kind: 'planned', plan: EMPTY_PLAN });
    await next;
    await lane.stop().ended;
  });

  it('replaces a thread that plans only after the plan', async () => {
    const { lane, threads } = openLane();
    lane.renew();
    const planned = plan(lane, '{ a }');
    threads[1]?.respond({ kind: 'ready' });
    expect(threads[0]?.isTerminated).toBe(false);
    threads[0]?.respond({ kind: 'planned', plan: EMPTY_PLAN });
    await planned;
    expect(threads.map(({ isTerminated }) => isTerminated)).toEqual([true, false]);
    await lane.stop().ended;
  });

  it.each(FAILURES)('continues with the first thread when the second one %s', async (_name, fail) => {
    const { lane, threads } = openLane();
    lane.renew();
    fail(threads[1]);
    expect(threads.map(({ isTerminated }) => isTerminated)).toEqual([false, true]);
    const planned = plan(lane, '{ a }');
    threads[0]?.respond({ kind: 'planned', plan: EMPTY_PLAN });
    await expect(planned).resolves.toEqual(EMPTY_PLAN);
    await lane.stop().ended;
  });

  it('continues with the first thread when no second one can be started', async () => {
    const { lane, threads } = openLane({ failsAt: 1 });
    lane.renew();
    const planned = plan(lane, '{ a }');
    threads[0]?.respond({ kind: 'planned', plan: EMPTY_PLAN });
    await expect(planned).resolves.toEqual(EMPTY_PLAN);
    await lane.stop().ended;
  });

  it('ends both threads when it is stopped', async () => {
    const { lane, threads } = openLane();
    lane.renew();
    await lane.stop().ended;
    expect(threads.map(({ isTerminated }) => isTerminated)).toEqual([true, true]);
    threads[1]?.respond({ kind: 'ready' });
    expect(lane.thread).toBeUndefined();
  });
});

describe('createPlannerLane, given the thread of another planner', () => {
  it.each(FAILURES)('starts a new thread when the given one %s', (_name, fail) => {
    const { lane, threads, givenUp } = newLane();
    const given = new FakeThread();
    lane.start(given.worker);
    expect(threads).toHaveLength(0);
    fail(given);
    expect(given.isTerminated).toBe(true);
    threads[0]?.respond({ kind: 'ready' });
    expect([lane.isFree, lane.thread, givenUp]).toEqual([true, threads[0]?.worker, []]);
  });

  it.each(FAILURES)('continues with its thread and reports when a given second one %s', (_name, fail) => {
    const { lane, threads } = openLane();
    const given = new FakeThread();
    let lost = 0;
    lane.renew({ worker: given.worker, onLost: () => (lost += 1) });
    fail(given);
    given.emit('exit', 1);
    expect([lost, given.isTerminated, lane.thread]).toEqual([1, true, threads[0]?.worker]);
  });

  it('terminates a given second thread when it is stopped before the thread is ready', async () => {
    const { lane } = openLane();
    const given = new FakeThread();
    let lost = 0;
    lane.renew({ worker: given.worker, onLost: () => (lost += 1) });
    await lane.stop().ended;
    given.emit('exit', 1);
    expect([lost, given.isTerminated]).toEqual([0, true]);
  });

  it('plans with it from its start, and does not exit before it is ready', async () => {
    const { lane } = newLane();
    const given = new FakeThread();
    given.unref();
    lane.start(given.worker);
    expect([lane.isFree, given.isReferenced]).toEqual([false, true]);
    given.respond({ kind: 'ready' });
    const planned = plan(lane, '{ a }');
    expect(given.documents).toEqual(['{ a }']);
    given.respond({ kind: 'planned', plan: EMPTY_PLAN });
    await expect(planned).resolves.toEqual(EMPTY_PLAN);
  });

  it('prefers it to a second thread that is not ready yet, and starts no other one meanwhile', () => {
    const { lane, threads } = openLane();
    const given = new FakeThread();
    lane.renew();
    lane.renew({ worker: given.worker, onLost: () => undefined });
    lane.renew();
    expect(threads.map(({ isTerminated }) => isTerminated)).toEqual([false, true]);
    given.respond({ kind: 'ready' });
    expect([lane.thread, threads[0]?.isTerminated]).toEqual([given.worker, true]);
  });
});

describe('createPlannerLane, when it is stopped with a receiver of its thread', () => {
  it.each<[string, () => ReturnType<typeof openLane>]>([
    ['is not ready', newStarted],
    ['plans', newPlanning],
    ['has ended', newEnded],
  ])('terminates a thread that %s', async (_name, open) => {
    const { lane, threads } = open();
    const received: unknown[] = [];
    await lane.stop(async (worker) => received.push(worker)).ended;
    expect(received).toEqual([]);
    expect(threads.every(({ isTerminated }) => isTerminated)).toBe(true);
  });

  it('passes an idle thread on without its listeners, and ends the second one', async () => {
    const { lane, threads } = openLane();
    lane.renew();
    const received: unknown[] = [];
    await lane.stop(async (worker) => received.push(worker)).ended;
    expect(received).toEqual([threads[0]?.worker]);
    expect([threads[0]?.isTerminated, threads[0]?.listening, threads[1]?.isTerminated]).toEqual([false, 0, true]);
    expect(lane.thread).toBeUndefined();
  });
});

function newStarted(): ReturnType<typeof openLane> {
  const opened = newLane();
  opened.lane.start();
  return opened;
}

function newPlanning(): ReturnType<typeof openLane> {
  const opened = openLane();
  void plan(opened.lane, '{ a }');
  return opened;
}

/** Opens a lane whose thread has ended and whose next one is not ready. */
function newEnded(): ReturnType<typeof openLane> {
  const opened = openLane();
  opened.threads[0]?.emit('exit', 1);
  return opened;
}
