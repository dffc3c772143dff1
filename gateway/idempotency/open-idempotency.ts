import { idempotency, type IdempotencySection } from '../config/sections/idempotency.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import type { InNetworks } from '../platform/http/request/client-address.ts';
import type { PrimaryState } from '../platform/primary-state.ts';
import type { SharedRedis } from '../redis/shared-redis.ts';
import { createIdempotency, type Idempotency } from './idempotency.ts';
import type { IdempotencyLimits, IdempotencyStore } from './idempotency-store.ts';
import { createMemoryIdempotencyStore } from './memory-idempotency-store.ts';
import { createPrimaryIdempotencyStore } from './primary-idempotency-store.ts';
import { createRedisIdempotencyStore } from './redis-idempotency-store.ts';

export interface IdempotencyDependencies {
  /** Redis that all gateways of the graph share. @defaultValue keys are stored in this process */
  readonly redis: SharedRedis | undefined;
  /** State that the workers of this machine share. @defaultValue this process is not a worker */
  readonly primary?: PrimaryState | undefined;
  /** Timeout for executing an operation. @unit milliseconds */
  readonly operationTimeoutMs: number;
  readonly clock: Clock;
  /** Returns whether an address is a trusted proxy, whose forwarding headers are accepted. @defaultValue no proxy is trusted */
  readonly isProxy?: InNetworks | undefined;
}

/** Creates the idempotency store from the section `idempotency`. */
export function openIdempotency(section: IdempotencySection, dependencies: IdempotencyDependencies): Idempotency {
  const { redis, primary, operationTimeoutMs, clock, isProxy } = dependencies;
  const limits = limitsOf(section, operationTimeoutMs);
  const store =
    redis !== undefined
      ? createRedisIdempotencyStore({ ...limits, redis })
      : primary !== undefined
        ? createPrimaryIdempotencyStore(primary)
        : openMemoryStore(section, { operationTimeoutMs, clock });
  return createIdempotency({ store, maxResponseBytes: section.maxResponseBytes, isProxy });
}

/** Creates a store in the memory of this process from the section `idempotency`. */
export function openMemoryStore(
  section: IdempotencySection,
  { operationTimeoutMs, clock }: Pick<IdempotencyDependencies, 'operationTimeoutMs' | 'clock'>,
): IdempotencyStore {
  const { maxEntries, maxBytes } = section;
  return createMemoryIdempotencyStore({ ...limitsOf(section, operationTimeoutMs), maxEntries, maxBytes, clock });
}

function limitsOf({ timeToLiveMs, leaseMarginMs, maxKeys }: IdempotencySection, operationTimeoutMs: number): IdempotencyLimits {
  return { leaseMs: operationTimeoutMs + leaseMarginMs, timeToLiveMs, maxKeys };
}

/** Default timeout for executing an operation. @unit milliseconds */
const OPERATION_TIMEOUT_MS = 10_000;

/** Creates an idempotency store in this process with the defaults of the section, for use without a gateway. */
export function createLocalIdempotency(): Idempotency {
  return openIdempotency(idempotency.parse({}), { redis: undefined, operationTimeoutMs: OPERATION_TIMEOUT_MS, clock: systemClock });
}
