/**
 * Sends 50,000 requests of twenty callers in random order to the response cache. Exits with 1 if a caller reads a byte of another caller's
 * response.
 *
 * Duration: about 1 minute
 *
 * `npm run prove cache-isolation [seed]`
 */
import { createRandom } from '../support/random/random.ts';
import { startCachedGraph } from '../fixtures/cached-graph.ts';
import { interleavePrincipals } from '../integration/cache/interleave-principals.ts';

const REQUESTS = 50_000;

const seed = Number(process.argv[2] ?? Date.now() % 1_000_000);
await using graph = await startCachedGraph();
const seen = await interleavePrincipals(graph, REQUESTS, createRandom(seed));
console.table({ seed, requests: REQUESTS, ...seen });
if (seen.foreignBytes + seen.foreignNotModified > 0) process.exitCode = 1;
