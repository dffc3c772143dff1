import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Niceness of a thread that must not delay others: a core that has both to do gives it a tenth of its time. */
const NICENESS = 10;

/**
 * Lets the threads that answer requests run first where there are fewer cores than threads. Only Linux has priorities of threads; elsewhere all
 * threads have the same.
 */
export function lowerThreadPriority(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    if (thread > 0) setPriority(thread, NICENESS);
  } catch {
    // Another operating system, or a sandbox without /proc: the thread keeps its priority.
  }
}
