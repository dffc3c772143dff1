import { createHash } from 'node:crypto';
import type { RedisCommands } from './connect-redis.ts';

/** A Lua script, and the name by which a Redis knows it that has run it before. */
export interface RedisScript {
  readonly text: string;
  readonly sha: string;
}

export function toScript(text: string): RedisScript {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/** Runs it, and sends its text only where it is not known. @throws what Redis answers with, or the connection ends with */
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
