/**
 * A line for each file of tests, and what tests print (seeds, mostly). Failures are reported at the end, after the failed files ran a second time:
 * `.ci/summary.js` reads them from the report.
 */
export default class LinePerFile {
  onTestFileResult({ path, context }, result, { numFailedTestSuites, numPassedTestSuites, numPendingTestSuites, numTotalTestSuites }) {
    const done = numFailedTestSuites + numPassedTestSuites + numPendingTestSuites;
    const hasPassed = result.numFailingTests === 0 && result.testExecError === undefined;
    const seconds = ((result.perfStats.end - result.perfStats.start) / 1_000).toFixed(1);
    const where = `${context.config.displayName?.name ?? ''} ${path}`;
    console.log(`${done}/${numTotalTestSuites} ${hasPassed ? 'passed' : 'NOT PASSED'} ${where} (${seconds} s)`);
    for (const { message } of result.console ?? []) console.log(`  ${message}`);
  }

  onRunComplete(_contexts, { numPassedTests, numFailedTests, numPendingTests, startTime }) {
    const seconds = Math.round((Date.now() - startTime) / 1_000);
    console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped in ${seconds} s`);
  }
}
