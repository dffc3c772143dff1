/**
 * Kills the process that sends webhooks while messages are in flight, 50 times, while events continue. Each event must reach each endpoint,
 * under one `webhook-id`.
 *
 * Duration: about 2 minutes
 *
 * `WEBHOOK_KILLS` (50) is the number of kills, and `WEBHOOK_SEED` determines their moments. Requires a PostgreSQL server.
 */
import { killSenders } from '../integration/webhooks/kill-senders.ts';

const kills = Number(process.env['WEBHOOK_KILLS'] ?? 50);
const seed = Number(process.env['WEBHOOK_SEED'] ?? Date.now() % 1_000_000);

/** The moments of one seed are the same each time (mulberry32). */
function createRandom(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const report = await killSenders({ kills, random: createRandom(seed) });
console.log(`seed ${seed}: ${JSON.stringify(report, undefined, 2)}`);
if (report.events === 0 || report.interrupted < kills || report.lost.length > 0 || report.renamed.length > 0) {
  console.error('Events were lost or sent under several ids, or a sender was killed with no message in flight.');
  process.exitCode = 1;
}
process.exit(); // Idle connections would delay the exit.
