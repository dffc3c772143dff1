import type { AttemptRecorder } from '../../gateway/platform/attempt-recorder.ts';
import type { TargetPolicy } from './delivery/target-policy.ts';
import type { WebhookDocument } from './documents/webhook-document.ts';
import type { OwnerDirectory } from './owners/owner-directory.ts';

/** Settings for storing and sending webhooks. */
export interface WebhooksSettings {
  /** Documents by event name. */
  readonly documents: ReadonlyMap<string, WebhookDocument>;
  /** Directory of the users who can own webhooks. @defaultValue every user of the graph, with the permissions of the credentials */
  readonly findOwner?: OwnerDirectory;
  /** Passphrases of the keys that encrypt secrets in the database: the first one encrypts, all of them decrypt. At least one. */
  readonly keys: readonly string[];
  /** @unit endpoints of one owner @defaultValue 20 */
  readonly maxEndpoints?: number;
  /** Policy for the addresses of webhooks. @defaultValue only public addresses */
  readonly targets?: TargetPolicy;
  /** Access to the gateway, from which events are read. @defaultValue none: endpoints are registered, but nothing is read or sent */
  readonly gateway?: GatewayAccess;
  /** Time for the response of a receiver. @unit milliseconds @defaultValue 15000 */
  readonly timeoutMs?: number;
  /** Duration of a lease; longer than `timeoutMs`. @unit milliseconds @defaultValue 30000 */
  readonly leaseMs?: number;
  /** Records attempts for telemetry. @defaultValue nothing is recorded */
  readonly recorder?: AttemptRecorder | undefined;
}

/** Access to the gateway on behalf of owners. */
export interface GatewayAccess {
  /** Address of its internal listener; resolves when that is open. */
  readonly url: Promise<string>;
  /** Value of `identity.serviceSecret` in the gateway. Without it, the gateway rejects the requests and nothing is read. */
  readonly serviceSecret: string | undefined;
}

export const DEFAULT_MAX_ENDPOINTS = 20;

/** @unit milliseconds */
export const DEFAULT_TIMEOUT_MS = 15_000;

/** Default lease: twice the timeout. The difference is the tolerance for the clocks of machines that share a queue. @unit milliseconds */
export const DEFAULT_LEASE_MS = 30_000;
