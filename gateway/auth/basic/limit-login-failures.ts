import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock.ts';
import { GatewayError } from '../../platform/errors.ts';
import { lazy } from '../../platform/lazy.ts';

export interface LoginFailureOptions {
  /** Wrong passwords of one user, and from one address: so many at once, and so many more in each minute. */
  readonly maxPerMinute: number;
  readonly clock: Clock;
}

/**
 * Reserves a failure before a password is looked at, so that guesses that come at the same time are counted as well.
 *
 * @param network of the client; absent where it is not known
 * @returns takes it back: the password was right, or nobody looked at it
 * @throws GatewayError `RATE_LIMITED`
 */
export type ReserveFailure = (name: string, network: string | undefined) => () => void;

/** Names and addresses that are remembered; of more, the one that was heard of longest ago is forgotten. @unit entries */
const MAX_REMEMBERED = 50_000;
const MINUTE_MS = 60_000;

/** @unit failures, fractions included */
interface Failures {
  count: number;
  /** When it was so. @unit milliseconds */
  at: number;
}

/**
 * Bounds how fast passwords are guessed: of one user from everywhere, and of all users from one address. Kept in this process
 * and enforced in every profile: it must not get weaker with whatever others share. A name that nobody has is counted as any other.
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
    // A name is as long as its sender likes.
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

/** The same for names that are known and unknown. */
function tooManyFailures(waitMs: number): GatewayError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new GatewayError('RATE_LIMITED', `There were too many failed logins. Try again in ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  });
}
