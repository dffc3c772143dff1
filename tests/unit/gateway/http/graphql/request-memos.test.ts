import { describe, expect, it } from '@jest/globals';
import { createRequestMemos } from '../../../../../gateway/http/graphql/request-memos.ts';
import type { RequestMemo } from '../../../../../gateway/pipeline/request-memo.ts';

const PARAMETERS = { document: { text: '{ a }' } };
const SPACE = { maxEntries: 100, maxBytes: 8_000_000 };

const memoOf = (partition: string, more: Partial<RequestMemo> = {}): RequestMemo => ({
  generation: 'one',
  text: '{ a }',
  partition,
  key: `key of ${partition}`,
  estimated: 1,
  ...more,
});

describe('request memos', () => {
  it('do not match a target that differs by one octet', () => {
    const targets = createRequestMemos(SPACE);
    targets.remember('/graphql?query={a}', PARAMETERS, memoOf('anon'));
    for (const other of ['/graphql?query={a}&', '/graphql?query=%7Ba}', '/graphql?Query={a}', '/graphql?query={a']) {
      expect(targets.find(other)).toBeUndefined();
    }
  });

  it('contain the newer memo of a partition', () => {
    const targets = createRequestMemos(SPACE);
    targets.remember('/a', PARAMETERS, memoOf('anon'));
    targets.remember('/a', PARAMETERS, memoOf('anon', { generation: 'two' }));
    expect([...(targets.find('/a')?.memos.values() ?? [])].map(({ generation }) => generation)).toEqual(['two']);
  });

  it('evict the oldest partition of a target at the limit', () => {
    const targets = createRequestMemos(SPACE);
    for (let index = 0; index < 33; index += 1) targets.remember('/a', PARAMETERS, memoOf(`caller ${index}`));
    const { memos } = targets.find('/a') ?? {};
    expect(memos?.size).toBe(32);
    expect(memos?.has('caller 0')).toBe(false);
    expect(memos?.has('caller 32')).toBe(true);
  });

  it('evict the least recently used target at the limit', () => {
    const targets = createRequestMemos({ ...SPACE, maxEntries: 2 });
    for (const target of ['/a', '/b']) targets.remember(target, PARAMETERS, memoOf('anon'));
    targets.find('/a');
    targets.remember('/c', PARAMETERS, memoOf('anon'));
    expect(['/a', '/b', '/c'].filter((target) => targets.find(target) !== undefined)).toEqual(['/a', '/c']);
  });

  it('limit the bytes of long targets, texts and partitions', () => {
    const long = 'x'.repeat(10_000);
    const cases: readonly ((index: number) => readonly [string, RequestMemo])[] = [
      (index) => [`/${long}${index}`, memoOf('anon')],
      (index) => [`/${index}`, memoOf('anon', { text: long })],
      (index) => [`/${index}`, memoOf(long)],
      (index) => [`/${index}`, memoOf('anon', { key: long })],
    ];
    for (const toEntry of cases) {
      const targets = createRequestMemos(SPACE); // Memos use at most an eighth of this capacity: a million bytes.
      for (let index = 0; index < 100; index += 1) targets.remember(toEntry(index)[0], PARAMETERS, toEntry(index)[1]);
      const stored = Array.from({ length: 100 }, (_, index) => toEntry(index)[0]).filter((target) => targets.find(target) !== undefined);
      expect(stored.length).toBeGreaterThan(10);
      expect(stored.length).toBeLessThan(51);
    }
  });
});
