import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Share of a deadline for which the machine may have stopped the process. With more, a missed deadline shows nothing about the gateway. */
const MAX_SHARE = 0.25;

/**
 * Runs a case with a client and a gateway in this process, whose deadline the client must meet. If it fails, and other processes have
 * stopped this one for a large part of the deadline, the case runs again.
 *
 * @param deadlineMs deadline of the gateway. @unit milliseconds
 */
export async function repeatIfStopped(deadlineMs: number, run: () => Promise<void>): Promise<void> {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  try {
    for (;;) {
      delays.reset();
      try {
        return await run();
      } catch (error) {
        if (delays.max / 1e6 < deadlineMs * MAX_SHARE) throw error;
      }
    }
  } finally {
    delays.disable();
  }
}
