import { lazy } from '../platform/lazy.ts';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/clock.ts';

/** How many documents each client may still add. */
export interface RegistrationQuota {
  /** Takes one of the client's; false when none is left. */
  take(client: string): boolean;
}

interface Bucket {
  tokens: number;
  /** When `tokens` was counted. @unit milliseconds of the monotonic clock */
  countedAt: number;
}

/** Clients that are remembered; one that is forgotten begins anew. @unit clients */
const MAX_CLIENTS = 10_000;

/** A bucket for each client, filled again steadily. */
export function createRegistrationQuota(perMinute: number, clock: Clock): RegistrationQuota {
  const buckets = lazy(() => new LRUCache<string, Bucket>({ max: MAX_CLIENTS }));
  return {
    take(client) {
      const now = clock.monotonic();
      const { tokens, countedAt } = buckets().get(client) ?? { tokens: perMinute, countedAt: now };
      const available = Math.min(perMinute, tokens + ((now - countedAt) * perMinute) / 60_000);
      const isGranted = available >= 1;
      buckets().set(client, { tokens: isGranted ? available - 1 : available, countedAt: now });
      return isGranted;
    },
  };
}
