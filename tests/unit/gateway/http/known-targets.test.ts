import { describe, expect, it } from '@jest/globals';
import { createKnownTargets } from '../../../../gateway/http/known-targets.ts';
import type { Recollection } from '../../../../gateway/pipeline/recollection.ts';

const PARAMETERS = { document: { text: '{ a }' } };
const SPACE = { maxEntries: 100, maxBytes: 8_000_000 };

const recollectionOf = (partition: string, more: Partial<Recollection> = {}): Recollection => ({
  generation: 'one',
  text: '{ a }',
  partition,
  key: `key of ${partition}`,
  estimated: 1,
  ...more,
});

describe('createKnownTargets', () => {
  it('given a target that differs by one octet, when looked for, then it is not known', () => {
    const targets = createKnownTargets(SPACE);
    targets.remember('/graphql?query={a}', PARAMETERS, recollectionOf('anon'));
    for (const other of ['/graphql?query={a}&', '/graphql?query=%7Ba}', '/graphql?Query={a}', '/graphql?query={a']) {
      expect(targets.find(other)).toBeUndefined();
    }
  });

  it('given a partition again, when remembered, then what is newer counts', () => {
    const targets = createKnownTargets(SPACE);
    targets.remember('/a', PARAMETERS, recollectionOf('anon'));
    targets.remember('/a', PARAMETERS, recollectionOf('anon', { generation: 'two' }));
    expect([...(targets.find('/a')?.recollections.values() ?? [])].map(({ generation }) => generation)).toEqual(['two']);
  });

  it('given more partitions than are remembered of one target, when one comes, then the oldest goes', () => {
    const targets = createKnownTargets(SPACE);
    for (let index = 0; index < 33; index += 1) targets.remember('/a', PARAMETERS, recollectionOf(`caller ${index}`));
    const { recollections } = targets.find('/a') ?? {};
    expect(recollections?.size).toBe(32);
    expect(recollections?.has('caller 0')).toBe(false);
    expect(recollections?.has('caller 32')).toBe(true);
  });

  it('given more targets than there is room for, when one comes, then the one used longest ago goes', () => {
    const targets = createKnownTargets({ ...SPACE, maxEntries: 2 });
    for (const target of ['/a', '/b']) targets.remember(target, PARAMETERS, recollectionOf('anon'));
    targets.find('/a');
    targets.remember('/c', PARAMETERS, recollectionOf('anon'));
    expect(['/a', '/b', '/c'].filter((target) => targets.find(target) !== undefined)).toEqual(['/a', '/c']);
  });

  it('given long targets, texts or partitions, when remembered without end, then their bytes are bounded', () => {
    const long = 'x'.repeat(10_000);
    const cases: readonly ((index: number) => readonly [string, Recollection])[] = [
      (index) => [`/${long}${index}`, recollectionOf('anon')],
      (index) => [`/${index}`, recollectionOf('anon', { text: long })],
      (index) => [`/${index}`, recollectionOf(long)],
      (index) => [`/${index}`, recollectionOf('anon', { key: long })],
    ];
    for (const toEntry of cases) {
      const targets = createKnownTargets(SPACE); // an eighth of it: a million bytes
      for (let index = 0; index < 100; index += 1) targets.remember(toEntry(index)[0], PARAMETERS, toEntry(index)[1]);
      const kept = Array.from({ length: 100 }, (_, index) => toEntry(index)[0]).filter((target) => targets.find(target) !== undefined);
      expect(kept.length).toBeGreaterThan(10);
      expect(kept.length).toBeLessThan(51);
    }
  });
});
