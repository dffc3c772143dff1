import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock.ts';
import { GatewayError } from '../../platform/errors.ts';
import { lazy } from '../../platform/lazy.ts';

export interface LoginFailureOptions {
  /** Maximum number of wrong passwords for one user and for one address, both in a burst and per minute. */
  readonly maxPerMinute: number;
  readonly clock: Clock;
}

/**
 * Reserves a failure before a password is checked, so that concurrent guesses are counted as well.
 *
 * @param network network of the client; absent if it is unknown
 * @returns function that cancels the reservation, because the password was correct or was not checked
 * @throws GatewayError `RATE_LIMITED`
 */
export type ReserveFailure = (name: string, network: string | undefined) => () => void;

/** Maximum number of names and addresses that are tracked. The least recently used ones are evicted. @unit entries */
const MAX_REMEMBERED = 50_000;
const MINUTE_MS = 60_000;

/** Failure count, including fractions. @unit failures */
interface Failures {
  count: number;
  /** Time at which `count` was computed. @unit milliseconds */
  at: number;
}

/**
 * Limits the rate of password guesses, both for one user from all addresses and for all users from one address. Failures are counted in
 * this process and enforced in every profile, so that the limit does not depend on shared state. Names of unknown users are counted like
 * all others.
 */
export function limitLoginFailures({ maxPerMinute, clock }: LoginFailureOptions): ReserveFailure {
  const remembered = lazy(() => new LRUCache<string, Failures>({ max: MAX_REMEMBERED }));

  function failuresOf(key: string): Failures {
    const now = clock.monotonic();
    const known = remembered().get(key);
    if (known === undefined) {
      const fresh = { count: 0, at: now };
      remembered().set(key, fresh);
      return fresh;
    }
    known.count = Math.max(0, known.count - ((now - known.at) * maxPerMinute) / MINUTE_MS);
    known.at = now;
    return known;
  }

  return (name, network) => {
    // The name is hashed, because clients can send names of any length.
    const counted = [failuresOf(`user ${hash('sha256', name, 'base64')}`)];
    if (network !== undefined) counted.push(failuresOf(`address ${network}`));
    const most = Math.max(...counted.map(({ count }) => count));
    if (most + 1 > maxPerMinute) throw tooManyFailures(((most + 1 - maxPerMinute) * MINUTE_MS) / maxPerMinute);
    for (const one of counted) one.count += 1;
    return () => {
      for (const one of counted) one.count = Math.max(0, one.count - 1);
    };
  };
}

/** Creates the same error for known and unknown names. */
function tooManyFailures(waitMs: number): GatewayError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new GatewayError('RATE_LIMITED', `Too many failed logins. Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  });
}
