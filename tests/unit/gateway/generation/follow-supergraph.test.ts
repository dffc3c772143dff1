import { describe, expect, it } from '@jest/globals';
import { followSupergraph, type FollowerOptions } from '../../../../gateway/generation/follow-supergraph.ts';
import { createGenerations } from '../../../../gateway/generation/generations.ts';
import { systemClock } from '../../../../gateway/platform/clock.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import type { SupergraphListener, SupergraphSource } from '../../../../gateway/supergraph/sources/supergraph-source.ts';
import { newGeneration } from '../../../support/gateway/new-generation.ts';

interface ScriptedSource extends SupergraphSource, SupergraphListener {
  readonly isDisposed: () => boolean;
}

function scriptSource(isLocal: boolean): ScriptedSource {
  let listener: SupergraphListener | undefined;
  let isDisposed = false;
  return {
    name: 'the script',
    isLocal,
    start(given) {
      listener = given;
    },
    onSupergraph: (sdl) => listener?.onSupergraph(sdl),
    onProblem: (problem) => listener?.onProblem(problem),
    isDisposed: () => isDisposed,
    async [Symbol.asyncDispose]() {
      isDisposed = true;
    },
  };
}

/** Creates a follower of scripted sources. A supergraph that contains `broken` is rejected. */
function follow(options: Partial<FollowerOptions> & { readonly isLocal?: boolean } = {}) {
  const sources: ScriptedSource[] = [];
  const built: string[] = [];
  const logged: string[] = [];
  const log = (_facts: unknown, message: string): void => void logged.push(message);
  const logger = { ...silentLogger, info: log, warn: log, error: log } as typeof silentLogger;
  const generations = createGenerations({ logger: silentLogger });
  const follower = followSupergraph({
    openSource() {
      const source = scriptSource(options.isLocal ?? false);
      sources.push(source);
      return source;
    },
    generations,
    async build(sdl) {
      built.push(sdl);
      if (sdl.includes('broken')) throw new Error(`It is ${sdl}.`);
      return newGeneration();
    },
    logger,
    clock: systemClock,
    ...options,
  });
  const source = (): ScriptedSource => sources.at(-1) ?? scriptSource(false);
  return { follower, generations, source, sources, built, logged };
}

