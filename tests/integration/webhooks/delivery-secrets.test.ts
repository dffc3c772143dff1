import { expect, test } from '@jest/globals';
import { type Logger, silentLogger } from '../../../gateway/platform/logger.ts';
import { RETRY_SCHEDULE_MS } from '../../../subgraphs/webhooks/delivery/retry-schedule.ts';
import { replaceSecret } from '../../../subgraphs/webhooks/secrets/endpoint-secrets.ts';
import { createSecretBox } from '../../../subgraphs/webhooks/secrets/secret-box.ts';
import { describeOnQueue } from './describe-on-queue.ts';

const OTHER_KEY = 'another passphrase, and not the one before';

function createErrorList(): { readonly log: Logger; readonly errors: unknown[][] } {
  const errors: unknown[][] = [];
  return { log: { ...silentLogger, error: (...line: unknown[]) => void errors.push(line) }, errors };
}

describeOnQueue('secrets whose key was replaced', (stage) => {
  test('fail every attempt with a visible code and one log entry', async () => {
    const { queue, place: position } = stage();
    const { id, received } = await position();
    await queue.add(id);
    await queue.add(id);
    const { log, errors } = createErrorList();
    const worker = queue.worker({ keys: [OTHER_KEY], log });

    await worker.drain();
    const tried = { state: 'PENDING', attempts: 1, lastStatus: null, lastCode: 'SECRET_UNREADABLE', leaseUntil: null };
    const nextAttemptAt = new Date(queue.clock.now() + 5_000);
    expect(await queue.deliveries(id)).toMatchObject([
      { ...tried, nextAttemptAt },
      { ...tried, nextAttemptAt },
    ]);
    for (const wait of RETRY_SCHEDULE_MS) {
      queue.clock.advance(wait);
      await worker.drain();
    }

    expect(received()).toHaveLength(0);
    const dead = { state: 'DEAD', attempts: 10, lastCode: 'SECRET_UNREADABLE' };
    expect(await queue.deliveries(id)).toMatchObject([dead, dead]);
    expect(errors).toEqual([[{ webhookId: id, reason: expect.stringContaining('GATEFOLD_WEBHOOKS_KEY') }, expect.any(String)]]);
  });

  test('are usable again when the key is restored', async () => {
    const { queue, place: position } = stage();
    const { id, received } = await position();
    await queue.add(id);
    await queue.worker({ keys: [OTHER_KEY] }).drain();

    queue.clock.advance(5_000);
    await queue.worker().drain();

    expect(received()).toHaveLength(1);
    expect(await queue.deliveries(id)).toMatchObject([{ state: 'DELIVERED', attempts: 2, lastCode: null }]);
  });

  test('do not affect a newer secret that can be opened', async () => {
    const { queue, place: position } = stage();
    const { id, received } = await position();
    const now = new Date(queue.clock.now());
    await queue.database.transaction(async (sql) => replaceSecret(sql, createSecretBox([OTHER_KEY]), { id }, now));
    await queue.add(id);

    await queue.worker({ keys: [OTHER_KEY] }).drain();

    expect(received().map(({ signature }) => signature.split(' '))).toEqual([[expect.stringMatching(/^v1,/)]]);
  });

  test('count no attempt while they cannot be read', async () => {
    const { queue, place: position } = stage();
    const { id, received } = await position();
    await queue.add(id);
    const { log, errors } = createErrorList();
    const readSecrets = async () => {
      throw new Error('The database is unavailable.');
    };

    await queue.worker({ readSecrets, log }).drain();

    expect(received()).toHaveLength(0);
    expect(await queue.deliveries(id)).toMatchObject([{ state: 'PENDING', attempts: 0, lastCode: null }]);
    expect(errors).toHaveLength(1);
  });
});
