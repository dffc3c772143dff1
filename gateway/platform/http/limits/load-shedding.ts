import type { OutgoingResponse } from '../response/outgoing-response.ts';
import { performance } from 'node:perf_hooks';
import { GatewayError } from '../../errors.ts';
import { type EventLoopMonitor, startEventLoopMonitor } from '../../event-loop-monitor.ts';
import type { Logger } from '../../logger.ts';
import { limitWorkPerIteration, waitOfWork } from '../../work-per-iteration.ts';
import { type AdmissionQueueSettings, createAdmissionQueue } from './admission-queue.ts';

/** Rejects requests before any work while the process is overloaded. */
export interface LoadShedding extends Disposable {
  /** Whether requests must be admitted. While it is false, no request waits and none is rejected. */
  readonly isActive: boolean;
  /** Starts measuring the event loop, with a warm-up. */
  start(): void;
  /** Runs the handler of a request now or later; its response ends it. @throws GatewayError `OVERLOADED` */
  admitRequest(response: OutgoingResponse, run: () => void): void;
  /** Waits until an operation that has no response may run. @returns function that ends it @throws GatewayError `OVERLOADED` */
  admitOperation(): Promise<() => void>;
  /** Rejects what is not counted, such as a handshake. @throws GatewayError `OVERLOADED` */
  check(): void;
  /** Ends a request whose response is a stream of events, because the stream waits most of the time. */
  exempt(response: OutgoingResponse): void;
  /** Begins a warm-up, because a new supergraph is served. */
  warmUp(): void;
  report(): LoadReport;
}

/** Load of the process. The requests are counted only while the queue is active. */
export interface LoadReport {
  readonly isOverloaded: boolean;
  /** Maximum number of requests in progress; null while the queue is not active. */
  readonly limit: number | null;
  readonly running: number;
  readonly waiting: number;
  /** Number of rejected requests and operations since the start. */
  readonly rejected: number;
}

export interface LoadSheddingSettings extends AdmissionQueueSettings {
  readonly enabled: boolean;
  /** @unit seconds */
  readonly retryAfterSeconds: number;
}

export interface LoadSheddingOptions {
  readonly settings: LoadSheddingSettings;
  /** Called for each rejected request or operation, for example for metrics. It must not throw. */
  readonly onRejected?: (() => void) | undefined;
  readonly logger: Logger;
}

/** Interval at which the event loop is measured. @unit milliseconds */
const SAMPLE_INTERVAL_MS = 50;
/** Share of the activation delay from which the work of an iteration is limited, so that few long iterations precede the queue. */
const LIMITED_SHARE = 0.25;
/** Minimum time between two log lines that overload has begun. @unit milliseconds */
const LOG_INTERVAL_MS = 10_000;

function nothingCounted(): void {
  // The operation is not counted, so nothing ends.
}

/** Creates load shedding. It costs a reading of the clock for each request while the event loop delay is short. */
export function createLoadShedding({ settings, onRejected, logger }: LoadSheddingOptions): LoadShedding {
  const queue = createAdmissionQueue(settings);
  /** Functions that end the started requests. */
  const started = new WeakMap<OutgoingResponse, () => void>();
  // One object for all rejections, because creating an error is the most expensive part of a rejection.
  const rejection = new GatewayError('OVERLOADED', 'The gateway is overloaded. Try again later.', {
    headers: { 'retry-after': String(settings.retryAfterSeconds) },
    setting: 'server.overload',
  });
  let monitor: EventLoopMonitor | undefined;
  let rejected = 0;
  let wasOverloaded = false;
  let loggedAt = Number.NEGATIVE_INFINITY;
  let rejectedAtLog = 0;

  function reject(): never {
    rejected += 1;
    onRejected?.();
    throw rejection;
  }

  function leaveOnce(): () => void {
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      queue.leave();
    };
  }

  function logChange(at: number, delayMs: number): void {
    if (queue.isOverloaded === wasOverloaded) return;
    wasOverloaded = queue.isOverloaded;
    if (wasOverloaded && at - loggedAt >= LOG_INTERVAL_MS) {
      loggedAt = at;
      logger.warn({ delayMs: Math.round(delayMs), limit: Math.floor(queue.limit) }, 'The gateway is overloaded and rejects requests.');
    } else if (!wasOverloaded) {
      logger.info({ rejected: rejected - rejectedAtLog }, 'The gateway is no longer overloaded.');
      rejectedAtLog = rejected;
    }
  }

  return {
    get isActive() {
      if (!queue.isActive) monitor?.measureIfLate(settings.activationDelayMs);
      return queue.isActive;
    },
    start() {
      if (!settings.enabled || monitor !== undefined) return;
      queue.warmUp(performance.now());
      monitor = startEventLoopMonitor(SAMPLE_INTERVAL_MS, (sample) => {
        // Limited work leaves the iterations short, so its wait is the delay that activates the queue.
        const delayMs = queue.isActive ? sample.delayMs : Math.max(sample.delayMs, waitOfWork(sample.at));
        queue.adapt({ ...sample, delayMs });
        monitor?.measurePrecisely(queue.isActive);
        const isLimited = queue.isActive || delayMs >= settings.activationDelayMs * LIMITED_SHARE;
        limitWorkPerIteration(isLimited ? settings.targetDelayMs : undefined);
        logChange(sample.at, delayMs);
      });
    },
    admitRequest(response, run) {
      const request = {
        isGone: () => response.destroyed,
        start() {
          const leave = leaveOnce();
          started.set(response, leave);
          // `prefinish` comes when the response is complete, and not when its client has read it; `close` when the client disconnects before.
          response.once('prefinish', leave).once('close', leave);
          run();
        },
      };
      if (!queue.enter(request, performance.now())) reject();
    },
    async admitOperation() {
      if (!queue.isActive) return nothingCounted;
      const { promise, resolve } = startable();
      if (!queue.enter({ isGone: () => false, start: resolve }, performance.now())) reject();
      await promise;
      return leaveOnce();
    },
    check() {
      if (queue.isOverloaded) reject();
    },
    exempt: (response) => started.get(response)?.(),
    warmUp: () => queue.warmUp(performance.now()),
    report: () => ({
      isOverloaded: queue.isOverloaded,
      limit: Number.isFinite(queue.limit) ? Math.floor(queue.limit) : null,
      running: queue.running,
      waiting: queue.waiting,
      rejected,
    }),
    [Symbol.dispose]() {
      monitor?.[Symbol.dispose]();
      limitWorkPerIteration(undefined);
    },
  };
}

function startable(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
