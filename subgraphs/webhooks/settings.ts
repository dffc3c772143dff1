import type { TargetPolicy } from './delivery/target-policy.ts';

/** How webhooks are kept and sent. */
export interface WebhooksSettings {
  /** Passphrases of the keys that seal secrets in the database: the first one seals, all of them open. At least one. */
  readonly keys: readonly string[];
  /** @unit endpoints of one owner @defaultValue 20 */
  readonly maxEndpoints?: number;
  /** Where messages may go. @defaultValue public addresses alone */
  readonly targets?: TargetPolicy;
  /** By which events are read. @defaultValue nothing is read or sent: endpoints are registered, and what is for them waits */
  readonly gateway?: GatewayAccess;
  /** Until a receiver must have answered. @unit milliseconds @defaultValue 15000 */
  readonly timeoutMs?: number;
  /** How long a delivery belongs to the process that took it; longer than `timeoutMs`. @unit milliseconds @defaultValue 30000 */
  readonly leaseMs?: number;
}

/** How the gateway is asked in the name of owners. */
export interface GatewayAccess {
  /** Of its internal listener; known when that listens. */
  readonly url: Promise<string>;
  /** Its `identity.serviceSecret`. Without one it does not answer, and nothing is read. */
  readonly serviceSecret: string | undefined;
}

export const DEFAULT_MAX_ENDPOINTS = 20;

/** @unit milliseconds */
export const DEFAULT_TIMEOUT_MS = 15_000;

/** Twice as long: the clocks of machines that share a queue may differ by the rest. @unit milliseconds */
export const DEFAULT_LEASE_MS = 30_000;
