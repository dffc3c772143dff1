import { describe, expect, it } from '@jest/globals';
import type { PerGeneration, GenerationHandle } from '../../../../gateway/generation/generation.ts';
import { createGenerations } from '../../../../gateway/generation/generations.ts';
import { GatewayError } from '../../../../gateway/platform/errors.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import { loadStorefront } from '../../../fixtures/storefront/storefront.ts';
import { newGeneration } from '../../../support/gateway/new-generation.ts';

function recorder() {
  const disposed: string[] = [];
  return {
    disposed,
    create: (name: string) => () => newGeneration({ onDispose: (what) => void (what === 'executor' && disposed.push(name)) }),
  };
}

/** Compares generations by identity: a generation holds a whole schema, and a deep comparison takes minutes. */
function expectHeld(held: ReturnType<PerGeneration<unknown>['acquire']>, value: unknown, generation: GenerationHandle): void {
  expect(held.value).toBe(value);
  expect(held.generation).toBe(generation);
}

function catchFrom(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe('createGenerations', () => {
  it('rejects pins with NO_SUPERGRAPH and Retry-After before the first supergraph', () => {
    const generations = createGenerations({ logger: silentLogger });
    const bound = generations.onGeneration(() => 1);
    for (const work of [() => generations.pin(), () => bound.acquire()]) {
      const error = catchFrom(work);
      expect(error).toBeInstanceOf(GatewayError);
      expect(error).toMatchObject({ code: 'NO_SUPERGRAPH', status: 503, headers: { 'retry-after': '5' } });
    }
  });

  it('throws the error of a first supergraph that cannot be built', async () => {
    const generations = createGenerations({ logger: silentLogger });
    await expect(generations.load(() => Promise.reject(new Error('not to be had')))).rejects.toThrow('not to be had');
    expect(() => generations.pin()).toThrow('No supergraph is loaded.');
  });

  it('disposes of a generation that a builder rejects, and retains the previous one', async () => {
    const { disposed, create } = recorder();
    const generations = createGenerations({ logger: silentLogger });
    let rejects = false;
    const bound = generations.onGeneration(() => {
      if (rejects) throw new Error('the documents do not fit');
      return 'table';
    });
    const handle = await generations.load(create('first'));
    rejects = true;
    await expect(generations.load(create('second'))).rejects.toThrow('the documents do not fit');
    expect(disposed).toEqual(['second']);
    using held = bound.acquire();
    expectHeld(held, 'table', handle);
  });

  it('drops a builder that rejects the served generation, and the next load succeeds', async () => {
    const generations = createGenerations({ logger: silentLogger });
    const { create } = recorder();
    await generations.load(create('first'));
    const bound = generations.onGeneration(() => {
      throw new Error('it does not fit');
    });
    await expect(bound.ready).rejects.toThrow('it does not fit');
    expect(catchFrom(() => bound.acquire())).toMatchObject({ code: 'NO_SUPERGRAPH' });
    const second = await generations.load(create('second'));
    expect(generations.pin().generation).toBe(second);
  });

  it('runs a new builder for the served generation and for the next one', async () => {
    const generations = createGenerations({ logger: silentLogger });
    const { create } = recorder();
    const first = await generations.load(create('first'));
    let builds = 0;
    const bound = generations.onGeneration(() => ++builds);
    expect(catchFrom(() => bound.acquire())).toMatchObject({ code: 'NO_SUPERGRAPH' });
    await bound.ready;
    expectHeld(bound.acquire(), 1, first);
    const second = await generations.load(create('second'));
    expectHeld(bound.acquire(), 2, second);
  });

  it('runs a builder that registers during a load for that generation', async () => {
    const generations = createGenerations({ logger: silentLogger });
    const loaded = generations.load(recorder().create('first'));
    const bound = generations.onGeneration(() => 'table');
    const first = await loaded;
    await bound.ready;
    expectHeld(bound.acquire(), 'table', first);
  });

  it('delays a load at the maximum number until the oldest generation is released', async () => {
    const { disposed, create } = recorder();
    const generations = createGenerations({ logger: silentLogger, maxGenerations: 2 });
    await generations.load(create('first'));
    const pin = generations.pin();
    await generations.load(create('second'));
    let isLoaded = false;
    const third = generations.load(create('third')).then(() => {
      isLoaded = true;
    });
    await new Promise(setImmediate);
    expect([isLoaded, generations.report().alive, disposed]).toEqual([false, 2, []]);
    pin[Symbol.dispose]();
    await third;
    expect(disposed).toEqual(['first', 'second']);
    expect(generations.report().alive).toBe(1);
  });

  it('ends the oldest generation after the drain timeout, and logs a warning', async () => {
    const { disposed, create } = recorder();
    const warnings: unknown[] = [];
    const logger = { ...silentLogger, warn: (...line: unknown[]) => void warnings.push(line[0]) };
    const generations = createGenerations({ logger, maxGenerations: 2, drainTimeoutMs: 1 });
    const first = await generations.load(create('first'));
    generations.pin();
    await generations.load(create('second'));
    await generations.load(create('third'));
    expect(disposed).toEqual(['first', 'second']);
    expect(warnings).toEqual([{ supergraph: first.id, requests: 1 }]);
  });

  it('rejects a load that waits for capacity when it is drained', async () => {
    const { create } = recorder();
    const generations = createGenerations({ logger: silentLogger, maxGenerations: 2 });
    await generations.load(create('first'));
    generations.pin();
    await generations.load(create('second'));
    const third = generations.load(create('third'));
    third.catch(() => undefined);
    await new Promise(setImmediate);
    await generations.drain(0);
    await expect(third).rejects.toMatchObject({ code: 'NO_SUPERGRAPH' });
  });

  it('warms the most used operations before another generation is served', async () => {
    const generations = createGenerations({ logger: silentLogger, warmOperations: 7 });
    const requested: unknown[] = [];
    const used = [{ document: '{ me { id } }' }];
    const first = await generations.load(() => ({
      ...newGeneration(),
      mostUsed: async (limit) => {
        requested.push(limit);
        return used;
      },
    }));
    await generations.load(() => ({
      ...newGeneration(),
      warm: async (entries) => void requested.push(entries, generations.pin().generation === first),
    }));
    expect(requested).toEqual([7, used, true]);
  });

  it('warms the documents of builders too, except for the first generation', async () => {
    const generations = createGenerations({ logger: silentLogger });
    const warmed: unknown[] = [];
    const document = 'query A { me { id } } query B { me { name } }';
    generations.onGeneration(({ prepare }) => prepare(document));
    const create = () => ({ ...newGeneration(), warm: async (entries: readonly unknown[]) => void warmed.push(...entries) });
    await generations.load(create);
    expect(warmed).toEqual([]);
    await generations.load(create);
    expect(warmed).toEqual([
      { document, operationName: 'A' },
      { document, operationName: 'B' },
    ]);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('no planner'))],
    [
      'takes too long',
      (_: unknown, signal: AbortSignal) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())),
    ],
  ])('serves a generation even if its warming %s', async (_name, warm) => {
    const generations = createGenerations({ logger: silentLogger, warmTimeoutMs: 1 });
    await generations.load(() => ({ ...newGeneration(), mostUsed: async () => [{ document: '{ me { id } }' }] }));
    const second = await generations.load(() => ({ ...newGeneration(), warm }));
    expect(generations.report()).toEqual({ alive: 1, current: second });
  });

  it('rejects a pin of a generation that was released', async () => {
    const { create } = recorder();
    const generations = createGenerations({ logger: silentLogger });
    const first = await generations.load(create('first'));
    await generations.load(create('second'));
    expect(() => generations.pin(first)).toThrow('No supergraph is loaded.');
  });

  it('serves a pinned generation to its holders until the last pin is released', async () => {
    const { disposed, create } = recorder();
    const generations = createGenerations({ logger: silentLogger });
    const first = await generations.load(create('first'));
    const one = generations.pin();
    const two = generations.pin(first);
    const second = await generations.load(create('second'));
    expect(one.generation).toBe(first);
    expect(generations.pin().generation).toBe(second);
    using three = generations.pin(first);
    one[Symbol.dispose]();
    one[Symbol.dispose]();
    two[Symbol.dispose]();
    expect(disposed).toEqual([]);
    three[Symbol.dispose]();
    await Promise.resolve();
    await generations.load(create('third'));
    expect(disposed).toContain('first');
  });

  it('retains bound values for their holders, and gives new callers new values', async () => {
    const generations = createGenerations({ logger: silentLogger });
    const other = loadStorefront({ accounts: 'http://elsewhere.invalid' });
    const bound = generations.onGeneration(async (view) => ({
      text: view.prepare('{ me { id } }').text,
      hasMutations: !!view.schema.getMutationType(),
    }));
    const numbers = generations.onGeneration(() => 2);
    await generations.load(() => newGeneration());
    const held = bound.acquire();
    await generations.load(() => newGeneration({ loaded: other }));
    using fresh = bound.acquire();
    using number = numbers.acquire();
    expect(held.value).toEqual({ text: '{ me { id } }', hasMutations: true });
    expect(held.generation.id).not.toBe(fresh.generation.id);
    expect(number.value).toBe(2);
    expect(generations.pin(held.generation).generation).toBe(held.generation);
  });

  it('serves the later one of two concurrent loads', async () => {
    const { disposed, create } = recorder();
    const generations = createGenerations({ logger: silentLogger });
    const slow = async () => {
      await new Promise(setImmediate);
      return create('first')();
    };
    const [first, second] = await Promise.all([generations.load(slow), generations.load(create('second'))]);
    expect(generations.pin().generation).toBe(second);
    expect(() => generations.pin(first)).toThrow();
    expect(disposed).toEqual(['first']);
  });

  it('does not drain longer than the timeout when a pin is never released', async () => {
    const { disposed, create } = recorder();
    const generations = createGenerations({ logger: silentLogger });
    await generations.load(create('first'));
    using _pin = generations.pin();
    await generations.drain(1);
    expect(disposed).toEqual([]);
  });

  it('rejects new callers during a drain, which ends with the last pin', async () => {
    const { create } = recorder();
    const generations = createGenerations({ logger: silentLogger });
    const handle = await generations.load(create('first'));
    const pins = [generations.pin(), generations.pin()];
    const drained = generations.drain(60_000);
    await new Promise(setImmediate);
    expect(() => generations.pin()).toThrow('No supergraph is loaded.');
    await expect(generations.load(create('second'))).rejects.toThrow('No supergraph is loaded.');
    generations.pin(handle)[Symbol.dispose](); // A running request may pin its generation again.
    for (const pin of pins) pin[Symbol.dispose]();
    await drained;
  });

  it('disposes of each generation once, and serves none afterwards', async () => {
    const { disposed, create } = recorder();
    const generations = createGenerations({ logger: silentLogger });
    await generations.load(create('first'));
    const pin = generations.pin();
    await generations.load(create('second'));
    await generations[Symbol.asyncDispose]();
    pin[Symbol.dispose]();
    expect([...disposed].sort()).toEqual(['first', 'second']);
    expect(() => generations.pin()).toThrow('No supergraph is loaded.');
  });
});
