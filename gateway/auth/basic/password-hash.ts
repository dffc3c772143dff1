import { scrypt } from 'node:crypto';
import { GatewayError } from '../../platform/errors.ts';

/** Cost parameters of scrypt (RFC 7914, section 2). */
export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** Password hash with its parameters. */
export interface PasswordHash {
  readonly cost: ScryptCost;
  readonly salt: Buffer;
  readonly key: Buffer;
}

/** PHC string format: `$scrypt$ln=15,r=8,p=1$<salt>$<key>`. Salt and key are base64 without padding. */
const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{43})$/;

/** Allowed values of `ln`. Lower values allow brute force; with higher values, one login takes a second and more than 128 MiB. */
const LN_RANGE = [14, 17] as const;

/** Parses a password hash. @throws Error that names the user but does not contain the hash */
export function parsePasswordHash(text: string, name: string): PasswordHash {
  const [, ln, r, p, salt = '', key = ''] = PHC.exec(text) ?? [];
  const isKnown = Number(r) === 8 && Number(p) >= 1 && Number(p) <= 4;
  if (Number(ln) < LN_RANGE[0] || Number(ln) > LN_RANGE[1] || !isKnown) {
    throw new Error(
      `the password of "${name}" must be a hash in the format $scrypt$ln=15,r=8,p=1$<salt>$<key>, with ln from ${LN_RANGE.join(' to ')}, r=8 and p from 1 to 4`,
    );
  }
  return {
    cost: { N: 2 ** Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64'),
  };
}

/** Derives the key of a password. @throws GatewayError `OVERLOADED` */
export type DeriveKey = (password: string, salt: Buffer, cost: ScryptCost) => Promise<Buffer>;

/** Length of a derived key. @unit bytes */
export const KEY_BYTES = 32;

/** Derives a key with scrypt in the thread pool of Node.js, which also serves file access and DNS lookups. */
export const deriveKey: DeriveKey = (password, salt, { N, r, p }) =>
  new Promise((resolve, reject) => {
    scrypt(password, salt, KEY_BYTES, { N, r, p, maxmem: 256 * N * r }, (error, key) => (error === null ? resolve(key) : reject(error)));
  });

/**
 * Limits the number of concurrent and queued derivations and rejects further ones. A flood of logins then leaves threads for other work.
 */
export function withBoundedConcurrency(
  derive: DeriveKey,
  { maxConcurrent, maxQueued }: { maxConcurrent: number; maxQueued: number },
): DeriveKey {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (password, salt, cost) => {
    if (running < maxConcurrent) running += 1;
    else if (waiting.length < maxQueued) await new Promise<void>((resolve) => waiting.push(resolve));
    else throw new GatewayError('OVERLOADED', 'Too many logins are in progress. Try again later.', { headers: { 'retry-after': '1' } });
    try {
      return await derive(password, salt, cost);
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
