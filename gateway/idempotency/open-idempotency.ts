import { idempotency, type IdempotencySection } from '../config/sections/idempotency.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import type { InNetworks } from '../platform/http/request/client-address.ts';
import type { SharedRedis } from '../redis/shared-redis.ts';
import { createIdempotency, type Idempotency } from './idempotency.ts';
import { createMemoryIdempotencyStore } from './memory-idempotency-store.ts';
import { createRedisIdempotencyStore } from './redis-idempotency-store.ts';

export interface IdempotencyDependencies {
  /** Redis that all gateways of the graph share. @defaultValue keys are stored in this process */
  readonly redis: SharedRedis | undefined;
  /** Timeout for executing an operation. @unit milliseconds */
  readonly operationTimeoutMs: number;
  readonly clock: Clock;
  /** Returns whether an address is a trusted proxy, whose forwarding headers are accepted. @defaultValue no proxy is trusted */
  readonly isProxy?: InNetworks | undefined;
}

/** Creates the idempotency store from the section `idempotency`. */
export function openIdempotency(section: IdempotencySection, dependencies: IdempotencyDependencies): Idempotency {
  const { timeToLiveMs, leaseMarginMs, maxKeys, maxResponseBytes, maxEntries, maxBytes } = section;
  const { redis, operationTimeoutMs, clock, isProxy } = dependencies;
  const limits = { leaseMs: operationTimeoutMs + leaseMarginMs, timeToLiveMs, maxKeys };
  const store =
    redis === undefined
      ? createMemoryIdempotencyStore({ ...limits, maxEntries, maxBytes, clock })
      : createRedisIdempotencyStore({ ...limits, redis });
  return createIdempotency({ store, maxResponseBytes, isProxy });
}

/** Default timeout for executing an operation. @unit milliseconds */
const OPERATION_TIMEOUT_MS = 10_000;

/** Creates an idempotency store in this process with the defaults of the section, for use without a gateway. */
export function createLocalIdempotency(): Idempotency {
  return openIdempotency(idempotency.parse({}), { redis: undefined, operationTimeoutMs: OPERATION_TIMEOUT_MS, clock: systemClock });
}
