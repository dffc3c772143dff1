import { setImmediate as iteration, setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { inSteps, nextTurn, runInTurn, serveBetweenTurns } from '../../../../gateway/platform/run-in-turn.ts';

describe('runInTurn', () => {
  // The turn of the last task ends in the next iteration.
  afterEach(() => iteration());

  it('runs each task in its own iteration of the event loop, in order', async () => {
    const done: number[] = [];
    for (const piece of [1, 2, 3]) runInTurn(() => void done.push(piece));
    expect(done).toEqual([]);
    for (const expected of [[1], [1, 2], [1, 2, 3]]) {
      await iteration();
      expect(done).toEqual(expected);
    }
  });

  it('runs a task that another one adds after the waiting ones', async () => {
    const done: string[] = [];
    runInTurn(() => {
      done.push('first');
      runInTurn(() => void done.push('added'));
    });
    runInTurn(() => void done.push('second'));
    for (let count = 0; count < 3; count += 1) await iteration();
    expect(done).toEqual(['first', 'second', 'added']);
  });

  it('runs the continuation of a task in the next iteration, before waiting tasks', async () => {
    const done: string[] = [];
    runInTurn(() => {
      done.push('first');
      return () => void done.push('rest');
    });
    runInTurn(() => void done.push('second'));
    for (const expected of [['first'], ['first', 'rest'], ['first', 'rest', 'second']]) {
      await iteration();
      expect(done).toEqual(expected);
    }
  });

  it('delays the next task after long work until pending requests are served', async () => {
    const done: string[] = [];
    let isServed = true;
    serveBetweenTurns(() => isServed);
    const long = (name: string) => (): void => {
      const end = performance.now() + 40;
      while (performance.now() < end);
      done.push(name);
    };
    runInTurn(long('first'));
    runInTurn(() => void done.push('second'));
    for (let count = 0; count < 4; count += 1) await iteration();
    done.push('served');
    isServed = false;
    while (done.length < 3) await pause(1);
    expect(done).toEqual(['first', 'served', 'second']);
  });

  it('runs the next task even if requests are never served', async () => {
    const done: string[] = [];
    serveBetweenTurns(() => true);
    runInTurn(() => {
      const end = performance.now() + 20;
      while (performance.now() < end);
      done.push('first');
    });
    runInTurn(() => void done.push('second'));
    while (done.length < 2) await pause(1);
    serveBetweenTurns(() => false);
    expect(done).toEqual(['first', 'second']);
  });

  it('runs requests that wait for a turn before waiting tasks, one per iteration', async () => {
    const done: string[] = [];
    runInTurn(() => void done.push('running'));
    runInTurn(() => void done.push('waiting'));
    await iteration();
    void nextTurn().then(() => done.push('request'));
    expect(done).toEqual(['running']);
    await iteration();
    expect(done).toEqual(['running', 'request']);
    await iteration();
    expect(done).toEqual(['running', 'request', 'waiting']);
  });

  it('yields between the steps of a task, delays other tasks and passes on the result', async () => {
    const done: string[] = [];
    function* steps(): Generator<undefined, string, undefined> {
      for (let count = 0; count < 3; count += 1) {
        const end = performance.now() + 6;
        while (performance.now() < end);
        done.push('step');
        yield;
      }
      return 'result';
    }
    runInTurn(inSteps(steps(), { onDone: (result) => () => void done.push(result), onFailed: () => done.push('failed') }));
    runInTurn(() => void done.push('other'));
    let iterations = 0;
    while (!done.includes('other')) {
      await iteration();
      iterations += 1;
    }
    expect(done).toEqual(['step', 'step', 'step', 'result', 'other']);
    expect(iterations).toBeGreaterThanOrEqual(5);
  });

  it('passes on the error of a task in steps and runs other tasks', async () => {
    const done: unknown[] = [];
    function* steps(): Generator<undefined, string, undefined> {
      yield;
      throw new Error('broken');
    }
    runInTurn(inSteps(steps(), { onDone: () => void done.push('done'), onFailed: (error) => done.push(String(error)) }));
    runInTurn(() => void done.push('other'));
    while (!done.includes('other')) await iteration();
    expect(done).toEqual(['Error: broken', 'other']);
  });
});
