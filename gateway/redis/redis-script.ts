import { createHash } from 'node:crypto';
import type { RedisCommands } from './shared-redis.ts';

/** Lua script, and the SHA-1 hash under which Redis caches it. */
export interface RedisScript {
  readonly text: string;
  readonly sha: string;
}

export function toScript(text: string): RedisScript {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/** Runs a script by its hash, and sends its text only if Redis has not cached it. @throws the error of Redis or of the connection */
export async function runScript(
  commands: RedisCommands,
  { text, sha }: RedisScript,
  keys: readonly string[],
  values: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await commands.evalsha(sha, keys.length, ...keys, ...values);
  } catch (error) {
    if (!(error as Error).message.startsWith('NOSCRIPT')) throw error;
    return await commands.eval(text, keys.length, ...keys, ...values);
  }
}
