import type { EventLoopSample } from '../../event-loop-monitor.ts';

/** Thresholds of the admission queue. */
export interface AdmissionQueueSettings {
  /** Event loop delay from which the queue is active, while the event loop is saturated. @unit milliseconds */
  readonly activationDelayMs: number;
  /** Event loop delay up to which further requests are started while the event loop is saturated. @unit milliseconds */
  readonly targetDelayMs: number;
  /** Time that requests may need to wait before the process is overloaded. @unit milliseconds */
  readonly maxQueueMs: number;
  /** Time that requests may need to wait during overload. @unit milliseconds */
  readonly overloadQueueMs: number;
  /** Time after the start and after a new supergraph in which overload does not begin. @unit milliseconds */
  readonly warmUpMs: number;
}

/** A request that may have to wait until it is started. */
export interface Admissible {
  /** Whether the client has disconnected while the request waited. */
  isGone(): boolean;
  start(): void;
}

/** Limits the requests in progress while the event loop cannot keep up. */
export interface AdmissionQueue {
  /** Whether requests must pass through the queue. False while the event loop delay is short. */
  readonly isActive: boolean;
  /** Whether requests are rejected. */
  readonly isOverloaded: boolean;
  /** Maximum number of requests in progress; infinite while the queue is not active. */
  readonly limit: number;
  readonly running: number;
  readonly waiting: number;
  /** Starts a request now or later. @param now monotonic time. @unit milliseconds @returns false if it must be rejected */
  enter(request: Admissible, now: number): boolean;
  /** Ends a started request. */
  leave(): void;
  /** Adapts the limit to a measurement of the event loop. */
  adapt(sample: EventLoopSample): void;
  /** Begins a warm-up. An overload that has begun continues. */
  warmUp(now: number): void;
}

/** Utilization from which the event loop is saturated. */
const SATURATED = 0.98;
/** Utilization from which more requests in progress complete hardly more requests. They would only keep more data in memory. */
const BUSY = 0.9;
/** Time without a long delay or without a rejection, after which the queue is inactive or the overload ends. @unit milliseconds */
const CALM_MS = 1_000;
/** Time constant with which the rate of completed requests is averaged. @unit milliseconds */
const RATE_MS = 1_000;
/** First limit, and its minimum. @unit requests */
const FIRST_LIMIT = 8;
const MIN_LIMIT = 2;
/** Minimum length of the queue, because the rate of slow requests is not precise. @unit requests */
const MIN_QUEUE = 16;
const MAX_DECREASE = 0.5;
const INCREASE = 1.5;
/** Increase while the event loop is busy. It may be busy with rejections, while the requests in progress wait for slow subgraphs. */
const SLOW_INCREASE = 1.02;

/**
 * Creates the queue. It is active from a delay of `activationDelayMs` until the delay is short again and few requests wait. A gateway that
 * is busy but completes all requests does not pay for it. While it is active, at most `limit` requests are in progress, and others wait in order of
 * arrival. The limit follows the event loop delay, so that iterations of the event loop remain short and a rejection is sent at once. It
 * increases by half while the event loop is not busy, because the requests then wait for subgraphs, and slowly while it is. A request is rejected only if those before
 * it need longer than `maxQueueMs` at the measured rate. From the first rejection until there was none for a second, `overloadQueueMs`
 * applies instead.
 *
 * @param schedule calls a function in the next iteration of the event loop
 */
export function createAdmissionQueue(
  { activationDelayMs, targetDelayMs, maxQueueMs, overloadQueueMs, warmUpMs }: AdmissionQueueSettings,
  schedule: (callback: () => void) => void = setImmediate,
): AdmissionQueue {
  const queue = new Set<Admissible>();
  let isActive = false;
  let isOverloaded = false;
  let limit = Number.POSITIVE_INFINITY;
  let running = 0;
  let completed = 0;
  /** Requests that the process completes. @unit requests per millisecond */
  let rate: number | undefined;
  let sampledAt: number | undefined;
  let delayedAt = Number.NEGATIVE_INFINITY;
  let rejectedAt = Number.NEGATIVE_INFINITY;
  let warmUntil = Number.NEGATIVE_INFINITY;
  let isScheduled = false;

  function startWaiting(): void {
    isScheduled = false;
    for (const request of queue) {
      if (running >= limit) return;
      queue.delete(request);
      if (request.isGone()) continue;
      running += 1;
      request.start();
    }
  }

  function scheduleWaiting(): void {
    if (isScheduled || queue.size === 0 || running >= limit) return;
    isScheduled = true;
    schedule(startWaiting);
  }

  function maxWaiting(now: number): number {
    if (isOverloaded) return Math.max(MIN_QUEUE, (rate ?? 0) * overloadQueueMs);
    return rate === undefined || now < warmUntil ? Number.POSITIVE_INFINITY : Math.max(MIN_QUEUE, rate * maxQueueMs);
  }

  function averageRate(elapsedMs: number): void {
    const current = completed / elapsedMs;
    rate = rate === undefined ? current : rate + (current - rate) * (1 - Math.exp(-elapsedMs / RATE_MS));
  }

  function adaptLimit({ utilization, delayMs }: EventLoopSample): void {
    const isSaturated = utilization >= SATURATED;
    if (isSaturated && delayMs > targetDelayMs) limit = Math.max(MIN_LIMIT, limit * Math.max(MAX_DECREASE, targetDelayMs / delayMs));
    // A limit that is not reached does not increase, because it would be too high when the load rises.
    else if (running >= limit || queue.size > 0) limit = utilization >= BUSY ? limit * SLOW_INCREASE : limit * INCREASE + 1;
  }

  /** Whether the requests that wait could be started at once without a long delay. */
  function isCalm(now: number): boolean {
    return !isOverloaded && now - delayedAt >= CALM_MS && queue.size <= Math.max(MIN_QUEUE, (rate ?? 0) * overloadQueueMs);
  }

  function activate(shouldBeActive: boolean): void {
    if (shouldBeActive === isActive) return;
    isActive = shouldBeActive;
    rate = undefined;
    limit = shouldBeActive ? FIRST_LIMIT : Number.POSITIVE_INFINITY;
  }

  return {
    get isActive() {
      return isActive;
    },
    get isOverloaded() {
      return isOverloaded;
    },
    get limit() {
      return limit;
    },
    get running() {
      return running;
    },
    get waiting() {
      return queue.size;
    },
    enter(request, now) {
      if (queue.size === 0 && running < limit) {
        running += 1;
        request.start();
        return true;
      }
      if (queue.size >= maxWaiting(now)) {
        isOverloaded = true;
        rejectedAt = now;
        return false;
      }
      queue.add(request);
      return true;
    },
    leave() {
      running -= 1;
      completed += 1;
      scheduleWaiting();
    },
    adapt(sample) {
      const { at, utilization, delayMs } = sample;
      const elapsedMs = at - (sampledAt ?? at);
      sampledAt = at;
      if (utilization >= SATURATED && delayMs >= activationDelayMs) delayedAt = at;
      if (isActive && utilization >= SATURATED && elapsedMs > 0) averageRate(elapsedMs);
      completed = 0;
      if (isActive) adaptLimit(sample);
      if (isOverloaded && at - rejectedAt >= CALM_MS) isOverloaded = false;
      activate(isActive ? !isCalm(at) : delayedAt === at);
      scheduleWaiting();
    },
    warmUp(now) {
      warmUntil = now + warmUpMs;
    },
  };
}
