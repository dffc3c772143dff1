import type { TargetPolicy } from './delivery/target-policy.ts';
import type { SecretBox } from './secrets/secret-box.ts';

/** What the writes of this subgraph work with; made once, when it starts. */
export interface WebhooksParts {
  readonly box: SecretBox;
  /** Names of all events that there are. */
  readonly events: ReadonlySet<string>;
  readonly targets: TargetPolicy;
  /** @unit endpoints of one owner */
  readonly maxEndpoints: number;
  /** Tells whoever delivers that a transaction left something to deliver. */
  readonly wake: () => void;
}
