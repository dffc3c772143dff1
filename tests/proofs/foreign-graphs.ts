/**
 * Reads the supergraphs, the subgraph sets and the expected plans of other projects' tests. Each supergraph must be loaded or rejected for
 * a known reason, random operations over mocked subgraphs must return the results of a single schema, and no plan may have more requests or
 * more depth than the tests expect. Random plans that have more of either than those of the stock planner are listed.
 *
 * Duration: about 10 minutes
 *
 * - `FOREIGN_DIR`: directory with checkouts of the repositories, each at `<owner>/<name>`.
 * - `FOREIGN_OPERATIONS`: random operations for each graph. Default 8.
 * - `FOREIGN_PLANS`: random plans for each graph. Default 10.
 * - `FOREIGN_SEED`: seed of data and operations. Random by default, and always printed.
 * - `FOREIGN_ONLY`: only supergraphs and tests whose name contains this.
 */
import { REPOSITORIES, findMissing, findSupergraphs } from './foreign-graphs/find-supergraphs.ts';
import { compareExecution } from './foreign-graphs/compare-execution.ts';
import { compareOwnOperations } from './foreign-graphs/compare-own-operations.ts';
import { comparePlans } from './foreign-graphs/compare-plans.ts';
import { compareRandomPlans } from './foreign-graphs/compare-random-plans.ts';
import { composeSets } from './foreign-graphs/compose-sets.ts';
import { readExpectedPlans } from './foreign-graphs/expected-plans.ts';
import { loadAll } from './foreign-graphs/load-all.ts';
import { readSubgraphSets } from './foreign-graphs/read-subgraph-sets.ts';
import { createReport } from './foreign-graphs/report.ts';

const directory = process.env['FOREIGN_DIR'];
const only = process.env['FOREIGN_ONLY'] ?? '';
const seed = Number(process.env['FOREIGN_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const operations = Number(process.env['FOREIGN_OPERATIONS'] ?? 8);
const plans = Number(process.env['FOREIGN_PLANS'] ?? 10);

if (directory === undefined || findMissing(directory).length > 0) {
  const missing = directory === undefined ? REPOSITORIES : findMissing(directory);
  process.stderr.write(
    `${directory === undefined ? 'FOREIGN_DIR is not set.' : `FOREIGN_DIR (${directory}) lacks repositories.`}\n` +
      `Check out these repositories and set FOREIGN_DIR to the directory that contains them:\n` +
      missing.map((repository) => `  git clone https://github.com/${repository} <FOREIGN_DIR>/${repository}\n`).join(''),
  );
  process.exitCode = 2;
} else {
  const report = createReport();
  const { files, supergraphs } = findSupergraphs(directory);
  const chosen = supergraphs.filter(({ file }) => file.includes(only));
  report.line(`${files} supergraphs, ${supergraphs.length} of them distinct; FOREIGN_SEED=${seed}`);
  const loaded = loadAll('Loading', chosen, report);
  await compareExecution('Random operations, executed', loaded, { seed, operations }, report);
  const { sets, unread } = readSubgraphSets(directory);
  const composed = composeSets({ sets: sets.filter(({ name }) => name.includes(only)), unread }, report);
  const loadedSets = loadAll('Loading of subgraph sets', composed, report);
  await compareExecution('Random operations on subgraph sets, executed', loadedSets, { seed, operations }, report);
  const expected = readExpectedPlans(directory).filter(({ name }) => name.includes(only));
  await compareOwnOperations(expected, seed, report);
  comparePlans(expected, report);
  compareRandomPlans('Random plans', [...loaded, ...loadedSets], { seed, operations: plans }, report);
  process.exitCode = report.finish() ? 0 : 1;
}
