import type { TargetPolicy } from './delivery/target-policy.ts';
import type { OwnerDirectory } from './owners/owner-directory.ts';
import type { SecretBox } from './secrets/secret-box.ts';

/** Dependencies of the writes of this subgraph; created once at startup. */
export interface WebhooksDependencies {
  readonly box: SecretBox;
  /** Names of all events. */
  readonly events: ReadonlySet<string>;
  readonly targets: TargetPolicy;
  /** @unit endpoints of one owner */
  readonly maxEndpoints: number;
  /** Directory of the users who can own endpoints. */
  readonly findOwner: OwnerDirectory;
  /** Notifies the worker that a transaction has queued deliveries or changed endpoints. */
  readonly wake: () => void;
}
