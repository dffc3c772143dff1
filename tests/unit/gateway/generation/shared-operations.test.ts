import { describe, expect, it } from '@jest/globals';
import type { SharedOperation } from '../../../../gateway/generation/shared-operation.ts';
import { mostUsedOf } from '../../../../gateway/generation/shared-operations.ts';

/** An operation whose only variant was requested `uses` times. */
function used(document: string, uses: number): SharedOperation {
  const variants: Partial<SharedOperation['variants']> = { uses: () => new Map([['', uses]]) };
  return { variants, sample: { document }, conditions: [], deferConditions: [], labels: [] } as Partial<SharedOperation> as SharedOperation;
}

describe('the most used operations', () => {
  it('are found among many, while other work is processed', async () => {
    const operations = Array.from({ length: 1_000 }, (_, index) => used(`{ f${index} }`, (index * 7) % 1_000));
    let turns = 0;
    const count = (): void => {
      turns += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    const found = await mostUsedOf(operations, 3);
    clearImmediate(timer);
    const mostUsed = operations.toSorted((one, other) => usesOf(other) - usesOf(one)).slice(0, 3);
    expect(found.map(({ document }) => document)).toEqual(mostUsed.map(({ sample }) => sample.document));
    expect(turns).toBeGreaterThan(1);
  });

  it('are an empty list without operations', async () => {
    expect(await mostUsedOf([], 3)).toEqual([]);
  });
});

function usesOf({ variants }: SharedOperation): number {
  return variants.uses().get('') ?? 0;
}
