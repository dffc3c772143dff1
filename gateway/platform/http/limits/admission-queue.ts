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
  /**
   * Counts a request. Activates the queue if the requests since the last measurement need `activationDelayMs` more than the time that has
   * passed, so that they are limited before they delay the event loop.
   *
   * @returns whether the request must pass through the queue
   */
  arrive(): boolean;
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
/** Utilization from which more requests in progress would hardly complete more, but lengthen the iterations of the event loop. */
const BUSY = 0.9;
/** Time without a long delay or without a rejection, after which the queue is inactive or the overload ends. @unit milliseconds */
const CALM_MS = 1_000;
/** Time constant with which the rate of completed requests is averaged. @unit milliseconds */
const RATE_MS = 1_000;
/** Time of measurements from which the rate is known, and the part of it that the expected rate replaces. @unit milliseconds */
const MIN_RATE_MS = 500;
const EXPECTED_RATE_MS = 400;
/** Time constant with which the processor time of a request is averaged. @unit milliseconds */
const COST_MS = 2_000;
/** Number of requests from which their average processor time is known. */
const MIN_REQUESTS = 20;
/** Share of `activationDelayMs` that the requests within the first limit need, and bounds of that limit. */
const FIRST_LIMIT = { share: 0.25, min: 4, max: 64 };
/** Minimum limit, and the multiple of `targetDelayMs` that the requests in progress may need in any case. @unit requests */
const MIN_LIMIT = 2;
const MIN_WORK = 2;
/** Minimum length of the queue, because the rate of slow requests is not precise. @unit requests */
const MIN_QUEUE = 16;
/** Smallest factor by which the limit decreases, and smallest share by which it increases, for each measurement. */
const MAX_DECREASE = 0.5;
const MIN_INCREASE = 0.1;

/**
 * Creates the queue. It is active from a delay of `activationDelayMs`, which is measured or expected, until the delay is short again and few
 * requests wait. A gateway that is busy but completes all requests does not pay for it. While it is active, at most `limit` requests are in
 * progress, and others wait in order of arrival. The limit follows the event loop delay, so that iterations of the event loop remain short
 * and a rejection is sent at once. It increases when the event loop is not saturated, because the requests then wait for subgraphs. A
 * request is rejected only if those before it need longer than `maxQueueMs` at the measured rate. From the first rejection until there was
 * none for a second, `overloadQueueMs` applies instead.
 *
 * @param schedule calls a function in the next iteration of the event loop
 * @param monotonic returns the monotonic time. @unit milliseconds
 */
