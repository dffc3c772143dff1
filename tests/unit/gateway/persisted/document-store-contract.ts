import { expect, it } from '@jest/globals';
import type { DocumentStore } from '../../../../gateway/persisted/document-store.ts';
import { sha256Of } from '../../../../gateway/persisted/document-reference.ts';

export interface StoreUnderTest {
  readonly store: DocumentStore;
  /** Lets time pass. @unit milliseconds */
  pass(ms: number): Promise<void>;
  /** Resolves when all that was set has arrived. */
  settle(): Promise<void>;
}

/** What a store is opened with: room for three texts of a hundred characters, for as long as is said. */
export const LIMITS = { maxEntries: 3, maxBytes: 3 * 1_000, timeToLiveMs: 500 };

const text = (name: string): string => `{ ${name.padEnd(96, ' ')} }`;

/** What holds for every store of documents. */
export function documentStoreContract(open: () => Promise<StoreUnderTest>): void {
  it('given nothing, when a text is asked for, then there is none', async () => {
    const { store } = await open();
    expect(await store.get(sha256Of('{ a }'))).toBeUndefined();
    expect(store.has(sha256Of('{ a }'))).toBe(false);
  });

  it('given a text, when it is asked for, then it comes at once', async () => {
    const { store } = await open();
    store.set(sha256Of('{ ä }'), '{ ä }');
    expect(store.get(sha256Of('{ ä }'))).toBe('{ ä }');
    expect(store.has(sha256Of('{ ä }'))).toBe(true);
  });

  it('given a text, when its time is over, then there is none', async () => {
    const { store, pass, settle } = await open();
    store.set(sha256Of('{ a }'), '{ a }');
    await settle();
    await pass(LIMITS.timeToLiveMs + 50);
    expect(await store.get(sha256Of('{ a }'))).toBeUndefined();
  });

  it('given more texts than there is room for, when the first is asked for, then there is none, and the last is there', async () => {
    const { store, settle } = await open();
    for (const name of ['a', 'b', 'c', 'd']) {
      store.set(sha256Of(text(name)), text(name));
      await settle();
    }
    expect(await store.get(sha256Of(text('a')))).toBeUndefined();
    expect(await store.get(sha256Of(text('d')))).toBe(text('d'));
  });

  it('given a text that takes more than all that there is, when it is set, then the others stay', async () => {
    const { store, settle } = await open();
    store.set(sha256Of('{ a }'), '{ a }');
    const huge = `{ ${'a '.repeat(LIMITS.maxBytes)} }`;
    store.set(sha256Of(huge), huge);
    await settle();
    expect(store.get(sha256Of('{ a }'))).toBe('{ a }');
    expect(store.has(sha256Of(huge))).toBe(false);
  });
}
