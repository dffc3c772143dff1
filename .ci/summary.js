// What CI reads from the reports that Jest writes.
//   node .ci/summary.js failed-files <report>       one path on each line
//   node .ci/summary.js totals <report> [<report of the files that failed, run again>]
import { existsSync, readFileSync } from 'node:fs';

const [what, ...paths] = process.argv.slice(2);
const [first, again] = paths.filter((path) => existsSync(path)).map((path) => JSON.parse(readFileSync(path, 'utf8')));

/** A file that could not even be read counts as one failure. */
const failuresOf = ({ numFailedTests, numRuntimeErrorTestSuites }) => numFailedTests + numRuntimeErrorTestSuites;

if (what === 'failed-files') {
  const failed = first.testResults.filter(({ status }) => status === 'failed');
  for (const path of new Set(failed.map(({ name }) => name))) console.log(path);
} else {
  const recovered = again === undefined ? 0 : first.numFailedTests - again.numFailedTests;
  console.log(`\n${first.numPassedTests + recovered} passed, ${failuresOf(again ?? first)} failed`);
}
