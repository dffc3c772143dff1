import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '../../../../../subgraphs/kit/database/database.ts';
import { removeExpired } from '../../../../../subgraphs/webhooks/deliveries/remove-expired.ts';
import { addSecret, readSigningSecrets, replaceSecret } from '../../../../../subgraphs/webhooks/secrets/endpoint-secrets.ts';
import { createSecretBox } from '../../../../../subgraphs/webhooks/secrets/secret-box.ts';
import { openSampleDatabase } from '../../../../support/database/sample-database.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const after = (hours: number) => new Date(NOW.getTime() + hours * HOUR_MS);

describe('the removal of expired webhook data', () => {
  let database: Database;
  let endpoint: { readonly id: string };
  const rows = async (text: string, parameters: readonly unknown[] = []) => database.scripts(async ({ query }) => query(text, parameters));

  beforeAll(async () => {
    database = await openSampleDatabase();
    const [row] = await rows(
      `insert into webhooks.endpoints (owner_id, url, events) values (1, 'https://hooks.example.com/', '{order.created}') returning id::text as id`,
    );
    endpoint = { id: String(row?.['id']) };
  });
  afterAll(async () => database.close());

  it('removes deliveries 30 days after they finished, and no pending ones', async () => {
    const insert = `insert into webhooks.deliveries (endpoint_id, message_id, event, body, state, next_attempt_at, created_at, finished_at)
      values ($1, $2, 'webhook.ping', '{}', $3, $4, $4, $5)`;
    const long = after(-24 * 60);
    for (const [name, state, finishedAt] of [
      ['finished 30 days ago', 'DELIVERED', after(-24 * 30)],
      ['finished longer ago', 'DELIVERED', after(-24 * 30 - 1)],
      ['dead for longer', 'DEAD', after(-24 * 31)],
      ['dead since yesterday', 'DEAD', after(-24)],
      ['waiting', 'PENDING', null],
    ] as const) {
      await rows(insert, [endpoint.id, name, state, long, finishedAt]);
    }
    expect(await removeExpired(database.sql, NOW)).toBe(false);
    const left = await rows('select message_id from webhooks.deliveries order by id');
    expect(left.map((row) => row['message_id'])).toEqual(['finished 30 days ago', 'dead since yesterday', 'waiting']);
  });

  it('removes the oldest deliveries of a large backlog first and reports that more remain', async () => {
    await rows('delete from webhooks.deliveries');
    await rows(
      `insert into webhooks.deliveries (endpoint_id, message_id, event, body, state, next_attempt_at, finished_at)
      select $1, number::text, 'webhook.ping', '{}', 'DEAD', $2::timestamptz, $2::timestamptz - number * interval '1 second' from generate_series(1, 1001) number`,
      [endpoint.id, after(-24 * 31)],
    );
    expect(await removeExpired(database.sql, NOW)).toBe(true);
    expect(await rows('select message_id from webhooks.deliveries')).toEqual([{ message_id: '1' }]);
    expect(await removeExpired(database.sql, NOW)).toBe(false);
    expect(await rows('select message_id from webhooks.deliveries')).toEqual([]);
  });

  it('stops signing with a replaced secret after a day, and removes it', async () => {
    const box = createSecretBox(['k'.repeat(32)]);
    const signing = async (now: Date) => readSigningSecrets(database.sql, box, endpoint, now);
    await database.transaction(async (sql) => addSecret(sql, box, endpoint, NOW));
    const [first] = await signing(NOW);
    await database.transaction(async (sql) => replaceSecret(sql, box, endpoint, NOW));
    const [second, ...olderOnes] = await signing(after(23));
    expect(olderOnes).toEqual([first]);
    expect(second).not.toBe(first);
    expect(await signing(after(24))).toEqual([second]);
    await removeExpired(database.sql, after(25));
    expect(await rows('select id from webhooks.secrets')).toHaveLength(1);
  });
});
