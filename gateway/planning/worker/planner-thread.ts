import { parentPort, workerData } from 'node:worker_threads';
import type { IndexingPlanner, QueryPlannerOptions } from '../create-query-planner.ts';
import type { QueryPlanner } from '../query-planner.ts';
import { lowerThreadPriority } from './lower-thread-priority.ts';
import { type ThreadResponse, type ThreadData, type ThreadRequest, toPlanFailure } from './thread-messages.ts';

// Entry module of the planner's thread. It is started by path with the supergraph, and plans the operations that it receives, one after
// another.

const { sdl, plannerOptions, plannerModule } = workerData as ThreadData;

interface PlannerModule {
  readonly createQueryPlanner: (sdl: string, options: QueryPlannerOptions) => IndexingPlanner;
}

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
  const { createQueryPlanner } = (await import(plannerModule)) as PlannerModule;
  const planner = createQueryPlanner(sdl, plannerOptions);
  parentPort?.on('message', (input: ThreadRequest) => respond(planWith(planner, input)));
  respond(planner.index === undefined ? { kind: 'ready' } : { kind: 'ready', index: planner.index });
} catch (error) {
  respond({ kind: 'not-started', failure: toPlanFailure(error) });
}
