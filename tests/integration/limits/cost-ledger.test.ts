import { expect, it } from '@jest/globals';
import { createRandom } from '../../support/random/random.ts';
import type { SubgraphExecutor } from '../../../gateway/supergraph/subgraph-executor.ts';
import { startShapes } from './shape-transports.ts';

const CAPACITY = 1_000_000;
const OPERATIONS = 150;
/**
 * Below this estimate, an operation is charged its estimated cost: computing the actual cost would be more expensive than the refund. @unit
 * points
 */
const SETTLED_FROM = 10;
const ORDINARY = { query: 1, mutation: 1, rejection: 10, failedLogin: 10 };

const PAGE = 'query ($n: Int) { allPosts(first: $n) { id author { id } } }';
const REJECTED = [
  { query: '{ nothing }' },
  { query: '{ me {' },
  { query: PAGE, variables: { n: 101 } },
  { query: `{ ${'me { id } '.repeat(21)} }` },
];

/** Returns as many posts as `count` says, each with its author in the same response. */
function postsOf(count: () => number): SubgraphExecutor {
  const post = (id: number) => ({ __typename: 'Post', id: `${id}`, author: { __typename: 'User', id: `${id}` } });
  return async () => ({ data: { allPosts: Array.from({ length: count() }, (_, index) => post(index + 1)) } });
}

it('Cost charged but work not done: charges actual costs that are below the estimate', async () => {
  const seed = Date.now() % 1_000_000;
  const random = createRandom(seed);
  let items = 0;
  const policy = { capacity: CAPACITY, refillPerSecond: 1 };
  await using shapes = await startShapes(
    { budget: { mode: 'enforce', anonymous: policy, weights: ORDINARY }, limits: { exposeCost: true } },
    { clock: { now: () => Date.now(), monotonic: () => 1_000 }, respond: postsOf(() => items) },
  );
  let [expected, settled] = [0, 0];
  for (let count = 0; count < OPERATIONS; count += 1) {
    const n = random.below(60) + 1;
    items = random.below(n + 1);
    const rejected = random.below(6) === 0 ? REJECTED[random.below(REJECTED.length)] : undefined;
    const { status, body } = await shapes.http.post('/graphql', rejected ?? { query: PAGE, variables: { n } }, {
      headers: { 'gatefold-cost': '1' },
    });
    expect({ seed, status }).toEqual({ seed, status: 200 });
    const { cost } = (body['extensions'] ?? {}) as { readonly cost?: { readonly estimated: number; readonly actual: number } };
    if (rejected !== undefined) {
      expected += ORDINARY.rejection;
      continue;
    }
    if (cost === undefined) throw new Error(`seed ${seed}: the response does not report its cost: ${JSON.stringify(body)}`);
    expect(cost.estimated).toBe(2 * n);
    if (cost.estimated >= SETTLED_FROM) {
      settled += cost.estimated - cost.actual;
      expected += Math.max(1, cost.actual);
    } else {
      expected += cost.estimated;
    }
  }
  const last = await shapes.http.post('/graphql', { query: '{ __typename }' });
  const left = Number(/;r=(?<left>\d+)/.exec(String(last.headers['ratelimit']))?.groups?.['left']);
  expect({ seed, spent: CAPACITY - left }).toEqual({ seed, spent: expected + 1 });
  expect(settled).toBeGreaterThan(0);
});
