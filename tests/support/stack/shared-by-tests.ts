import { afterAll, beforeAll } from '@jest/globals';

/**
 * Starts one instance for all tests of the enclosing `describe`, before the first test, and disposes it after the last. For tests that
 * leave no state that affects another test.
 */
export function sharedByTests<T extends AsyncDisposable>(start: () => Promise<T>): () => T {
  let shared: T | undefined;
  beforeAll(async () => {
    shared = await start();
  });
  afterAll(async () => {
    await shared?.[Symbol.asyncDispose]();
  });
  return () => {
    if (shared === undefined) throw new Error('The shared instance exists only while tests run.');
    return shared;
  };
}
