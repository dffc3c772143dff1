import type { AttemptRecorder, FinishedAttempt } from '../../../gateway/platform/attempt-recorder.ts';
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
  /** Records attempts for telemetry. @defaultValue nothing is recorded */
  readonly recorder?: AttemptRecorder | undefined;
}

/**
 * Creates the function that makes attempts. An attempt without a readable secret fails like any other, so the owner sees the reason and the
 * delivery ends. It is logged once.
 */
export function createAttempt({ sender, readSecrets, log, recorder }: AttemptDependencies): MakeAttempt {
  let isKeyMissed = false;

  async function attempt({ delivery, endpoint }: ClaimedDelivery, signal: AbortSignal, traceparent?: string): Promise<AttemptResult> {
    try {
      const secrets = await readSecrets(endpoint);
      return await sender.send({ url: endpoint.url, messageId: delivery.messageId, body: delivery.body, secrets, traceparent }, signal);
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
  }

  return recorder === undefined ? attempt : recordAttempts(attempt, recorder);
}

type TracedAttempt = (claimed: ClaimedDelivery, signal: AbortSignal, traceparent?: string) => Promise<AttemptResult>;

function recordAttempts(attempt: TracedAttempt, recorder: AttemptRecorder): MakeAttempt {
  return async (claimed, signal) => {
    const { messageId, event, attempts } = claimed.delivery;
    const recorded = recorder.begin({ webhookId: claimed.endpoint.id, messageId, event, number: attempts + 1 });
    let result: AttemptResult | undefined;
    try {
      result = await attempt(claimed, signal, recorded.traceparent);
      return result;
    } finally {
      recorded.end(toFinished(result));
    }
  };
}

/** @param result undefined when the database failed during the attempt */
function toFinished(result: AttemptResult | undefined): FinishedAttempt {
  switch (result?.kind) {
    case 'delivered':
      return { code: 'ok', status: result.status };
    case 'failed':
      return { code: result.code, status: result.status };
    case 'gone':
      return { code: 'RECEIVER_GONE', status: result.status };
    case 'blocked':
      return { code: result.code, status: undefined };
    case 'interrupted':
    case undefined:
      break;
  }
  return { code: 'interrupted', status: undefined };
}
