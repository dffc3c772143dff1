import type { Clock } from '../platform/clock.ts';
import { createSwapRemoveList, type SwapRemoveItem } from '../platform/swap-remove-list.ts';

/** Current time on both clocks. */
export interface Tick {
  /** @unit milliseconds since the epoch */
  readonly now: number;
  /** @unit milliseconds since an arbitrary start */
  readonly monotonic: number;
}

/** A long-lived connection: a WebSocket, or a stream over HTTP. */
export interface ClientConnection extends SwapRemoveItem {
  /** Called several times per second. Handles deadlines and heartbeats. */
  tick(tick: Tick): void;
  /** Closes the connection for shutdown, with the delay after which the client should reconnect. @unit milliseconds */
  leave(retryMs: number): void;
  /** Closes the connection immediately, without a message. */
  cut(): void;
}

/**
 * All long-lived connections, with one shared timer. A timer per connection would cost more than everything else that an idle connection
 * holds.
 */
export interface ClientConnections {
  /** Whether new connections are rejected. */
  readonly isDraining: boolean;
  readonly size: number;
  add(one: ClientConnection): void;
  remove(one: ClientConnection): void;
  /** Runs the timer callback immediately. */
  tick(): void;
  /**
   * Accepts no new connections, and closes the open ones gradually, so that clients do not all reconnect at the same time. Resolves when
   * the last one is closed.
   *
   * @param timeoutMs time after which the remaining connections are terminated. @unit milliseconds
   */
  drain(timeoutMs: number): Promise<void>;
}

export interface ClientConnectionsOptions {
  /** Time over which connections are closed. @unit milliseconds */
  readonly drainWindowMs: number;
  readonly clock: Clock;
  /** Returns a number between 0 and 1. @defaultValue `Math.random` */
  readonly random?: () => number;
}

/** Interval of the timer, which is also the precision of deadlines. @unit milliseconds */
const TICK_MS = 250;
/** Interval between two groups of connections that are closed. @unit milliseconds */
const STEP_MS = 25;
/**
 * Range of the delay after which a client should reconnect. It is short, because the connections are closed at different times already, and
 * random, because a client that finds no gateway waits for it again.
 *
 * @unit milliseconds
 */
const MIN_RETRY_MS = 100;
const MAX_RETRY_MS = 900;
/** Interval between two checks whether all connections are closed. @unit milliseconds */
const LOOK_MS = 10;

export function createClientConnections({ drainWindowMs, clock, random = Math.random }: ClientConnectionsOptions): ClientConnections {
  const open = createSwapRemoveList<ClientConnection>();
  let timer: NodeJS.Timeout | undefined;
  let draining: Promise<void> | undefined;

  function tick(): void {
    const at: Tick = { now: clock.now(), monotonic: clock.monotonic() };
    // The iteration runs backward, because removing a connection moves the last one to its index.
    for (let index = open.size - 1; index >= 0; index -= 1) open.at(index)?.tick(at);
    if (open.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  async function leaveAll(timeoutMs: number): Promise<void> {
    const window = Math.min(drainWindowMs, timeoutMs);
    const leaving = Array.from({ length: open.size }, (_, index) => open.at(index));
    const startedAt = performance.now();
    for (let left = 0; left < leaving.length; ) {
      const due = Math.ceil((leaving.length * (performance.now() - startedAt + STEP_MS)) / (window + STEP_MS));
      for (const one of leaving.slice(left, due)) {
        if (one?.index !== undefined) one.leave(Math.round(MIN_RETRY_MS + (MAX_RETRY_MS - MIN_RETRY_MS) * random()));
      }
      left = due;
      if (left < leaving.length) await wait(STEP_MS);
    }
    while (open.size > 0 && performance.now() - startedAt < timeoutMs) await wait(LOOK_MS);
    for (let index = open.size - 1; index >= 0; index -= 1) open.at(index)?.cut();
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
