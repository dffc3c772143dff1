import { setTimeout as delay } from 'node:timers/promises';

/** Error for a network source without a valid response. Its message is intended for operators and contains no secrets. */
export class Unreachable extends Error {
  /** Minimum delay before the next request, as requested by the source. @unit milliseconds */
  readonly retryAfterMs: number;

  constructor(message: string, options: ErrorOptions & { readonly retryAfterMs?: number } = {}) {
    super(message, options);
    this.name = 'Unreachable';
    this.retryAfterMs = options.retryAfterMs ?? 0;
  }
}

/** Waits. @throws the reason of the signal */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<unknown>;

export interface PollingOptions {
  /** Time between the end of a poll and the next one. @unit milliseconds */
  readonly intervalMs: number;
  /** Polls the source. Resolves with the minimum delay before the next poll. @unit milliseconds */
  readonly look: (signal: AbortSignal) => Promise<number>;
  readonly onFailure: (error: unknown) => void;
  /** Waits between two polls. @defaultValue a timer that does not keep the process alive */
  readonly sleep?: Sleep | undefined;
  /** Returns a random number from 0 to 1. @defaultValue Math.random */
  readonly random?: (() => number) | undefined;
}

/** Maximum share that is added to an interval, so that gateways that were started together do not poll at the same time. */
const JITTER = 0.2;

/**
 * Delay after the first failed poll. It doubles with each failure, because a source that is started together with the gateway is soon
 * available.
 *
 * @unit milliseconds
 */
const FIRST_RETRY_MS = 500;

/** Maximum delay that a source can request. Timers are limited to 24 days. @unit milliseconds */
const MAX_WAIT_MS = 86_400_000;

const sleepUnreferenced: Sleep = (ms, signal) => delay(ms, undefined, { signal, ref: false });

/** Polls immediately and then repeatedly, one poll after the other, until disposed. */
export function startPolling(options: PollingOptions): AsyncDisposable {
  const { intervalMs, look, onFailure, sleep = sleepUnreferenced, random = Math.random } = options;
  const closing = new AbortController();
  const { signal } = closing;
  let failures = 0;
  let hasSucceeded = false;

  /** Polls once. @returns delay before the next poll. @unit milliseconds */
  async function lookOnce(): Promise<number> {
    try {
      const wantedMs = await look(signal);
      hasSucceeded = true;
      return Math.max(intervalMs, wantedMs);
    } catch (error) {
      if (signal.aborted) return 0;
      onFailure(error);
      failures += 1;
      const wantedMs = error instanceof Unreachable ? error.retryAfterMs : 0;
      return Math.max(wantedMs, hasSucceeded ? intervalMs : Math.min(intervalMs, FIRST_RETRY_MS * 2 ** (failures - 1)));
    }
  }

  async function poll(): Promise<void> {
    while (!signal.aborted) {
      const waitMs = await lookOnce();
      if (!signal.aborted) await sleep(Math.min(waitMs, MAX_WAIT_MS) * (1 + JITTER * random()), signal).catch(() => undefined);
    }
  }

  const polling = poll();
  return {
    async [Symbol.asyncDispose]() {
      closing.abort();
      await polling;
    },
  };
}
