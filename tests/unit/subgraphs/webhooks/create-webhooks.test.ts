import { describe, expect, it } from '@jest/globals';
import { systemClock } from '../../../../gateway/platform/clock.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import type { Database } from '../../../../subgraphs/kit/database/database.ts';
import { createWebhooks } from '../../../../subgraphs/webhooks/create-webhooks.ts';

/** The settings are rejected before the database is used. */
const database = {} as Database;

describe('webhook settings', () => {
  it.each([
    ['a lease as long as the attempt timeout', { timeoutMs: 2_000, leaseMs: 2_000 }, '2000 ms', '2000 ms'],
    ['an attempt timeout longer than the default lease', { timeoutMs: 40_000 }, '30000 ms', '40000 ms'],
    ['a lease shorter than the default attempt timeout', { leaseMs: 10_000 }, '10000 ms', '15000 ms'],
  ])('rejects %s before anything is sent', (_what, times, lease, timeout) => {
    const setup = { database, clock: systemClock, log: silentLogger };
    const gateway = { url: Promise.resolve('http://127.0.0.1:1'), serviceSecret: undefined };

    const create = () => createWebhooks(setup, { keys: ['k'.repeat(32)], documents: new Map(), gateway, ...times });
    expect(create).toThrow(
      `Webhooks: leaseMs (${lease}) must be longer than timeoutMs (${timeout}). Otherwise two processes could send one message at the same time.`,
    );
  });
});
