import { watchResponses } from '../description/watch-responses.ts';
import { startReferenceStack } from './reference-stack.ts';

/**
 * Holds a reference stack for all test files of a run. Sends its addresses to the parent process and ends with it. The test clients check
 * their responses themselves. This process checks all of them, also those to raw sockets, browsers and libraries. A response that does not
 * match its description fails the run.
 */
const watch = watchResponses();

/** Maximum number of violations that are printed. */
const MOST_REPORTED = 20;

const stack = await startReferenceStack(process.argv[2] === 'postgresql' ? 'postgresql' : 'pglite');
const { url, internalUrl, unlimitedUrl, apolloUrl, subgraphUrls, developmentKey, identitySecret } = stack;
process.send?.({ url, internalUrl, unlimitedUrl, apolloUrl, subgraphUrls, developmentKey, identitySecret });
process.once('disconnect', () => {
  void stack[Symbol.asyncDispose]().then(async () => {
    const deviating = await watch.issues();
    for (const { what, issues: failures, text } of deviating.slice(0, MOST_REPORTED)) {
      process.stderr.write(`The response to ${what} does not match its description: ${failures.join('; ')}\n${text}\n`);
    }
    process.exit(deviating.length === 0 ? 0 : 1);
  });
});
