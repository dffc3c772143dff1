import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Nice value of a thread that must not delay others. When a core runs both kinds of threads, this one gets a tenth of the time. */
const NICENESS = 10;

/**
 * Lets the threads that serve requests run first when there are fewer cores than threads. Only Linux has priorities per thread; on other
 * systems all threads have the same priority.
 */
export function lowerThreadPriority(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    if (thread > 0) setPriority(thread, NICENESS);
  } catch {
    // On another operating system, or in a sandbox without /proc, the priority is unchanged.
  }
}
