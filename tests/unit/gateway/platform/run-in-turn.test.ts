import { setImmediate as iteration, setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { inSteps, nextTurn, runInTurn, serveBetweenTurns } from '../../../../gateway/platform/run-in-turn.ts';

describe('work that runs in turn', () => {
  // The turn of the last piece ends in the iteration after it.
  afterEach(() => iteration());

  it('given several pieces at once, then each runs in an iteration of the event loop of its own, in their order', async () => {
    const done: number[] = [];
    for (const piece of [1, 2, 3]) runInTurn(() => void done.push(piece));
    expect(done).toEqual([]);
    for (const expected of [[1], [1, 2], [1, 2, 3]]) {
      await iteration();
      expect(done).toEqual(expected);
    }
  });

  it('given a piece that adds another, then the other runs after those that wait', async () => {
    const done: string[] = [];
    runInTurn(() => {
      done.push('first');
      runInTurn(() => void done.push('added'));
    });
    runInTurn(() => void done.push('second'));
    for (let count = 0; count < 3; count += 1) await iteration();
    expect(done).toEqual(['first', 'second', 'added']);
  });

  it('given a piece with a rest, then the rest runs in the next iteration, before those that wait', async () => {
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

  it('given long work and requests that are served, when the next piece waits, then it runs once they are served', async () => {
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

  it('given long work and requests that are never served, then the next piece runs all the same', async () => {
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

  it('given requests that wait for a turn, then they come before work that waits, each in an iteration of its own', async () => {
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

  it('given work in steps, then the loop runs between them, other work waits for their end, and the result is handed on', async () => {
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

  it('given work in steps that fails, then the error is handed on and other work runs', async () => {
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
