import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from './logger.ts';

/** Called at shutdown, for example to send buffered telemetry. */
export type ShutdownCallback = () => void | PromiseLike<void>;

/** Callbacks of components that complete their work at shutdown. */
export interface ShutdownCallbacks {
  add(callback: ShutdownCallback): void;
  /** Calls all callbacks at once and waits for them, at most for the timeout. Never rejects. */
  run(): Promise<void>;
}

/** Maximum time for all callbacks together. @unit milliseconds */
const TIMEOUT_MS = 5_000;

export function createShutdownCallbacks(logger: Logger, timeoutMs = TIMEOUT_MS): ShutdownCallbacks {
  const callbacks: ShutdownCallback[] = [];

  async function runOne(callback: ShutdownCallback): Promise<void> {
    try {
      await callback();
    } catch (error) {
      logger.error({ err: error }, 'A component could not complete its work at shutdown.');
    }
  }

  return {
    add: (callback) => void callbacks.push(callback),
    async run() {
      const ended = new AbortController();
      const late = delay(timeoutMs, true, { signal: ended.signal }).catch(() => false);
      const isLate = await Promise.race([Promise.all(callbacks.splice(0).map(runOne)).then(() => false), late]);
      ended.abort();
      if (isLate) logger.error({ timeoutMs }, 'Not all components could complete their work at shutdown in time.');
    },
  };
}
