import type { Clock } from '../platform/clock.ts';
import { createMembers, type Member } from '../platform/swap-remove-list.ts';

/** The time by both clocks. */
export interface Tick {
  /** @unit milliseconds since the epoch */
  readonly now: number;
  /** @unit milliseconds since an arbitrary start */
  readonly monotonic: number;
}

/** Something that is open for long: a socket, or a stream over HTTP. */
export interface Connection extends Member {
  /** Called several times a second: does what time brings, such as deadlines and signs of life. */
  tick(tick: Tick): void;
  /** The gateway closes: the client is told to come back in a while. @unit milliseconds */
  leave(retryMs: number): void;
  /** Ends it without another word. */
  cut(): void;
}

/** All that is open for long, under one timer: timers of their own would cost more than all else that an idle one holds. */
export interface Connections {
  /** Whether no connection is taken any more. */
  readonly isDraining: boolean;
  readonly size: number;
  add(one: Connection): void;
  remove(one: Connection): void;
  /** Looks at the time, as the timer does. */
  tick(): void;
  /**
   * Takes nothing more, and lets what is open leave little by little, so that not all clients come back at once. Resolves when the last
   * one is gone.
   *
   * @param timeoutMs what is open then is cut
   */
  drain(timeoutMs: number): Promise<void>;
}

export interface ConnectionsOptions {
  /** Time over which connections leave. @unit milliseconds */
  readonly drainWindowMs: number;
  readonly clock: Clock;
  /** Between 0 and 1. @defaultValue `Math.random` */
  readonly random?: () => number;
}

/** How often the time is looked at: deadlines are met by that much. @unit milliseconds */
const TICK_MS = 250;
/** Between two groups that leave. @unit milliseconds */
const STEP_MS = 25;
/** Between two looks at whether all are gone. @unit milliseconds */
const LOOK_MS = 10;

export function createConnections({ drainWindowMs, clock, random = Math.random }: ConnectionsOptions): Connections {
  const open = createMembers<Connection>();
  let timer: NodeJS.Timeout | undefined;
  let draining: Promise<void> | undefined;

  function tick(): void {
    const at: Tick = { now: clock.now(), monotonic: clock.monotonic() };
    // From the end, because what takes a free place comes from there.
    for (let place = open.size - 1; place >= 0; place -= 1) open.at(place)?.tick(at);
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  async function leaveAll(timeoutMs: number): Promise<void> {
    const window = Math.min(drainWindowMs, timeoutMs);
    const leaving = Array.from({ length: open.size }, (_, place) => open.at(place));
    const startedAt = performance.now();
    const steps = Math.max(1, Math.ceil(window / STEP_MS));
    const perStep = Math.ceil(leaving.length / steps);
    while (leaving.length > 0) {
      for (const one of leaving.splice(0, perStep)) {
        if (one?.place !== undefined) one.leave(Math.round(window * (0.5 + random())));
      }
      if (leaving.length > 0) await wait(STEP_MS);
    }
    while (open.size > 0 && performance.now() - startedAt < timeoutMs) await wait(LOOK_MS);
    for (let place = open.size - 1; place >= 0; place -= 1) open.at(place)?.cut();
    clearInterval(timer);
    timer = undefined;
  }

  return {
    get isDraining() {
      return draining !== undefined;
    },
    get size() {
      return open.size;
    },
    add(one) {
      open.add(one);
      timer ??= setInterval(tick, TICK_MS).unref();
    },
    remove: (one) => void open.remove(one),
    tick,
    drain(timeoutMs) {
      draining ??= leaveAll(timeoutMs);
      return draining;
    },
  };
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
