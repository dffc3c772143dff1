import type { Logger } from '../../../gateway/platform/logger.ts';
import { SecretUnreadable } from '../secrets/secret-box.ts';
import type { AttemptOutcome } from './attempt-outcome.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import type { Sender } from './open-sender.ts';
import type { ReadSecrets } from './read-secrets.ts';

/** Signs a message and sends it. @throws whatever the database throws */
export type MakeAttempt = (claimed: ClaimedDelivery, signal: AbortSignal) => Promise<AttemptOutcome>;

interface AttemptParts {
  readonly sender: Sender;
  readonly readSecrets: ReadSecrets;
  readonly log: Logger;
}

/** An attempt for which no secret opens is in vain like any other: its owner sees why, and it comes to an end. The log says it once. */
export function createAttempt({ sender, readSecrets, log }: AttemptParts): MakeAttempt {
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
          'the secret of a webhook cannot be opened, and what it signs not be sent',
        );
      }
      isKeyMissed = true; // a key that is missing is missing for all that it has sealed
      return { kind: 'failed', code: 'SECRET_UNREADABLE' };
    }
  };
}
