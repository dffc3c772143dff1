import { describe, expect, it } from '@jest/globals';
import { reloadManyTimes } from './reload-many-times.ts';

describe('reloading under load', () => {
  it.each([
    ['file', 5, 7],
    ['subgraphs', 2, 3],
  ] as const)(
    'from %s fails no request, and never serves a broken supergraph',
    async (source, good, bad) => {
      const proof = await reloadManyTimes({ source, good, bad, warmUp: 0, perSecond: 50 });
      expect(proof.failures).toEqual([]);
      expect(proof.responded).toBeGreaterThan(50);
      expect(proof.report).toMatchObject({ alive: 1, loads: good + 1 });
    },
    120_000,
  );
});
