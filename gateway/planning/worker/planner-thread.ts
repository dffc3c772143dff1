import { parentPort, workerData } from 'node:worker_threads';
import type { PlanInput, QueryPlanner } from '../query-planner.ts';
import { lowerThreadPriority } from './lower-thread-priority.ts';
import { openPlanner } from './open-planner.ts';
import { type OpenedSupergraph, type ThreadResponse, type ThreadData, type ThreadRequest, toPlanFailure } from './thread-messages.ts';

// Entry module of the planner's thread. It is started by path. It opens the supergraph that it receives, and plans the operations that it
// receives, one after another. It can then open another supergraph, which replaces the previous one.

let planner: QueryPlanner | undefined;
/** Texts of the supergraph that is being received. */
let texts: string[] = [];

function respond(message: ThreadResponse): void {
  parentPort?.postMessage(message, []);
}

async function open(supergraph: OpenedSupergraph): Promise<ThreadResponse> {
  planner = undefined; // Its memory is released before the next planner is created.
  const sdl = [...texts, supergraph.sdl].join('');
  texts = [];
  try {
    const opened = await openPlanner({ ...supergraph, sdl }, workerData as ThreadData);
    planner = opened.planner;
    return { kind: 'ready', indexes: opened.indexes };
  } catch (error) {
    return { kind: 'not-started', failure: toPlanFailure(error) };
  }
}

function plan(input: PlanInput): ThreadResponse {
  try {
    if (planner === undefined) throw new Error('The planner has no supergraph.');
    return { kind: 'planned', plan: planner.plan(input) };
  } catch (error) {
    return { kind: 'failed', failure: toPlanFailure(error) };
  }
}

lowerThreadPriority();
parentPort?.on('message', (request: ThreadRequest) => {
  if (request.kind === 'plan') respond(plan(request.input));
  else if (request.kind === 'text') texts.push(request.text);
  else void open(request.supergraph).then(respond);
});
