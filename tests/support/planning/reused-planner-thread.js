import { parentPort, workerData } from 'node:worker_threads';

// Thread of `start-reused-thread.ts`. Works like `gateway/planning/worker/planner-thread.ts`, but for one supergraph after another.

const { plannerModule, failureModule } = workerData;
const { createQueryPlanner } = await import(plannerModule);
const { toPlanFailure } = await import(failureModule);

let planner;

function respond(message) {
  parentPort.postMessage(message, []);
}

function load({ sdl, plannerOptions }) {
  try {
    planner = createQueryPlanner(sdl, plannerOptions);
    return { kind: 'ready' };
  } catch (error) {
    return { kind: 'not-started', failure: toPlanFailure(error) };
  }
}

function plan(input) {
  try {
    return { kind: 'planned', plan: planner.plan(input) };
  } catch (error) {
    return { kind: 'failed', failure: toPlanFailure(error) };
  }
}

parentPort.on('message', (message) => respond('sdl' in message ? load(message) : plan(message)));