export function createAdmissionQueue(
  { activationDelayMs, targetDelayMs, maxQueueMs, overloadQueueMs, warmUpMs }: AdmissionQueueSettings,
  schedule: (callback: () => void) => void = setImmediate,
  monotonic: () => number = () => performance.now(),
): AdmissionQueue {
  const queue = new Set<Admissible>();
  let isActive = false;
  let isOverloaded = false;
  let limit = Number.POSITIVE_INFINITY;
  let running = 0;
  let completed = 0;
  /** Requests that the process completes, and the time for which it was measured. @unit requests per millisecond */
  let rate = 0;
  let measuredMs = 0;
  let sampledAt: number | undefined;
  let delayedAt = Number.NEGATIVE_INFINITY;
  let rejectedAt = Number.NEGATIVE_INFINITY;
  let warmUntil = Number.NEGATIVE_INFINITY;
  let isScheduled = false;
  /** Requests since the last measurement, and the number from which they may delay the event loop. */
  let arrived = 0;
  let maxArrived = Number.POSITIVE_INFINITY;
  /** Processor time of the requests in the last seconds, and their number. @unit milliseconds */
  const recent = { busyMs: 0, requests: 0 };

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
    if (isOverloaded) return Math.max(MIN_QUEUE, rate * overloadQueueMs);
    return measuredMs < MIN_RATE_MS || now < warmUntil ? Number.POSITIVE_INFINITY : Math.max(MIN_QUEUE, rate * maxQueueMs);
  }

  function averageRate(elapsedMs: number): void {
    measuredMs += elapsedMs;
    rate += (completed / elapsedMs - rate) * Math.max(elapsedMs / measuredMs, 1 - Math.exp(-elapsedMs / RATE_MS));
  }

  /** Cheap requests are not the reason for a long delay, which can also come from streams. Too low a limit would make them wait in vain. */
  function minLimit(): number {
    return Math.max(MIN_LIMIT, Math.min(FIRST_LIMIT.max, (MIN_WORK * targetDelayMs) / (averageCost() ?? Number.POSITIVE_INFINITY)));
  }

  function adaptLimit({ utilization, delayMs }: EventLoopSample): void {
    const isDelayed = delayMs > targetDelayMs;
    if (isDelayed && utilization >= SATURATED) limit = Math.max(minLimit(), limit * Math.max(MAX_DECREASE, targetDelayMs / delayMs));
    if (isDelayed && utilization >= BUSY) return;
    // A limit that is not reached does not increase, because it would be too high when the load rises.
    if (running < limit && queue.size === 0) return;
    // The more the event loop is idle, the more requests wait for subgraphs.
    limit *= 1 + Math.max(MIN_INCREASE, 1 - utilization);
    if (utilization < BUSY) limit += 1;
  }

  /** Whether the requests that wait could be started at once without a long delay. */
  function isCalm(now: number): boolean {
    return !isOverloaded && now - delayedAt >= CALM_MS && queue.size <= Math.max(MIN_QUEUE, rate * overloadQueueMs);
  }

  /** Average processor time of a request. Undefined if there were few. @unit milliseconds */
  function averageCost(): number | undefined {
    return recent.requests >= MIN_REQUESTS && recent.busyMs > 0 ? recent.busyMs / recent.requests : undefined;
  }

  /** Measures the processor time of requests, only while all are started at once. */
  function measureCost(busyMs: number, elapsedMs: number): void {
    const decay = Math.exp(-elapsedMs / COST_MS);
    recent.busyMs = recent.busyMs * decay + busyMs;
    recent.requests = recent.requests * decay + arrived;
    maxArrived = activationDelayMs / (averageCost() ?? 0);
  }

  /** Activates the queue if the requests since the last measurement will delay the event loop. */
  function expectDelay(now: number): boolean {
    const expectedMs = arrived * (averageCost() ?? 0) - (now - (sampledAt ?? now));
    if (expectedMs < activationDelayMs) return false;
    delayedAt = now;
    activate(true);
    return true;
  }

  function activate(shouldBeActive: boolean): void {
    if (shouldBeActive === isActive) return;
    isActive = shouldBeActive;
    const cost = averageCost();
    rate = cost === undefined ? 0 : 1 / cost;
    measuredMs = cost === undefined ? 0 : EXPECTED_RATE_MS;
    limit = shouldBeActive
      ? Math.max(FIRST_LIMIT.min, Math.min(FIRST_LIMIT.max, (activationDelayMs * FIRST_LIMIT.share) / (cost ?? 0)))
      : Number.POSITIVE_INFINITY;
    completed = 0;
  }

  return {
    arrive() {
      if (isActive) return true;
      arrived += 1;
      return arrived >= maxArrived && expectDelay(monotonic());
    },
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
      if (isActive && utilization >= BUSY && elapsedMs > 0) averageRate(elapsedMs);
      if (isActive) adaptLimit(sample);
      else measureCost(utilization * elapsedMs, elapsedMs);
      completed = 0;
      arrived = 0;
      if (isOverloaded && at - rejectedAt >= CALM_MS) isOverloaded = false;
      activate(isActive ? !isCalm(at) : delayedAt === at);
      scheduleWaiting();
    },
    warmUp(now) {
      warmUntil = now + warmUpMs;
    },
  };
}
