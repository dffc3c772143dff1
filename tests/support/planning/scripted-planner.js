import { appendFileSync, existsSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import { OperationRejected } from '../../../dist/gateway/operation/operation-rejected.js';

/** Number of supergraphs that this thread has opened. */
let opened = 0;

/**
 * Creates a planner for the planner thread that does what the operation text names. The "supergraph" is the path of a file that gets a line
 * per start.
 */
export function createQueryPlanner(sdl) {
  opened += 1;
  if (sdl === 'unusable' || (opened > 1 && sdl.endsWith('unusable when reused'))) throw new Error('no such supergraph');
  if (sdl === 'ends at once' || (opened > 1 && sdl.endsWith('ends when reused'))) process.exit(7);
  appendFileSync(sdl, 'start\n');
  let held = [];
  return {
    plan({ document, conditions, labels }) {
      if (document === 'forever') for (;;) held.length = 0;
      if (document.startsWith('until ')) while (!existsSync(document.slice('until '.length)));
      if (document === 'end') process.exit(5);
      if (document === 'all memory') for (;;) held.push(Array.from({ length: 1_000 }, () => document));
      if (document === 'too much')
        throw new OperationRejected('GRAPHQL_VALIDATION_FAILED', [{ message: 'Too much.', locations: [{ line: 1, column: 2 }] }]);
      if (document === 'too deep') throw new RangeError('Maximum call stack size exceeded');
      if (document === 'defect') throw new TypeError('no edge');
      return {
        kind: 'query',
        fetches: [{ subgraph: document === 'thread' ? `thread ${threadId}` : document, kind: 'query', dependsOn: [] }],
        keys: { withArguments: conditions, beneathAbstract: { labels: labels.join() } },
      };
    },
  };
}
