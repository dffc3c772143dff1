/**
 * Lets processes take the lock of a data directory and kills some of them. Two processes must never hold the lock at the same time.
 *
 * Duration: about 2 minutes
 *
 * - `LOCK_ROUNDS` (1,000): rounds in which 8 processes take over the lock of an ended process at the same time.
 * - `LOCK_TAKINGS` (40): number of times each of 8 processes takes the lock in turn.
 * - `LOCK_KILLS` (24): processes that are killed meanwhile.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contendWithKills, takeTogether } from '../support/process/contend-for-lock.ts';

const CONTENDERS = 8;

function numberOf(name: string, otherwise: number): number {
  const value = Number(process.env[name] ?? otherwise);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${name} must be a positive integer.`);
  return value;
}

const [rounds, takings, kills] = [numberOf('LOCK_ROUNDS', 1_000), numberOf('LOCK_TAKINGS', 40), numberOf('LOCK_KILLS', 24)];
const parent = await mkdtemp(join(tmpdir(), 'contend-'));
try {
  const held = await takeTogether({ parent, contenders: CONTENDERS, rounds });
  const wrong = held.filter((count) => count !== 1).length;
  console.log(`${rounds} rounds of ${CONTENDERS} processes: ${wrong} without exactly one holder`);
  const report = await contendWithKills({ parent, contenders: CONTENDERS, takings, kills });
  const killed = report.exits.filter((exit) => exit === 'SIGKILL').length;
  console.log(`${report.takings} takings, ${killed} processes killed: ${report.sharedHolds.length} while another process held the lock`);
  for (const hold of report.sharedHolds) console.log(hold);
  const failed = report.exits.filter((exit) => exit !== 'SIGKILL' && exit !== 0).length;
  if (failed > 0) console.log(`${failed} processes failed`);
  if (wrong > 0 || report.sharedHolds.length > 0 || failed > 0 || report.takings < CONTENDERS * takings) process.exitCode = 1;
} finally {
  await rm(parent, { recursive: true });
}
