/**
 * Serves and queries the reference graph, and runs the unit tests, on each supported version of Node: the newest 20, 22, 24 and 26. Exits
 * with 1 when something fails.
 *
 * Duration: about 4 minutes
 *
 * `npm run prove node-versions [major …]` runs those versions. Their binaries come from npm and are cached in `node_modules/.cache`.
 */
import { delimiter, dirname } from 'node:path';
import { cleanEnvironment } from '../support/process/built-cli.ts';
import { installNode, type NodeBinary } from './node-versions/install-node.ts';
import { smoke } from './node-versions/smoke.ts';
import { runUnitTests } from './node-versions/unit-tests.ts';

const SUPPORTED = [20, 22, 24, 26];
const UNIT_TEST_ENVIRONMENT = { NODE_ENV: 'production', NODE_OPTIONS: '--no-warnings --disable-proto=delete' };

const chosen = process.argv.slice(2).map(Number);
const unsupported = chosen.filter((major) => !SUPPORTED.includes(major));
if (unsupported.length > 0) {
  console.error(`The supported major versions of Node are ${SUPPORTED.join(', ')}. Unsupported: ${unsupported.join(', ')}.`);
  process.exitCode = 2;
} else {
  for (const major of chosen.length > 0 ? chosen : SUPPORTED) {
    if (!(await holdsOn(await installNode(major)))) process.exitCode = 1;
  }
}

async function holdsOn({ path, version }: NodeBinary): Promise<boolean> {
  // Processes that are started by the name `node` also use this version.
  const clean = cleanEnvironment();
  const env = { ...clean, PATH: [dirname(path), clean['PATH'] ?? ''].join(delimiter) };
  const startedAt = performance.now();
  const served = await smoke(path, env).then(
    (readyMs) => ({ isRight: true, text: `the reference graph was ready after ${readyMs.toFixed(0)} ms and responded` }),
    (error: unknown) => ({
      isRight: false,
      text: `serving the reference graph failed: ${error instanceof Error ? error.message : String(error)}`,
    }),
  );
  console.log(`${version} ${served.isRight ? 'ok    ' : 'FAILED'} ${served.text}`);
  const { passed, failed, failures } = await runUnitTests(path, { ...env, ...UNIT_TEST_ENVIRONMENT });
  const isRight = failures.length === 0 && passed > 0;
  console.log(`${version} ${isRight ? 'ok    ' : 'FAILED'} unit tests: ${passed} passed, ${failed} failed`);
  for (const failure of failures) console.log(`  ${failure.split('\n').slice(0, 12).join('\n  ')}`);
  console.log(`${version} took ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  return served.isRight && isRight;
}
