import { expect, it } from '@jest/globals';
import type { DocumentStore } from '../../../../gateway/persisted/document-store.ts';
import { sha256Of } from '../../../../gateway/persisted/document-reference.ts';

export interface StoreUnderTest {
  readonly store: DocumentStore;
  /** Advances the time. @unit milliseconds */
  pass(ms: number): Promise<void>;
  /** Resolves when all documents that were set are stored. */
  settle(): Promise<void>;
}

/** Limits of the store under test: capacity for three texts of a hundred characters, and their time to live. */
export const LIMITS = { maxEntries: 3, maxBytes: 3 * 1_000, timeToLiveMs: 500 };

const text = (name: string): string => `{ ${name.padEnd(96, ' ')} }`;

/** Registers the tests that every implementation of a document store must pass. */
export function documentStoreContract(open: () => Promise<StoreUnderTest>): void {
  it('returns undefined for an unknown text', async () => {
    const { store } = await open();
    expect(await store.get(sha256Of('{ a }'))).toBeUndefined();
    expect(store.has(sha256Of('{ a }'))).toBe(false);
  });

  it('returns a stored text synchronously', async () => {
    const { store } = await open();
    store.set(sha256Of('{ ä }'), '{ ä }');
    expect(store.get(sha256Of('{ ä }'))).toBe('{ ä }');
    expect(store.has(sha256Of('{ ä }'))).toBe(true);
  });

  it('returns undefined after the time to live', async () => {
    const { store, pass, settle } = await open();
    store.set(sha256Of('{ a }'), '{ a }');
    await settle();
    await pass(LIMITS.timeToLiveMs + 50);
    expect(await store.get(sha256Of('{ a }'))).toBeUndefined();
  });

  it('evicts the first text when the capacity is exceeded, and returns the last one', async () => {
    const { store, settle } = await open();
    for (const name of ['a', 'b', 'c', 'd']) {
      store.set(sha256Of(text(name)), text(name));
      await settle();
    }
    expect(await store.get(sha256Of(text('a')))).toBeUndefined();
    expect(await store.get(sha256Of(text('d')))).toBe(text('d'));
  });

  it('retains the other texts when a text exceeds the whole capacity', async () => {
    const { store, settle } = await open();
    store.set(sha256Of('{ a }'), '{ a }');
    const huge = `{ ${'a '.repeat(LIMITS.maxBytes)} }`;
    store.set(sha256Of(huge), huge);
    await settle();
    expect(store.get(sha256Of('{ a }'))).toBe('{ a }');
    expect(store.has(sha256Of(huge))).toBe(false);
  });
}
