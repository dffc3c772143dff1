import { existsSync } from 'node:fs';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { builtModule, entryModule, isSourceRun } from '../../platform/package-root.ts';
import { sendSupergraph } from './send-supergraph.ts';
import type { OpenedSupergraph, ThreadData } from './thread-messages.ts';

export interface ThreadOptions {
  /** First supergraph of the thread. */
  readonly supergraph: OpenedSupergraph;
  /** Module that exports `createQueryPlanner`. @defaultValue the planner of this package */
  readonly plannerModule?: URL;
  /** Maximum heap size of the thread. A plan that needs more terminates the thread, but not the process. @unit megabytes */
  readonly maxHeapMb: number;
}

const ENTRY = 'gateway/planning/worker/planner-thread.ts';
const PLANNER = 'gateway/planning/create-query-planner.ts';
const INDEXER = 'gateway/planning/indexing/create-indexes.ts';

/** Bundles of the modules in the build. */
const BUILT_ENTRY = 'gateway/planning/worker/planner-thread.bundle.js';
const BUILT_PLANNER = 'gateway/planning/worker/query-planner.bundle.js';
const BUILT_INDEXER = 'gateway/planning/worker/create-indexes.bundle.js';

/** @unit megabytes */
const YOUNG_GENERATION_MB = 8;

/**
 * Starts the planner's thread and lets it open a supergraph. The build runs the built file. Under tsx, the thread runs the sources with the
 * tsx hooks, which threads do not inherit. In any other environment, such as Jest, it runs the built files.
 *
 * @throws Error when there is no build
 */
export function startThread({ supergraph, plannerModule, maxHeapMb }: ThreadOptions): Worker {
  const { entry, planner, indexer, hooks } = findModules(plannerModule !== undefined);
  const data: ThreadData = { plannerModule: (plannerModule ?? planner).href, indexModule: indexer.href };
  const options: WorkerOptions = {
    name: 'gatefold-planner',
    execArgv: [], // The options of the process are not passed to the thread, because Node rejects some of them for threads.
    // Memory is used either for the plan or for garbage. A young generation of the usual size would be filled without benefit and would not
    // shrink.
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  };
  const started =
    hooks === undefined
      ? new Worker(entry, { ...options, workerData: data })
      : new Worker(WITH_HOOKS, { ...options, eval: true, workerData: { ...data, hooks, entry: entry.href } });
  // The supergraph is not part of the data of the thread, which would keep it after the thread has opened another one.
  sendSupergraph(started, supergraph);
  return started;
}

const WITH_HOOKS = `
  const { workerData } = require('node:worker_threads');
  import(workerData.hooks).then(({ register }) => { register(); return import(workerData.entry); });
`;

interface Modules {
  readonly entry: URL;
  readonly planner: URL;
  readonly indexer: URL;
  /** Module with the hooks that make Node read TypeScript in the thread. */
  readonly hooks?: string;
}

/** @param isShared whether another planner needs the classes of the entry module, which a bundle does not share */
function findModules(isShared: boolean): Modules {
  if (isSourceRun) {
    const hooks = import.meta.resolve('tsx/esm/api');
    return { entry: entryModule(ENTRY), planner: entryModule(PLANNER), indexer: entryModule(INDEXER), hooks };
  }
  const [entry, planner, indexer] = isShared ? [ENTRY, PLANNER, INDEXER] : [BUILT_ENTRY, BUILT_PLANNER, BUILT_INDEXER];
  const modules = { entry: builtModule(entry), planner: builtModule(planner), indexer: builtModule(indexer) };
  if (!existsSync(modules.entry)) throw new Error('The planner runs from the build, which does not exist. Run `npm run build`.');
  return modules;
}
