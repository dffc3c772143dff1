import type { Logger } from '../../../gateway/platform/logger.ts';
import { SecretUnreadable } from '../secrets/secret-box.ts';
import type { AttemptResult } from './attempt-result.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import type { Sender } from './open-sender.ts';
import type { ReadSecrets } from './read-secrets.ts';

/** Signs a message and sends it. @throws the errors of the database */
export type MakeAttempt = (claimed: ClaimedDelivery, signal: AbortSignal) => Promise<AttemptResult>;

interface AttemptDependencies {
  readonly sender: Sender;
  readonly readSecrets: ReadSecrets;
  readonly log: Logger;
}

/**
 * Creates the function that makes attempts. An attempt without a readable secret fails like any other, so the owner sees the reason and the
 * delivery ends. It is logged once.
 */
export function createAttempt({ sender, readSecrets, log }: AttemptDependencies): MakeAttempt {
  let isKeyMissed = false;
  return async ({ delivery, endpoint }, signal) => {
    try {
      const secrets = await readSecrets(endpoint);
      return await sender.send({ url: endpoint.url, messageId: delivery.messageId, body: delivery.body, secrets }, signal);
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      if (!isKeyMissed) {
        log.error(
          { webhookId: endpoint.id, reason: error.message },
          'The secret of a webhook cannot be decrypted, so its messages cannot be signed and sent.',
        );
      }
      isKeyMissed = true; // a missing key affects every secret that was encrypted with it
      return { kind: 'failed', code: 'SECRET_UNREADABLE' };
    }
  };
}
