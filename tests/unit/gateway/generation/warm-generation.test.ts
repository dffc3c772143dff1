import { describe, expect, it } from '@jest/globals';
import { countedGeneration, executableOf } from '../../../support/gateway/counted-generation.ts';
import { DEFAULT_LIMITS } from '../../../support/gateway/default-limits.ts';

describe('warming a generation', () => {
  it('plans the most used operations with their conditions, and omits rejected ones', async () => {
    const before = countedGeneration();
    const text = 'query Mine($brief: Boolean!) { me { id name @skip(if: $brief) } }';
    for (let round = 0; round < 3; round += 1) await executableOf(before.generation, text, { brief: true });
    await executableOf(before.generation, '{ me { kind } }');
    const used = (await before.generation.mostUsed?.(2)) ?? [];
    expect(used).toEqual([
      { document: text, operationName: 'Mine', conditions: { v0: true }, labels: [] },
      { document: '{ me { kind } }', conditions: {}, labels: [] },
    ]);

    const after = countedGeneration();
    await after.generation.warm?.(
      [{ document: '{ nobody }' }, { document: 'query ($a: Boolean!) { me @skip(if: $a) { id } }' }, ...used],
      new AbortController().signal,
    );
    expect(after.planned.map(({ conditions }) => conditions)).toEqual([{ v0: true }, {}]);
    await executableOf(after.generation, text.replaceAll('brief', 'short'), { short: true });
    expect(after.planned).toHaveLength(2);
  });

  it('plans an operation once that a client sends meanwhile, and processes other work between its steps', async () => {
    const { generation, planned } = countedGeneration();
    const text = '{ me { id } }';
    let iterations = 0;
    let sent: Promise<unknown> | undefined;
    const count = (): void => {
      iterations += 1;
      if (iterations === 3) sent = Promise.resolve(executableOf(generation, text));
      if (iterations < 100) setImmediate(count);
    };
    setImmediate(count);
    await generation.warm?.([{ document: text }], new AbortController().signal);
    expect(iterations).toBeGreaterThan(4);
    await sent;
    expect(planned).toHaveLength(1);
  });

  it('omits a document that exceeds a limit, as a request would', async () => {
    const { generation, planned } = countedGeneration({ settings: { limits: { ...DEFAULT_LIMITS, mode: 'enforce', maxDepth: 1 } } });
    await generation.warm?.([{ document: '{ me { id } }' }, { document: '{ __typename }' }], new AbortController().signal);
    expect(planned).toHaveLength(1);
  });

  it('ends when the time is over, even if a plan is pending', async () => {
    const enough = new AbortController();
    const { generation, planned } = countedGeneration({
      plan: () => {
        enough.abort();
        return new Promise(() => {});
      },
    });
    await generation.warm?.([{ document: '{ me { id } }' }, { document: '{ me { name } }' }], enough.signal);
    expect(planned).toHaveLength(1);
  });
});
