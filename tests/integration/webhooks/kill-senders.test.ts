import { describe, expect, test } from '@jest/globals';
import { missingPostgresql } from '../../support/database/missing-postgresql.ts';
import { killSenders } from './kill-senders.ts';

const missing = await missingPostgresql();

(missing === undefined ? describe : describe.skip)(`the process that sends webhooks${missing === undefined ? '' : ` (${missing})`}`, () => {
  test('given it is killed three times while messages are under way, when another takes over, then no event is lost, and each keeps its id', async () => {
    const report = await killSenders({ kills: 3, random: Math.random });
    expect(report).toMatchObject({ kills: 3, lost: [], renamed: [] });
    expect(report.events).toBeGreaterThan(0);
  }, 120_000);
});
