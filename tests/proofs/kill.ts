/**
 * Kills processes with SIGKILL at random moments while clients pay over REST and retry with the same `Idempotency-Key`: gateways with their
 * REST facade, the payments subgraph on PostgreSQL, and Redis. Exits with 1 unless each key has one charge and one response.
 *
 * Duration: about 15 minutes
 *
 * `KILL_COUNT` (1000), `SEED`. Requires redis-server and a PostgreSQL server.
 */
import { createRandom } from '../support/random/random.ts';
import { killWhilePaying } from '../integration/idempotency/kill-while-paying.ts';

const kills = Number(process.env['KILL_COUNT'] ?? 1_000);
const seed = Number(process.env['SEED'] ?? Date.now() % 4_294_967_296);
process.stdout.write(`${kills} kills, SEED=${seed}\n`);

const REPORTED_EVERY = 50;
const report = await killWhilePaying({
  kills,
  random: createRandom(seed),
  onKill: (made) => void (made % REPORTED_EVERY === 0 && process.stdout.write(`${made} kills\n`)),
});
const { payments, attempts, replayed, elapsedMs, failures } = report;
for (const failure of failures.slice(0, 20)) process.stdout.write(`${failure}\n`);
process.stdout.write(
  `${failures.length === 0 ? 'passed' : 'FAILED'}: ${payments} payments in ${attempts} requests, ${replayed} of them replayed; ` +
    `${(elapsedMs / 1_000).toFixed(1)} s, ${(elapsedMs / kills).toFixed(0)} ms a kill\n`,
);
process.exitCode = failures.length === 0 ? 0 : 1;
