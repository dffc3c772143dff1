/**
 * Runs chains of multiplying fields, planned at joint paths, on random graphs, and compares each response with that of a single schema.
 *
 * Duration: about 2 minutes
 *
 * - `JOINT_GRAPHS` (60): number of random graphs.
 * - `JOINT_OPERATIONS` (10): operations on each graph.
 * - `JOINT_LEVELS` (6): maximum number of additional levels of a chain.
 * - `JOINT_SEED`: seed of the first graph. Random by default, and always printed.
 */
import { describeCase } from '../differential/random-federation/describe-case.ts';
import { JOINT_PLANNINGS, runJointCases } from '../differential/random-federation/run-joint-cases.ts';

const settings = {
  graphs: Number(process.env['JOINT_GRAPHS'] ?? 60),
  operations: Number(process.env['JOINT_OPERATIONS'] ?? 10),
  moreLevels: Number(process.env['JOINT_LEVELS'] ?? 6),
  seed: Number(process.env['JOINT_SEED'] ?? Math.floor(Math.random() * 1_000_000)),
};

/** Number of failures that are described in full. */
const DESCRIBED = 3;

console.log(`Random graphs from seed ${settings.seed} (JOINT_SEED).`);
const requests = JOINT_PLANNINGS.map(() => 0);
let cases = 0;
let failures = 0;
let graphs = 0;
for (let seed = settings.seed; graphs < settings.graphs; seed += 1) {
  let isComposed = false;
  for await (const { graph, result, operation, planning } of runJointCases(seed, settings)) {
    isComposed = true;
    cases += 1;
    requests[planning] = (requests[planning] ?? 0) + result.exchanges.length;
    if (result.classification.kind !== 'wrong') continue;
    failures += 1;
    const where = `JOINT_SEED=${seed}, operation ${operation}, planning ${planning}`;
    console.log(failures > DESCRIBED ? `Wrong result: ${where}` : await describeCase({ graph, result }, where));
  }
  if (isComposed) graphs += 1;
}
const counts = requests.map((count, index) => `${count} requests with ${JSON.stringify(JOINT_PLANNINGS[index])}`).join(', ');
console.log(`${graphs} graphs, ${cases} responses compared, ${failures} wrong; ${counts}`);
process.exitCode = failures === 0 ? 0 : 1;
