import { parentPort, workerData } from 'node:worker_threads';

// Thread of `start-reused-thread.ts`. Works like `gateway/planning/worker/planner-thread.ts`, without its priority.

const { openModule, failureModule } = workerData;
const { openPlanner } = await import(openModule);
const { toPlanFailure } = await import(failureModule);

let planner;
/** Texts of the supergraph that is being received. */
let texts = [];

function respond(message) {
  parentPort.postMessage(message, []);
}

async function load(supergraph) {
  const sdl = [...texts, supergraph.sdl].join('');
  texts = [];
  try {
    const opened = await openPlanner({ ...supergraph, sdl }, workerData);
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
  if (message.kind === 'text') texts.push(message.text);
  else if (message.kind === 'open') void load(message.supergraph).then(respond);
  else respond(plan(message.input));
});