/** Waits until all events of the sources have been processed. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

describe('followSupergraph', () => {
  it.each([
    ['cannot be read', (source: ScriptedSource) => source.onProblem(new Error('It is broken.'))],
    ['is invalid', (source: ScriptedSource) => source.onSupergraph('broken')],
  ])('fails when the first local supergraph %s, and polls again at the next start', async (_name, act) => {
    const { follower, source, sources } = follow({ isLocal: true });
    const started = follower.start();
    act(source());
    await expect(started).rejects.toThrow('It is broken.');
    expect(source().isDisposed()).toBe(true);
    const again = follower.start();
    source().onSupergraph('good');
    await again;
    expect(sources).toHaveLength(2);
    expect(follower.report()).toMatchObject({ loads: 1, isUpToDate: true });
  });

  it('waits for the first poll of a network source in `first` and not in `start`', async () => {
    const { follower, source, generations } = follow();
    await follower.start();
    let isOver = false;
    const first = follower.first().then(() => {
      isOver = true;
    });
    await settled();
    expect(isOver).toBe(false);
    source().onProblem(new Error('down'));
    await first;
    expect(generations.report()).toEqual({ alive: 0, current: undefined });
    source().onSupergraph('good');
    await settled();
    expect(generations.report().alive).toBe(1);
  });

  it('rejects `first` when it is disposed of before the first supergraph', async () => {
    const { follower } = follow();
    const first = follower.first();
    const rejected = expect(first).rejects.toMatchObject({ code: 'NO_SUPERGRAPH' });
    await follower[Symbol.asyncDispose]();
    await rejected;
    await follower.first();
  });

  it('tries and logs a rejected supergraph once, and serves the previous one', async () => {
    const { follower, source, built, logged, generations } = follow();
    await follower.start();
    source().onSupergraph('good');
    await settled();
    const served = generations.report().current;
    for (const sdl of ['broken', 'broken', 'broken']) {
      source().onSupergraph(sdl);
      await settled();
    }
    expect(generations.report().current).toBe(served);
    expect(built).toEqual(['good', 'broken']);
    expect(logged).toEqual([
      'A supergraph was put into service.',
      'A supergraph was rejected. The current supergraph stays in service. The gateway tries again when the supergraph has changed.',
    ]);
    expect(follower.report()).toMatchObject({ loads: 1, rejections: 1, isUpToDate: false, lastProblem: { message: 'It is broken.' } });
    source().onSupergraph('good');
    await settled();
    expect(built).toEqual(['good', 'broken']); // This supergraph is already served, so it is not built again.
    expect(follower.report()).toMatchObject({ loads: 1, isUpToDate: true });
    source().onSupergraph('broken');
    await settled();
    expect(built).toEqual(['good', 'broken', 'broken']);
  });

  it('logs repeated poll errors of one cause once, and logs the recovery', async () => {
    const { follower, source, logged } = follow();
    await follower.start();
    source().onSupergraph('good');
    for (let look = 0; look < 3; look += 1) source().onProblem(new Error('down'));
    source().onProblem(new Error('still down'));
    source().onSupergraph('good');
    await settled();
    expect(logged.filter((line) => line !== 'A supergraph was put into service.')).toHaveLength(3);
    expect(follower.report()).toMatchObject({ failedLooks: 4, loads: 1, isUpToDate: true, lastProblem: { message: 'still down' } });
  });

  it('skips supergraphs that a newer one replaces before they are built', async () => {
    const { follower, source, built } = follow();
    await follower.start();
    for (const sdl of ['one', 'two', 'three']) source().onSupergraph(sdl);
    await settled();
    expect(built).toEqual(['three']);
  });

  describe('with a stored supergraph', () => {
    function keeping(sdl: string | Error | undefined, options: Partial<FollowerOptions> & { readonly isLocal?: boolean } = {}) {
      const written: string[] = [];
      const storedFor = () => ({
        async read() {
          if (sdl instanceof Error) throw sdl;
          return sdl;
        },
        async write(text: string) {
          written.push(text);
        },
      });
      return { written, ...follow({ storedFor, ...options }) };
    }

    it.each([
      ['cannot be read', (source: ScriptedSource) => source.onProblem(new Error('down'))],
      ['is invalid', (source: ScriptedSource) => source.onSupergraph('broken')],
    ])('serves it when the first supergraph %s, until another one arrives', async (_name, act) => {
      const { follower, source, built, written } = keeping('kept');
      const first = follower.first();
      act(source());
      await first;
      expect(built.at(-1)).toBe('kept');
      expect(follower.report()).toMatchObject({ isUpToDate: false });
      source().onSupergraph('new');
      await settled();
      expect(built.at(-1)).toBe('new');
      expect(written).toEqual(['new']);
    });

    it.each([
      ['a missing file', undefined],
      ['a damaged file', new Error('damaged')],
      ['a rejected supergraph', 'broken'],
    ] as const)('serves nothing from %s when the first poll fails, and recovers afterwards', async (_name, sdl) => {
      const { follower, source, generations } = keeping(sdl);
      const first = follower.first();
      source().onProblem(new Error('down'));
      await first;
      expect(generations.report().current).toBeUndefined();
      source().onSupergraph('new');
      await settled();
      expect(generations.report().alive).toBe(1);
    });

    it('serves it when the first poll takes too long, until the poll ends', async () => {
      const { follower, source, built, generations } = keeping('kept', { retentionMs: 1 });
      await follower.start();
      while (generations.report().alive === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      expect(built).toEqual(['kept']);
      source().onSupergraph('new');
      await follower.first();
      expect(built).toEqual(['kept', 'new']);
    });

    it('reads and logs a damaged file once while polls fail', async () => {
      const { follower, source, logged } = keeping(new Error('damaged'));
      const first = follower.first();
      for (const reason of ['down', 'still down']) source().onProblem(new Error(reason));
      await first;
      await settled();
      expect(logged.filter((line) => line === 'The stored supergraph cannot be served.')).toHaveLength(1);
    });

    it('stores nothing for a local source', async () => {
      const { follower, source, written } = keeping('kept', { isLocal: true });
      const first = follower.first();
      source().onSupergraph('new');
      await first;
      expect(written).toEqual([]);
    });
  });
});
