import { parentPort, workerData } from 'node:worker_threads';

// Thread of `start-reused-thread.ts`. Works like `gateway/planning/worker/planner-thread.ts`, without its priority.

const { openModule, failureModule } = workerData;
const { openPlanner } = await import(openModule);
const { toPlanFailure } = await import(failureModule);

let planner;

function respond(message) {
  parentPort.postMessage(message, []);
}

async function load(supergraph) {
  try {
    const opened = await openPlanner(supergraph, workerData);
    planner = opened.planner;
    return { kind: 'ready', indexes: opened.indexes };
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

parentPort.on('message', (message) => {
  if (message.kind === 'open') void load(message.supergraph).then(respond);
  else respond(plan(message.input));
});
