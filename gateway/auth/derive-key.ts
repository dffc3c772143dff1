import { scrypt } from 'node:crypto';
import { GatewayError } from '../platform/errors.ts';
import type { ScryptCost } from './password-hash.ts';

/** What is left of a password. @throws GatewayError `OVERLOADED` */
export type DeriveKey = (password: string, salt: Buffer, cost: ScryptCost) => Promise<Buffer>;

/** @unit bytes */
export const KEY_BYTES = 32;

/** scrypt in Node's threads, all of which serve files and names of hosts as well. */
export const deriveKey: DeriveKey = (password, salt, { N, r, p }) =>
  new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_BYTES, { N, r, p, maxmem: 256 * N * r }, (error, key) => (error === null ? resolve(key) : reject(error)));
  });

/** Lets so many run at once and so many wait; whoever comes then is sent away. A flood of logins leaves threads for everybody else. */
export function withBoundedConcurrency(
  derive: DeriveKey,
  { maxConcurrent, maxQueued }: { maxConcurrent: number; maxQueued: number },
): DeriveKey {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (password, salt, cost) => {
    if (running < maxConcurrent) running += 1;
    else if (waiting.length < maxQueued) await new Promise<void>((resolve) => waiting.push(resolve));
    else
      throw new GatewayError('OVERLOADED', 'Too many are logging in at the moment; try again later.', { headers: { 'retry-after': '1' } });
    try {
      return await derive(password, salt, cost);
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
