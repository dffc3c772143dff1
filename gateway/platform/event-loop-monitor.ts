import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

/** Measurement of the event loop since the previous one. */
export interface EventLoopSample {
  /** Monotonic time of the measurement. @unit milliseconds */
  readonly at: number;
  /** Share of the time in which the event loop was not idle, from 0 to 1. */
  readonly utilization: number;
  /** Mean time for which ready work had to wait. @unit milliseconds */
  readonly delayMs: number;
}

/** Measures the event loop of the process at an interval. */
export interface EventLoopMonitor extends Disposable {
  /**
   * Measures now if the next measurement is late by a time. An iteration of the event loop that takes long postpones it to its end.
   *
   * @unit milliseconds
   */
  measureIfLate(lateMs: number): void;
  /** Measures the delay with a precision of 2 ms, or only from the delay of the interval, which costs almost nothing. */
  measurePrecisely(isPrecise: boolean): void;
}

/** Interval of the timer whose delay is measured. @unit milliseconds */
const RESOLUTION_MS = 2;

/** Starts measuring. The interval does not prevent the process from exiting. */
export function startEventLoopMonitor(intervalMs: number, onSample: (sample: EventLoopSample) => void): EventLoopMonitor {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let isPrecise = false;
  let before = performance.eventLoopUtilization();
  let lastAt = performance.now();

  function sample(): void {
    const at = performance.now();
    const total = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(total, before);
    before = total;
    const lateMs = Math.max(0, at - lastAt - intervalMs);
    const delayMs = isPrecise && delays.count > 0 ? Math.max(0, delays.mean / 1e6 - RESOLUTION_MS) : lateMs;
    delays.reset();
    lastAt = at;
    onSample({ at, utilization, delayMs });
  }

  const timer = setInterval(sample, intervalMs).unref();
  return {
    measureIfLate(lateMs) {
      if (performance.now() - lastAt - intervalMs >= lateMs) sample();
    },
    measurePrecisely(precise) {
      if (precise === isPrecise) return;
      isPrecise = precise;
      if (precise) delays.enable();
      else delays.disable();
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      delays.disable();
    },
  };
}
