import { watchAnswers } from '../description/watch-answers.ts';
import { startReferenceStack } from './reference-stack.ts';

/**
 * Holds a reference stack for all test files of a run: tells its addresses to its parent and ends with it. Clients of the tests look at
 * their answers themselves; here everybody's are, also those of bare sockets, browsers and libraries. One that is not as described fails the run.
 */
const watch = watchAnswers();

/** The first say enough. */
const MOST_TOLD = 20;

const stack = await startReferenceStack(process.argv[2] === 'postgresql' ? 'postgresql' : 'pglite');
const { url, internalUrl, unlimitedUrl, apolloUrl, subgraphUrls, developmentKey, identitySecret } = stack;
process.send?.({ url, internalUrl, unlimitedUrl, apolloUrl, subgraphUrls, developmentKey, identitySecret });
process.once('disconnect', () => {
  void stack[Symbol.asyncDispose]().then(async () => {
    const faulty = await watch.faults();
    for (const { what, faults, text } of faulty.slice(0, MOST_TOLD)) {
      process.stderr.write(`${what} is not answered as described: ${faults.join('; ')}\n${text}\n`);
    }
    process.exit(faulty.length === 0 ? 0 : 1);
  });
});
