import { describe } from '@jest/globals';
import { createMemoryDocumentStore } from '../../../../gateway/persisted/document-store.ts';
import { documentStoreContract, LIMITS } from './document-store-contract.ts';

describe('the in-memory document store', () => {
  documentStoreContract(async () => {
    let now = 1_000;
    const store = createMemoryDocumentStore(LIMITS, { now: () => now, monotonic: () => now });
    return {
      store,
      async settle() {},
      async pass(ms) {
        now += ms;
      },
    };
  });
});
