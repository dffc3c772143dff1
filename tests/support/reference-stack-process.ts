import { startReferenceStack } from './reference-stack.ts';

/** Holds a reference stack for all test files of a run: tells its addresses to its parent and ends with it. */
const stack = await startReferenceStack(process.argv[2] === 'postgresql' ? 'postgresql' : 'pglite');
const { url, internalUrl, unlimitedUrl, subgraphUrls, developmentKey, identitySecret } = stack;
process.send?.({ url, internalUrl, unlimitedUrl, subgraphUrls, developmentKey, identitySecret });
process.once('disconnect', () => {
  void stack[Symbol.asyncDispose]().then(() => process.exit(0));
});
