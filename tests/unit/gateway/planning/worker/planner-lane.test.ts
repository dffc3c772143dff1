import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import { type PlanJob, type PlannerLane, createPlannerLane } from '../../../../../gateway/planning/worker/planner-lane.ts';
import type { ThreadResponse } from '../../../../../gateway/planning/worker/thread-messages.ts';
import { silentLogger } from '../../../../../gateway/platform/logger.ts';
import { EMPTY_PLAN } from '../../../../support/gateway/new-generation.ts';

/** A thread that the test controls. */
class FakeThread extends EventEmitter {
  readonly received: unknown[] = [];
  isTerminated = false;

  respond(message: ThreadResponse): void {
    this.emit('message', message);
  }

  postMessage(message: unknown): void {
    this.received.push(message);
  }

  async terminate(): Promise<number> {
    this.isTerminated = true;
    return 0;
  }

  ref(): void {}
  unref(): void {}
}

function openLane({ failsAt = Number.POSITIVE_INFINITY } = {}) {
  const threads: FakeThread[] = [];
  const lane = createPlannerLane({
    startThread() {
      if (threads.length >= failsAt) throw new Error('no thread');
      const thread = new FakeThread();
      threads.push(thread);
      return thread as object as Worker;
    },
    logger: silentLogger,
    planTimeoutMs: 60_000,
    onReady: () => undefined,
    onEnded: () => undefined,
    onCrash: () => undefined,
    onRejected: () => undefined,
    onFree: () => undefined,
    onGivenUp: () => undefined,
  });
  lane.start();
  threads[0]?.respond({ kind: 'ready' });
  return { lane, threads };
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

const documentsOf = (thread: FakeThread | undefined): readonly unknown[] =>
  (thread?.received ?? []).map((message) => (message as { readonly document: unknown }).document);

describe('createPlannerLane, when its thread is replaced', () => {
  it('plans with the first thread until the second one is ready', async () => {
    const { lane, threads } = openLane();
    lane.renew();
    const planned = plan(lane, '{ a }');
    expect(documentsOf(threads[0])).toEqual(['{ a }']);
    threads[0]?.respond({ kind: 'planned', plan: EMPTY_PLAN });
    await expect(planned).resolves.toEqual(EMPTY_PLAN);
    threads[1]?.respond({ kind: 'ready' });
    expect(threads.map(({ isTerminated }) => isTerminated)).toEqual([true, false]);
    const next = plan(lane, '{ b }');
    expect(documentsOf(threads[1])).toEqual(['{ b }']);
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

  it.each<[string, (thread: FakeThread | undefined) => void]>([
    [
      'cannot open the planner',
      (thread) => thread?.respond({ kind: 'not-started', failure: { kind: 'unplannable', name: 'Error', message: 'no' } }),
    ],
    ['ends', (thread) => void thread?.emit('exit', 1)],
    ['fails', (thread) => void thread?.emit('error', new Error('no memory'))],
  ])('continues with the first thread when the second one %s', async (_name, fail) => {
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
    expect(lane.hasThread).toBe(false);
  });
});
