import { describe, expect, it } from '@jest/globals';
import type { GenerationBound, GenerationHandle } from '../../../../gateway/generation/generation.ts';
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

/** By identity: a generation holds a whole schema, and comparing two of them takes minutes. */
function expectHeld(held: ReturnType<GenerationBound<unknown>['acquire']>, value: unknown, generation: GenerationHandle): void {
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
  it('given no supergraph, when pinning or acquiring, then NO_SUPERGRAPH says when to come again', () => {
    const generations = createGenerations({ logger: silentLogger });
    const bound = generations.onGeneration(() => 1);
    for (const work of [() => generations.pin(), () => bound.acquire()]) {
      const refusal = catchFrom(work);
      expect(refusal).toBeInstanceOf(GatewayError);
      expect(refusal).toMatchObject({ code: 'NO_SUPERGRAPH', status: 503, headers: { 'retry-after': '5' } });
    }
  });

  it('given a first supergraph that cannot be built, when loading, then the reason is thrown and there is still none', async () => {
    const generations = createGenerations({ logger: silentLogger });
    await expect(generations.load(() => Promise.reject(new Error('not to be had')))).rejects.toThrow('not to be had');
    expect(() => generations.pin()).toThrow('No supergraph is loaded.');
  });

  it('given a builder that refuses, when reloading, then the one before stays and the new one is disposed of', async () => {
    const { disposed, create } = recorder();
    const generations = createGenerations({ logger: silentLogger });
    let refuses = false;
    const bound = generations.onGeneration(() => {
      if (refuses) throw new Error('the documents do not fit');
      return 'table';
    });
    const handle = await generations.load(create('first'));
    refuses = true;
    await expect(generations.load(create('second'))).rejects.toThrow('the documents do not fit');
    expect(disposed).toEqual(['second']);
    using held = bound.acquire();
    expectHeld(held, 'table', handle);
  });

  it('given a generation that is served, when a builder that refuses it registers, then nothing comes of it, and the next load succeeds', async () => {
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

  it('given a generation that is served, when a builder registers, then it is built for that one, and for the next', async () => {
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

  it('given a load under way, when a builder registers, then no generation is served without it for longer than it takes to build', async () => {
    const generations = createGenerations({ logger: silentLogger });
    const loaded = generations.load(recorder().create('first'));
    const bound = generations.onGeneration(() => 'table');
    const first = await loaded;
    await bound.ready;
    expectHeld(bound.acquire(), 'table', first);
  });

  it('given as many generations as may be, when another is loaded, then it waits until the oldest is let go of', async () => {
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

  it('given requests that never let go, when another generation needs the room, then the oldest is ended after the limit, and said so', async () => {
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

  it('given a load that waits for room, when all is closed, then it does not hold that up', async () => {
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

  it('given operations that are used, when another generation is loaded, then they are prepared for it before it is served', async () => {
    const generations = createGenerations({ logger: silentLogger, warmOperations: 7 });
    const asked: unknown[] = [];
    const used = [{ document: '{ me { id } }' }];
    const first = await generations.load(() => ({
      ...newGeneration(),
      mostUsed: (limit) => {
        asked.push(limit);
        return used;
      },
    }));
    await generations.load(() => ({
      ...newGeneration(),
      warm: async (entries) => void asked.push(entries, generations.pin().generation === first),
    }));
    expect(asked).toEqual([7, used, true]);
  });

  it('given documents that builders prepare, when a generation takes the place of another, then they are warmed too, and not at the start', async () => {
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
  ])('given a warming that %s, when a generation is loaded, then it is served nevertheless', async (_name, warm) => {
    const generations = createGenerations({ logger: silentLogger, warmTimeoutMs: 1 });
    await generations.load(() => ({ ...newGeneration(), mostUsed: () => [{ document: '{ me { id } }' }] }));
    const second = await generations.load(() => ({ ...newGeneration(), warm }));
    expect(generations.report()).toEqual({ alive: 1, current: second });
  });

  it('given a handle whose generation is gone, when pinning it, then it is refused', async () => {
    const { create } = recorder();
    const generations = createGenerations({ logger: silentLogger });
    const first = await generations.load(create('first'));
    await generations.load(create('second'));
    expect(() => generations.pin(first)).toThrow('No supergraph is loaded.');
  });

  it('given a pinned generation, when another is loaded, then it is served to its holder until the last pin is gone', async () => {
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

  it('given a value bound to generations, when another is loaded, then holders keep theirs and newcomers get the new one', async () => {
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

  it('given two loads at once, when both end, then the one asked for last is current', async () => {
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

  it('given a generation that nobody lets go of, when draining, then it is waited for no longer than said', async () => {
    const { disposed, create } = recorder();
    const generations = createGenerations({ logger: silentLogger });
    await generations.load(create('first'));
    using _pin = generations.pin();
    await generations.drain(1);
    expect(disposed).toEqual([]);
  });

  it('given pins, when draining, then nobody else gets in, and the last one to let go ends it', async () => {
    const { create } = recorder();
    const generations = createGenerations({ logger: silentLogger });
    const handle = await generations.load(create('first'));
    const pins = [generations.pin(), generations.pin()];
    const drained = generations.drain(60_000);
    await new Promise(setImmediate);
    expect(() => generations.pin()).toThrow('No supergraph is loaded.');
    await expect(generations.load(create('second'))).rejects.toThrow('No supergraph is loaded.');
    generations.pin(handle)[Symbol.dispose](); // what runs already may need it again
    for (const pin of pins) pin[Symbol.dispose]();
    await drained;
  });

  it('given generations, when all are disposed of, then each is once, and none is served', async () => {
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
