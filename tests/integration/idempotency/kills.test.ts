import { describe, expect, it } from '@jest/globals';
import { missingPostgresql } from '../../support/database/missing-postgresql.ts';
import { missingRedisServer } from '../../support/redis/redis-server.ts';
import { createRandom } from '../../support/random/random.ts';
import { killWhilePaying } from './kill-while-paying.ts';

/** Number of kills. Each starts a process. `npm run prove kill` makes a thousand. */
const KILLS = Number(process.env['KILL_COUNT'] ?? 8);
const LONGEST_MS = 300_000;

const missing = missingRedisServer() ?? (await missingPostgresql());

(missing === undefined ? describe : describe.skip)('payments while gateways, the subgraph and Redis are killed at random moments', () => {
  it(
    'have one charge and one response for each key when clients retry',
    async () => {
      const seed = Number(process.env['SEED'] ?? Date.now() % 4_294_967_296);
      const { failures, payments } = await killWhilePaying({ kills: KILLS, random: createRandom(seed) });
      expect({ seed, failures, payments }).toEqual({ seed, failures: [], payments: KILLS * 10 });
    },
    LONGEST_MS,
  );
});
