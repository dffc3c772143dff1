import type { RedisCommander } from 'ioredis';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import { connectRedis } from './connect-redis.ts';
import type { RedisCredentials } from './redis-credentials.ts';
import type { SharedRedis } from './shared-redis.ts';

/** Shared Redis with all commands of the client package. */
export type RedisClient = SharedRedis<RedisCommander>;

export interface SharedRedisOptions {
  /** Addresses in the format of `readRedisAddresses`. */
  readonly urls: string;
  /** Credentials and TLS material that the addresses do not contain. @defaultValue none */
  readonly credentials?: RedisCredentials;
  /** Timeout for a command. @unit milliseconds @defaultValue 50 */
  readonly timeoutMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Number of consecutive failures after which commands are suspended for `OPEN_MS`. */
const MAX_FAILURES = 5;
/** Time after which one command is sent to test whether Redis is available again. @unit milliseconds */
const OPEN_MS = 1_000;

/** Creates the shared Redis client. It connects in the background, so neither startup nor any command waits for Redis. */
export function createSharedRedis({ urls, credentials = {}, timeoutMs = 50, clock, logger }: SharedRedisOptions): RedisClient {
  const rejections = new Set<string>();
  let failures = 0;
  let openUntil = 0;
  let isDisconnected = false;
  let isClosed = false;
  const connection = connectRedis(urls, credentials, lose);

  /** Whether a command may be sent. While commands are suspended, each test command extends the suspension. */
  function mayRequest(): boolean {
    if (isClosed) return false;
    if (failures < MAX_FAILURES) return true;
    if (clock.monotonic() < openUntil) return false;
    openUntil = clock.monotonic() + OPEN_MS;
    return true;
  }

  function succeed(): void {
    failures = 0;
    if (!isDisconnected) return;
    isDisconnected = false;
    logger.info('Redis is available again.');
  }

  function fail(error: Error): void {
    if (isClosed) return;
    if (isCommandError(error)) return reportOnce(error);
    failures += 1;
    if (failures < MAX_FAILURES) return;
    openUntil = clock.monotonic() + OPEN_MS;
    lose(error);
  }

  function lose({ message }: Error): void {
    if (isDisconnected || isClosed) return;
    isDisconnected = true;
    logger.warn({ reason: message }, 'Redis is unavailable. The gateway continues without it.');
  }

  /** Logs each kind of error once. The kind is the first word, of which Redis has few; the rest of the message contains keys. */
  function reportOnce({ message }: Error): void {
    const [code = ''] = message.split(' ', 1);
    if (rejections.has(code)) return;
    rejections.add(code);
    logger.warn({ reason: message }, 'Redis rejected a command. The gateway continues without it.');
  }

  return {
    async run(command) {
      if (!mayRequest()) return undefined;
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

/** Whether Redis is healthy and rejected only this command. Such an error does not predict the next command. */
function isCommandError({ name, message }: Error): boolean {
  return name === 'ReplyError' && /^(?:WRONGTYPE|ERR|NOSCRIPT|EXECABORT|CROSSSLOT) /.test(message);
}

/**
 * Rejects if the response is late. A deadline is confirmed after one more turn of the event loop, because after a stall, timers run before
 * sockets are read.
 */
function inTime<T>(response: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(new Error(`no response within ${timeoutMs} ms`));
    const timer = setTimeout(() => setImmediate(late), timeoutMs);
    response.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
