import type { Clock } from '../../gateway/platform/clock.ts';
import type { PrimaryNotice, PrimaryState } from '../../gateway/platform/primary-state.ts';
import { type CallMessage, NO_RESULT, type PrimaryMessage, type WorkerMessage } from './messages.ts';

/** Shared state in the primary, as a worker uses it. */
export interface PrimaryClient extends PrimaryState, Disposable {
  /** Receives a message of the primary. */
  receive(message: PrimaryMessage): void;
}

export interface PrimaryClientOptions {
  readonly workers: number;
  /** Sends a message to the primary. Returns false when it has ended. */
  readonly send: (message: WorkerMessage) => boolean;
  readonly clock: Pick<Clock, 'monotonic'>;
}

interface PendingCall {
  readonly resolve: (value: unknown) => void;
  readonly endsAt: number;
}

/** Timeout for the result of a call. @unit milliseconds */
const TIMEOUT_MS = 1_000;
/** Interval between checks for late results. @unit milliseconds */
const CHECK_INTERVAL_MS = 100;
/** Maximum number of calls without a result. Further calls fail immediately. */
const MAX_PENDING = 10_000;
/** Time after a late result for which calls fail immediately, so that requests do not wait for a primary that is blocked. @unit milliseconds */
const SUSPENSION_MS = 1_000;

/**
 * Creates the client. Calls, reports and publications of one turn of the event loop are sent as one message, because a message costs more
 * than its content.
 */
export function createPrimaryClient({ workers, send, clock }: PrimaryClientOptions): PrimaryClient {
  const pending = new Map<number, PendingCall>();
  const listeners: ((message: unknown) => void)[] = [];
  const noticeListeners: ((notice: PrimaryNotice) => void)[] = [];
  let calls: CallMessage[] = [];
  let messages: unknown[] = [];
  let isScheduled = false;
  let lastId = NO_RESULT;
  let suspendedUntil = -Infinity;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(flush);
  }

  function flush(): void {
    isScheduled = false;
    const [sentCalls, sentMessages] = [calls, messages];
    calls = [];
    messages = [];
    if (sentMessages.length > 0) send({ type: 'publish', messages: sentMessages });
    if (sentCalls.length > 0 && !send({ type: 'calls', calls: sentCalls })) for (const [id] of sentCalls) settle(id, undefined);
  }

  function settle(id: number, value: unknown): void {
    const call = pending.get(id);
    pending.delete(id);
    call?.resolve(value);
  }

  /** A deadline is confirmed after one more turn of the event loop: after a stall, timers run before messages are read. */
  function check(): void {
    const now = clock.monotonic();
    const late = [...pending].flatMap(([id, { endsAt }]) => (endsAt <= now ? [id] : []));
    if (late.length > 0) setImmediate(() => expire(late));
  }

  function expire(ids: readonly number[]): void {
    for (const id of ids) {
      if (!pending.has(id)) continue;
      suspendedUntil = clock.monotonic() + SUSPENSION_MS;
      settle(id, undefined);
    }
  }

  const timer = setInterval(check, CHECK_INTERVAL_MS).unref();

  return {
    workers,
    async call(name, args) {
      const now = clock.monotonic();
      if (pending.size >= MAX_PENDING || now < suspendedUntil) return undefined;
      lastId += 1;
      const id = lastId;
      calls.push([id, name, args]);
      schedule();
      return new Promise((resolve) => {
        pending.set(id, { resolve, endsAt: now + TIMEOUT_MS });
      });
    },
    report(name, args) {
      calls.push([NO_RESULT, name, args]);
      schedule();
    },
    onNotice: (listener) => void noticeListeners.push(listener),
    publish(message) {
      messages.push(message);
      schedule();
    },
    subscribe: (listener) => void listeners.push(listener),
    receive(message) {
      if (message.type === 'results') {
        suspendedUntil = -Infinity;
        for (const notice of message.notices ?? []) for (const listener of noticeListeners) listener(notice);
        for (const [id, value] of message.results) settle(id, value);
      } else if (message.type === 'published') {
        for (const one of message.messages) for (const listener of listeners) listener(one);
      }
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      calls = calls.filter(([id]) => id === NO_RESULT);
      flush();
      for (const id of pending.keys()) settle(id, undefined);
    },
  };
}
