import { performance } from 'node:perf_hooks';

/** Time, injected wherever a test must be able to move it. */
export interface Clock {
  /** Wall clock, for expiry dates only: it may jump. @unit milliseconds since the epoch */
  now(): number;
  /** Never goes backwards, for durations and deadlines. @unit milliseconds since an arbitrary start */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
