import { setTimeout as delay } from 'node:timers/promises';

/** A source on the network that gave nothing that can be read. Its message is for whoever operates the gateway, and holds no secrets. */
export class Unreachable extends Error {
  /** Until the source wants to be asked again. @unit milliseconds */
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
  /** Between the end of a look and the next one. @unit milliseconds */
  readonly intervalMs: number;
  /** One look. May say that it wants no other one for some time. @unit milliseconds */
  readonly look: (signal: AbortSignal) => Promise<number>;
  readonly onFailure: (error: unknown) => void;
  /** @defaultValue a timer that does not keep the process alive */
  readonly sleep?: Sleep | undefined;
  /** From 0 to 1. @defaultValue Math.random */
  readonly random?: (() => number) | undefined;
}

/** What is added to an interval at most, so that many gateways that were started at once do not ask at once. */
const JITTER = 0.2;

/** Until the second look where the first one failed, then twice as long each time: whatever starts beside us is soon there. */
const FIRST_RETRY_MS = 500;

/** No source is believed that wants more; timers hold no more than 24 days. @unit milliseconds */
const MAX_WAIT_MS = 86_400_000;

const sleepUnreferenced: Sleep = (ms, signal) => delay(ms, undefined, { signal, ref: false });

/** Looks at once, then again and again, one look after the other, until disposed of. */
export function startPolling(options: PollingOptions): AsyncDisposable {
  const { intervalMs, look, onFailure, sleep = sleepUnreferenced, random = Math.random } = options;
  const closing = new AbortController();
  const { signal } = closing;
  let failures = 0;
  let hasSucceeded = false;

  /** @returns how long to wait. @unit milliseconds */
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
