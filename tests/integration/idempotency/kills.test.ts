import { describe, expect, it } from '@jest/globals';
import { missingPostgresql } from '../../support/database/missing-postgresql.ts';
import { missingRedisServer } from '../../support/redis/redis-server.ts';
import { createRandom } from '../../support/random/random.ts';
import { killWhilePaying } from './kill-while-paying.ts';

/** A thousand of them: `npm run prove kill`. */
const KILLS = 20;
const LONGEST_MS = 300_000;

const missing = missingRedisServer() ?? (await missingPostgresql());

(missing === undefined ? describe : describe.skip)('payments, while what makes them is killed', () => {
  it(
    'given gateways, the subgraph and Redis are killed at random moments, when clients retry, then each key has one charge and one answer',
    async () => {
      const seed = Number(process.env['SEED'] ?? Date.now() % 4_294_967_296);
      const { faults, payments } = await killWhilePaying({ kills: KILLS, random: createRandom(seed) });
      expect({ seed, faults, payments }).toEqual({ seed, faults: [], payments: KILLS * 10 });
    },
    LONGEST_MS,
  );
});
