import { describe, expect, it } from '@jest/globals';
import { createSingleFlight } from '../../../../gateway/platform/single-flight.ts';

function recorded() {
  let time = 0;
  const started: { readonly signal: AbortSignal; readonly finish: (value: string) => void; readonly fail: (error: Error) => void }[] = [];
  const flights = createSingleFlight<string>({ maxAgeMs: 100, now: () => time });
  const work = (signal: AbortSignal): Promise<string> =>
    new Promise((resolve, reject) => {
      started.push({ signal, finish: resolve, fail: reject });
    });
  return {
    started,
    pass: (milliseconds: number) => void (time += milliseconds),
    run: (key: string, caller = new AbortController()) => flights.run(key, caller.signal, work),
  };
}

describe('createSingleFlight', () => {
  it('continues shared work for the remaining caller when one aborts', async () => {
    const { started, run } = recorded();
    const leaving = new AbortController();
    const results = [run('a', leaving), run('a')];
    leaving.abort(new Error('left'));
    await expect(results[0]).rejects.toThrow('left');
    expect(started.map(({ signal }) => signal.aborted)).toEqual([false]);
    started[0]?.finish('done');
    await expect(results[1]).resolves.toBe('done');
  });

  it('aborts the work when all callers have aborted, and starts it again later', async () => {
    const { started, run } = recorded();
    const callers = [new AbortController(), new AbortController()];
    const results = Promise.allSettled(callers.map((caller) => run('a', caller)));
    callers[0]?.abort(new Error('first'));
    callers[1]?.abort(new Error('second'));
    expect(await results).toMatchObject([{ reason: { message: 'first' } }, { reason: { message: 'second' } }]);
    expect(started[0]?.signal.aborted).toBe(true);
    const later = run('a');
    started[1]?.finish('again');
    await expect(later).resolves.toBe('again');
  });

  it('starts nothing for a caller that has already aborted', async () => {
    const { started, run } = recorded();
    const gone = new AbortController();
    gone.abort(new Error('left'));
    await expect(run('a', gone)).rejects.toThrow('left');
    expect(started).toEqual([]);
  });

  it('rejects for all callers when shared work fails, and does not store the error', async () => {
    const { started, run } = recorded();
    const results = Promise.allSettled([run('a'), run('a')]);
    started[0]?.fail(new Error('no'));
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    void run('a').catch(() => undefined);
    expect(started).toHaveLength(2);
  });

  it('does not join work that started too long ago', () => {
    const { started, run, pass } = recorded();
    void run('a');
    pass(99);
    void run('a');
    expect(started).toHaveLength(1);
    pass(1);
    void run('a');
    expect(started).toHaveLength(2);
  });

  it('does not join work with another key or work that has ended', async () => {
    const { started, run } = recorded();
    const first = run('a');
    void run('b');
    started[0]?.finish('done');
    await first;
    void run('a');
    expect(started).toHaveLength(3);
  });
});
