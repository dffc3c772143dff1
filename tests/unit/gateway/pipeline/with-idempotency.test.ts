import { buildSchema } from 'graphql';
import { describe, expect, it } from '@jest/globals';
import { withIdempotency } from '../../../../gateway/pipeline/with-idempotency.ts';
import type { CallerBudget } from '../../../../gateway/budget/caller-budget.ts';
import type { KeyedRequest } from '../../../../gateway/idempotency/idempotency.ts';
import { createIdempotency } from '../../../../gateway/idempotency/idempotency.ts';
import { createMemoryIdempotencyStore } from '../../../../gateway/idempotency/memory-idempotency-store.ts';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';
import { loadStorefront } from '../../../fixtures/storefront/storefront.ts';
import { LIMITS } from '../idempotency/idempotency-store-contract.ts';
import { newPipeline, requestFor } from '../../../support/gateway/new-pipeline.ts';

const schema = buildSchema(
  'type Query { a: Int } type Mutation { open(idempotencyKey: String): String close(idempotencyKey: String): String }',
);

/** A door whose mutation `open` shows a secret; tells what keys it had, and what was kept of answers. */
async function newDoor() {
  const keys: unknown[] = [];
  const kept: string[] = [];
  const spent: string[] = [];
  const { pipeline, keyMutation, authorizeReplay } = await newPipeline(
    {
      loaded: { ...loadStorefront(), schema },
      execute: async ({ variables }) => {
        keys.push(Object.values(variables ?? {})[0]);
        return { data: `{"answer":"secret ${keys.length}"}`, errors: [] };
      },
    },
    { neverStored: ['Mutation.open'] },
  );
  const clock = { now: () => 1_000, monotonic: () => 1_000 };
  const memory = createMemoryIdempotencyStore({ ...LIMITS, maxKeys: 10, maxEntries: 100, maxBytes: 1_000_000, clock });
  const store = {
    ...memory,
    complete: (...given: Parameters<typeof memory.complete>) => {
      kept.push(given[1]);
      return memory.complete(...given);
    },
  };
  const idempotency = createIdempotency({ store, maxReplyBytes: 1_000 });
  const { execute } = withIdempotency(pipeline, { idempotency, keyMutation, authorizeReplay });
  const principal: KeyedRequest['principal'] = { ...ANONYMOUS, kind: 'user', id: 'ada' };
  return {
    keys,
    kept,
    /** For what was paid, by kind. */
    spent,
    send(text: string) {
      const budget = {
        payDocument: () => 0,
        spend: (kind: string) => void spent.push(kind),
        settle: () => undefined,
      } as unknown as CallerBudget;
      return execute(requestFor(text, { principal, headers: { 'idempotency-key': 'one' }, budget }));
    },
  };
}

describe('a mutation with a key by POST /graphql', () => {
  it.each(['mutation { open }', 'mutation { seen: open }'])(
    'given %s, whose answers are not to be kept, when sent again, then the subgraph is asked with the key, and nothing was kept',
    async (text) => {
      const { send, keys, kept } = await newDoor();
      const [first, again] = [await send(text), await send(text)];
      expect([first.isReplayed, again.isReplayed]).toEqual([false, true]);
      expect([first.body, again.body]).toEqual([expect.stringContaining('secret 1'), expect.stringContaining('secret 2')]);
      expect(keys).toEqual(['one', 'one']);
      expect(kept).toHaveLength(1);
      expect(kept.join()).not.toContain('secret');
    },
  );

  it('given another mutation, when sent again, then the answer is the first one, and nobody is asked', async () => {
    const { send, keys, kept, spent } = await newDoor();
    const [first, again] = [await send('mutation { open: close }'), await send('mutation { open: close }')];
    expect(spent).toEqual(['mutation', 'mutation']);
    expect(again).toMatchObject({ isReplayed: true, body: first.body });
    expect(keys).toEqual(['one']);
    expect(kept.join()).toContain('secret 1');
  });
});
