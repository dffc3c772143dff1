import { describe, expect, test } from '@jest/globals';
import { missingPostgresql } from '../../support/database/missing-postgresql.ts';
import { killSenders } from './kill-senders.ts';

const missing = await missingPostgresql();

(missing === undefined ? describe : describe.skip)(`the process that sends webhooks${missing === undefined ? '' : ` (${missing})`}`, () => {
  test('loses no event and changes no message ID when killed three times', async () => {
    const report = await killSenders({ kills: 3, random: Math.random });
    expect(report).toMatchObject({ kills: 3, lost: [], renamed: [] });
    expect(report.events).toBeGreaterThan(0);
  }, 120_000);
});
