import { expect, it } from '@jest/globals';
import { createRandom } from '../../support/random/random.ts';
import { startCachedGraph } from '../../fixtures/cached-graph.ts';
import { interleavePrincipals } from './interleave-principals.ts';

const REQUESTS = 2_000;

it('twenty callers in random order never read a cached byte of another, nor a 304 for it', async () => {
  const seed = Date.now() % 1_000_000;
  await using graph = await startCachedGraph();
  const { hits, ownNotModified, ...foreign } = await interleavePrincipals(graph, REQUESTS, createRandom(seed));
  expect({ seed, ...foreign }).toEqual({ seed, foreignBytes: 0, foreignNotModified: 0 });
  expect(hits).toBeGreaterThan(0);
  expect(ownNotModified).toBeGreaterThan(0);
});
