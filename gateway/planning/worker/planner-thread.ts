import { parentPort, workerData } from 'node:worker_threads';
import type { QueryPlanner } from '../query-planner.ts';
import { lowerThreadPriority } from './lower-thread-priority.ts';
import { openPlanner } from './open-planner.ts';
import { type ThreadResponse, type ThreadData, type ThreadRequest, toPlanFailure } from './thread-messages.ts';

// Entry module of the planner's thread. It is started by path with the supergraph, and plans the operations that it receives, one after
// another.

function respond(message: ThreadResponse): void {
  parentPort?.postMessage(message, []);
}

function planWith(planner: QueryPlanner, input: ThreadRequest): ThreadResponse {
  try {
    return { kind: 'planned', plan: planner.plan(input) };
  } catch (error) {
    return { kind: 'failed', failure: toPlanFailure(error) };
  }
}

lowerThreadPriority();
try {
  const { planner, indexes } = await openPlanner(workerData as ThreadData);
  parentPort?.on('message', (input: ThreadRequest) => respond(planWith(planner, input)));
  respond({ kind: 'ready', indexes });
} catch (error) {
  respond({ kind: 'not-started', failure: toPlanFailure(error) });
}
