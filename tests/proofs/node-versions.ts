/**
 * Serves and queries the reference graph, and runs the unit tests, on each supported version of Node: the newest 20, 22, 24 and 26. On the
 * newest 12, 14, 16 and 18, checks that the command names the required version and prints no stack. Exits with 1 when something fails.
 *
 * Duration: about 4 minutes
 *
 * `npm run prove node-versions [major …]` runs those versions. Their binaries come from npm and are cached in `node_modules/.cache`.
 */
import { spawn } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { packageRoot } from '../../gateway/platform/package-root.ts';
import { cleanEnvironment, watchProcess } from '../support/process/built-cli.ts';
import { installNode, type NodeBinary } from './node-versions/install-node.ts';
import { smoke } from './node-versions/smoke.ts';
import { runUnitTests } from './node-versions/unit-tests.ts';

const SUPPORTED = [20, 22, 24, 26];
const TOO_OLD = [12, 14, 16, 18];
const KNOWN = [...TOO_OLD, ...SUPPORTED];
/** Directory in which the command stores compiled code. */
const COMPILED_CODE = join(packageRoot, 'node_modules/.cache/gatefold');
const UNIT_TEST_ENVIRONMENT = { NODE_ENV: 'production', NODE_OPTIONS: '--no-warnings --disable-proto=delete' };

const chosen = process.argv.slice(2).map(Number);
const unknown = chosen.filter((major) => !KNOWN.includes(major));
if (unknown.length > 0) {
  console.error(`This program tests the major versions ${KNOWN.join(', ')} of Node. It does not test ${unknown.join(', ')}.`);
  process.exitCode = 2;
} else {
  for (const major of chosen.length > 0 ? chosen : KNOWN) {
    const binary = await installNode(major);
    if (!(await (TOO_OLD.includes(major) ? isRejectedOn(binary) : holdsOn(binary)))) process.exitCode = 1;
  }
}

/** Whether the command ends with 1 and one message that names the required and the actual version. */
async function isRejectedOn({ path, version }: NodeBinary): Promise<boolean> {
  const args = [join(packageRoot, 'dist/cli/main.js'), 'serve'];
  await using command = watchProcess(spawn(path, args, { env: cleanEnvironment(), stdio: 'pipe' }));
  const { code } = await command.exit;
  const [first = '', ...others] = command.output().trim().split('\n');
  const isNamed = first.startsWith('Gatefold requires Node.js 20.19 or later') && first.includes(version.slice(1));
  const isRight = code === 1 && isNamed && others.length === 1;
  console.log(`${version} ${isRight ? 'ok    ' : 'FAILED'} the command ended with ${code}: ${isRight ? first : command.output()}`);
  return isRight;
}

async function holdsOn({ path, version }: NodeBinary): Promise<boolean> {
  // Processes that are started by the name `node` also use this version.
  const clean = cleanEnvironment();
  const env = { ...clean, PATH: [dirname(path), clean['PATH'] ?? ''].join(delimiter) };
  const startedAt = performance.now();
  await rm(COMPILED_CODE, { recursive: true, force: true });
  const served = await smoke(path, env).then(
    (readyMs) => ({ isRight: true, text: `the reference graph was ready after ${readyMs.toFixed(0)} ms and responded` }),
    (error: unknown) => ({
      isRight: false,
      text: `serving the reference graph failed: ${error instanceof Error ? error.message : String(error)}`,
    }),
  );
  console.log(`${version} ${served.isRight ? 'ok    ' : 'FAILED'} ${served.text}`);
  const isCached = await storesCompiledCode(version);
  if (!isCached) console.log(`${version} FAILED no compiled code was stored for the next start`);
  const { passed, failed, failures } = await runUnitTests(path, { ...env, ...UNIT_TEST_ENVIRONMENT });
  const isRight = failures.length === 0 && passed > 0;
  console.log(`${version} ${isRight ? 'ok    ' : 'FAILED'} unit tests: ${passed} passed, ${failed} failed`);
  for (const failure of failures) console.log(`  ${failure.split('\n').slice(0, 12).join('\n  ')}`);
  console.log(`${version} took ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  return served.isRight && isRight && isCached;
}

/** Whether the gateway has stored compiled code for its next start. Node.js does this since 22.8. */
async function storesCompiledCode(version: string): Promise<boolean> {
  if (version.startsWith('v20.')) return true;
  const versions = await readdir(COMPILED_CODE).catch(() => []);
  return versions.some((name) => name.startsWith(`${version}-`));
}
