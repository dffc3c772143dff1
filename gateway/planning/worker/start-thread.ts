import { existsSync } from 'node:fs';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { builtModule, entryModule } from '../../platform/package-root.ts';
import type { QueryPlannerOptions } from '../create-query-planner.ts';
import type { ThreadData } from './thread-messages.ts';

export interface ThreadOptions {
  readonly sdl: string;
  /** For the planner. @defaultValue none */
  readonly plannerOptions?: QueryPlannerOptions;
  /** Module that exports `createQueryPlanner`. @defaultValue the planner of this package */
  readonly plannerModule?: URL;
  /** Memory of the thread's objects. A plan that needs more ends the thread, and not the process. @unit megabytes */
  readonly maxHeapMb: number;
}

const ENTRY = 'gateway/planning/worker/planner-thread.ts';
const PLANNER = 'gateway/planning/create-query-planner.ts';

/** @unit megabytes */
const YOUNG_GENERATION_MB = 8;

/**
 * Starts the planner's thread. The build runs its own file of it. Sources run under tsx, whose hooks do not reach
 * threads by themselves, with the hooks; under anything else, which is Jest, they run what was built from them.
 *
 * @throws Error when there is no build
 */
export function startThread({ sdl, plannerOptions = {}, plannerModule, maxHeapMb }: ThreadOptions): Worker {
  const { entry, planner, hooks } = findModules();
  const data: ThreadData = { sdl, plannerOptions, plannerModule: (plannerModule ?? planner).href };
  const options: WorkerOptions = {
    name: 'gatefold-planner',
    execArgv: [], // what the process was started with is not for the thread: Node refuses to start one with some of it
    // What it makes is a plan or garbage: a young generation of the usual size would be filled for nothing, and stay.
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  };
  if (hooks === undefined) return new Worker(entry, { ...options, workerData: data });
  return new Worker(WITH_HOOKS, { ...options, eval: true, workerData: { ...data, hooks, entry: entry.href } });
}

const WITH_HOOKS = `
  const { workerData } = require('node:worker_threads');
  import(workerData.hooks).then(({ register }) => { register(); return import(workerData.entry); });
`;

interface Modules {
  readonly entry: URL;
  readonly planner: URL;
  /** What makes Node read TypeScript in the thread. */
  readonly hooks?: string;
}

function findModules(): Modules {
  if (import.meta.url.endsWith('.ts') && process.execArgv.some((argument) => argument.includes('tsx'))) {
    return { entry: entryModule(ENTRY), planner: entryModule(PLANNER), hooks: import.meta.resolve('tsx/esm/api') };
  }
  const modules = { entry: builtModule(ENTRY), planner: builtModule(PLANNER) };
  if (!existsSync(modules.entry)) throw new Error('The planner runs from the build, and there is none: `npm run build`.');
  return modules;
}
