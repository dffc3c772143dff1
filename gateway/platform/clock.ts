import { performance } from 'node:perf_hooks';

/** Time source, which tests can replace. */
export interface Clock {
  /** Returns the wall-clock time. It may jump, so use it only for expiry dates. @unit milliseconds since the epoch */
  now(): number;
  /** Returns a time that never goes backwards, for durations and deadlines. @unit milliseconds since an arbitrary start */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
