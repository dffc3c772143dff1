import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Nice value of threads that must not delay requests, like that of the planner. When a core runs both, they get a tenth of the time. */
const NICENESS = 10;

/** Number of threads in which V8 compiles code and collects garbage, unless an option changes it. */
const USUAL_THREADS = 4;

/** Name that Node.js 24 gives these threads. */
const NAME = 'V8Worker';

/**
 * Lets the event loop run before the threads in which V8 compiles code and collects garbage, when there are fewer cores than threads. Without
 * it, requests wait while the code of a reload or of a first operation is compiled (ADR 111). Only Linux has priorities per thread; on other
 * systems all threads have the same priority.
 *
 * @param options options of Node.js: those of the command line and of `NODE_OPTIONS`
 */
export function lowerEnginePriority(options: readonly string[]): void {
  try {
    for (const thread of findEngineThreads(options)) setPriority(thread, NICENESS);
  } catch {
    // On another operating system, or in a sandbox without /proc, the priority is unchanged.
  }
}

function findEngineThreads(options: readonly string[]): readonly number[] {
  const threads = readdirSync('/proc/self/task')
    .map(Number)
    .toSorted((one, other) => one - other);
  const named = threads.filter((thread) => readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').startsWith(NAME));
  if (named.length > 0) return named;
  // Older versions do not name them. The first thread runs the event loop, the second one the timers of V8, and then these are created.
  return options.some((option) => /v8[-_]pool[-_]size/.test(option)) ? [] : threads.slice(2, 2 + USUAL_THREADS);
}
