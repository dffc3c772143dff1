import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { type IdleThread, createSpareThread } from '../../../../../gateway/planning/worker/spare-thread.ts';
import { silentLogger } from '../../../../../gateway/platform/logger.ts';
import { FakeThread } from '../../../../support/planning/fake-thread.ts';

const KIND = 'kind';

function idle(thread: FakeThread): IdleThread {
  return { worker: thread.worker, kind: KIND, startMs: 5 };
}

function newSpare(heldMs?: number) {
  return createSpareThread({ logger: silentLogger, ...(heldMs === undefined ? {} : { heldMs }) });
}

describe('createSpareThread, with failures', () => {
  it.each<[string, (thread: FakeThread) => void]>([
    ['ends', (thread) => void thread.emit('exit', 1)],
    ['fails', (thread) => void thread.emit('error', new Error('no memory'))],
  ])('drops a held thread that %s', async (_name, fail) => {
    await using spare = newSpare();
    const thread = new FakeThread();
    await spare.offer(idle(thread));
    fail(thread);
    expect([spare.take(KIND), thread.isTerminated]).toEqual([undefined, true]);
    expect(() => thread.emit('error', new Error('again'))).not.toThrow();
  });

  it('does not hold a thread that has ended', async () => {
    await using spare = newSpare();
    const thread = new FakeThread();
    thread.threadId = -1;
    await spare.offer(idle(thread));
    expect(spare.take(KIND)).toBeUndefined();
  });

  it('logs that a thread cannot be terminated', async () => {
    const errors: unknown[] = [];
    const spare = createSpareThread({ logger: { ...silentLogger, error: (_facts: unknown, text?: unknown) => void errors.push(text) } });
    const thread = new FakeThread();
    thread.terminate = () => Promise.reject(new Error('no'));
    await spare[Symbol.asyncDispose]();
    await spare.offer(idle(thread));
    expect(errors).toEqual(['A planner could not be stopped.']);
  });

  it('terminates the held thread and later ones when it is disposed of', async () => {
    const spare = newSpare();
    const [held, late] = [new FakeThread(), new FakeThread()];
    await spare.offer(idle(held));
    await spare[Symbol.asyncDispose]();
    await spare.offer(idle(late));
    expect([held.isTerminated, late.isTerminated, spare.take(KIND)]).toEqual([true, true, undefined]);
  });

  it('terminates a second thread, and a thread that is not taken in time', async () => {
    await using spare = newSpare(20);
    const [first, second] = [new FakeThread(), new FakeThread()];
    await spare.offer(idle(first));
    await spare.offer(idle(second));
    expect([first.isTerminated, second.isTerminated]).toEqual([false, true]);
    await pause(40);
    expect([first.isTerminated, spare.take(KIND)]).toEqual([true, undefined]);
  });

  it('does not return a thread with other modules or another heap', async () => {
    await using spare = newSpare();
    const thread = new FakeThread();
    await spare.offer(idle(thread));
    expect(spare.take('another kind')).toBeUndefined();
    expect(spare.take(KIND)?.worker).toBe(thread.worker);
  });
});

describe('createSpareThread, without failures', () => {
  it('returns a thread once, without its listeners and its time limit', async () => {
    await using spare = newSpare(20);
    const thread = new FakeThread();
    await spare.offer(idle(thread));
    expect(thread.isReferenced).toBe(false);
    expect(spare.take(KIND)).toEqual(idle(thread));
    expect(spare.take(KIND)).toBeUndefined();
    await pause(40);
    expect([thread.isTerminated, thread.listening]).toEqual([false, 0]);
  });

  it('informs only the latest planner about a thread', async () => {
    await using spare = newSpare();
    const informed: string[] = [];
    const leave = ['first', 'second', 'third'].map((name) => spare.join(() => void informed.push(name)));
    leave[2]?.();
    expect(spare.planners).toBe(2);
    await spare.offer(idle(new FakeThread()));
    expect(informed).toEqual(['second']);
  });
});
