import { idempotency, type IdempotencySection } from '../config/sections/idempotency.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import type { InNetworks } from '../platform/http/request/client-address.ts';
import type { SharedRedis } from '../redis/redis.ts';
import { createIdempotency, type Idempotency } from './idempotency.ts';
import { createMemoryIdempotencyStore } from './memory-idempotency-store.ts';
import { createRedisIdempotencyStore } from './redis-idempotency-store.ts';

export interface IdempotencyDependencies {
  /** Shared by all gateways of the graph. @defaultValue keys are known in this process */
  readonly redis: SharedRedis | undefined;
  /** Until an operation must be answered. @unit milliseconds */
  readonly operationTimeoutMs: number;
  readonly clock: Clock;
  /** Tells proxies, whose word on their clients is believed. @defaultValue there are none */
  readonly isProxy?: InNetworks | undefined;
}

/** Puts together what the section `idempotency` asks for. */
export function openIdempotency(section: IdempotencySection, dependencies: IdempotencyDependencies): Idempotency {
  const { timeToLiveMs, leaseMarginMs, maxKeys, maxReplyBytes, maxEntries, maxBytes } = section;
  const { redis, operationTimeoutMs, clock, isProxy } = dependencies;
  const limits = { leaseMs: operationTimeoutMs + leaseMarginMs, timeToLiveMs, maxKeys };
  const store =
    redis === undefined
      ? createMemoryIdempotencyStore({ ...limits, maxEntries, maxBytes, clock })
      : createRedisIdempotencyStore({ ...limits, redis });
  return createIdempotency({ store, maxReplyBytes, isProxy });
}

/** Until an operation must be answered, where nobody says so. @unit milliseconds */
const OPERATION_TIMEOUT_MS = 10_000;

/** Keys that are known in this process, with the defaults of the section: for what runs without a gateway. */
export function createLocalIdempotency(): Idempotency {
  return openIdempotency(idempotency.parse({}), { redis: undefined, operationTimeoutMs: OPERATION_TIMEOUT_MS, clock: systemClock });
}
