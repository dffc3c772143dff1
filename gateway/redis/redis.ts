import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import { connectRedis, type RedisCommands } from './connect-redis.ts';

/** The Redis that all gateways of a graph share. Its commands never throw and never outlast the timeout: callers go on without it. */
export interface SharedRedis extends AsyncDisposable {
  /** @returns undefined when Redis is down, slow, or refuses: told in the log once, not per command */
  ask<T>(command: (redis: RedisCommands) => Promise<T>): Promise<{ readonly value: T } | undefined>;
}

export interface SharedRedisOptions {
  /** As `readRedisAddresses` takes them. */
  readonly urls: string;
  /** Until a command must be answered. @unit milliseconds @defaultValue 50 */
  readonly timeoutMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** So many failures in a row, and Redis is left alone for a while. */
const MAX_FAILURES = 5;
/** Until one command is let through to see whether Redis is back. @unit milliseconds */
const OPEN_MS = 1_000;

/** Connects in the background: nothing waits for Redis, not at start either. */
export function createSharedRedis({ urls, timeoutMs = 50, clock, logger }: SharedRedisOptions): SharedRedis {
  const refusals = new Set<string>();
  let failures = 0;
  let openUntil = 0;
  let isLost = false;
  let isClosed = false;
  const connection = connectRedis(urls, lose);

  /** While Redis is left alone each command that is let through buys another while. */
  function mayAsk(): boolean {
    if (isClosed) return false;
    if (failures < MAX_FAILURES) return true;
    if (clock.monotonic() < openUntil) return false;
    openUntil = clock.monotonic() + OPEN_MS;
    return true;
  }

  function succeed(): void {
    failures = 0;
    if (!isLost) return;
    isLost = false;
    logger.info('Redis answers again.');
  }

  function fail(error: Error): void {
    if (isClosed) return;
    if (isRefusalOfCommand(error)) return tellOnce(error);
    failures += 1;
    if (failures < MAX_FAILURES) return;
    openUntil = clock.monotonic() + OPEN_MS;
    lose(error);
  }

  function lose({ message }: Error): void {
    if (isLost || isClosed) return;
    isLost = true;
    logger.warn({ reason: message }, 'Redis does not answer: the gateway goes on without it.');
  }

  /** By the first word, of which Redis has few: what comes after it names keys. */
  function tellOnce({ message }: Error): void {
    const [code = ''] = message.split(' ', 1);
    if (refusals.has(code)) return;
    refusals.add(code);
    logger.warn({ reason: message }, 'Redis refuses a command: the gateway goes on without it.');
  }

  return {
    async ask(command) {
      if (!mayAsk()) return undefined;
      try {
        const value = await inTime(command(connection.commands), timeoutMs);
        succeed();
        return { value };
      } catch (error) {
        fail(error as Error);
        return undefined;
      }
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      connection.close();
    },
  };
}

/** Whether Redis is well and only this command is wrong: it says nothing about the next one. */
function isRefusalOfCommand({ name, message }: Error): boolean {
  return name === 'ReplyError' && /^(?:WRONGTYPE|ERR|NOSCRIPT|EXECABORT|CROSSSLOT) /.test(message);
}

/** A deadline is confirmed after one more turn of the event loop: after a stall, timers run before sockets are read. */
function inTime<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(new Error(`no answer within ${timeoutMs} ms`));
    const timer = setTimeout(() => setImmediate(late), timeoutMs);
    answer.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
