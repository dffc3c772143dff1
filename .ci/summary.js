// What CI reads from the reports that Jest writes.
//   node .ci/summary.js failed-files <report>       one path on each line
//   node .ci/summary.js failures <report> <title>   what failed, with its messages, under a title
//   node .ci/summary.js totals <report> [<report of the files that failed, run again>]
import { existsSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

const [what, path, more = ''] = process.argv.slice(2);
const read = (report) => (existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined);
const report = read(path);

/** A file that could not even be read counts as one failure. */
const failuresOf = ({ numFailedTests, numRuntimeErrorTestSuites }) => numFailedTests + numRuntimeErrorTestSuites;

const failed = report?.testResults.filter(({ status }) => status === 'failed') ?? [];
switch (what) {
  case 'failed-files':
    for (const file of new Set(failed.map(({ name }) => name))) console.log(file);
    break;
  case 'failures':
    for (const { name, message } of failed) console.log(`\n== ${more}: ${name}\n${stripVTControlCharacters(message)}`);
    break;
  case 'totals': {
    const again = read(more);
    const recovered = again === undefined ? 0 : report.numFailedTests - again.numFailedTests;
    console.log(`\n${report.numPassedTests + recovered} passed, ${failuresOf(again ?? report)} failed`);
    break;
  }
  default:
    throw new Error(`Nothing is known about '${what}'.`);
}
