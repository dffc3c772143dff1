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

/** Creates an endpoint whose mutation `open` returns a secret. It records the keys that the execution received and the stored responses. */
async function newTransport() {
  const keys: unknown[] = [];
  const stored: string[] = [];
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
      stored.push(given[1]);
      return memory.complete(...given);
    },
  };
  const idempotency = createIdempotency({ store, maxResponseBytes: 1_000 });
  const { execute } = withIdempotency(pipeline, { idempotency, keyMutation, authorizeReplay });
  const principal: KeyedRequest['principal'] = { ...ANONYMOUS, kind: 'user', id: 'ada' };
  return {
    keys,
    stored,
    /** Kinds of the charges. */
    spent,
    send(text: string) {
      const budget = {
        payDocument: () => 0,
        spend: ({ kind }: { readonly kind: string }) => void spent.push(kind),
        settle: () => undefined,
      } as unknown as CallerBudget;
      return execute(requestFor(text, { principal, headers: { 'idempotency-key': 'one' }, budget }));
    },
  };
}

describe('a mutation with an idempotency key by POST /graphql', () => {
  it.each(['mutation { open }', 'mutation { seen: open }'])(
    'repeats %s with its key at the subgraph, because its response must not be stored',
    async (text) => {
      const { send, keys, stored } = await newTransport();
      const [first, again] = [await send(text), await send(text)];
      expect([first.isReplayed, again.isReplayed]).toEqual([false, true]);
      expect([first.body, again.body]).toEqual([expect.stringContaining('secret 1'), expect.stringContaining('secret 2')]);
      expect(keys).toEqual(['one', 'one']);
      expect(stored).toHaveLength(1);
      expect(stored.join()).not.toContain('secret');
    },
  );

  it('replays the first response of other mutations without a subgraph request', async () => {
    const { send, keys, stored, spent } = await newTransport();
    const [first, again] = [await send('mutation { open: close }'), await send('mutation { open: close }')];
    expect(spent).toEqual(['mutation', 'mutation']);
    expect(again).toMatchObject({ isReplayed: true, body: first.body });
    expect(keys).toEqual(['one']);
    expect(stored.join()).toContain('secret 1');
  });
});
