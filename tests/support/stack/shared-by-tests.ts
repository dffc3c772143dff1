import { afterAll, beforeAll } from '@jest/globals';

/**
 * One for all tests of the `describe` that this is called in, started before the first and disposed after the last. For tests that
 * leave nothing behind which another would notice.
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
    if (shared === undefined) throw new Error('It is there once the tests run.');
    return shared;
  };
}
