/**
 * Runs all tests over HTTP on the embedded database. `npm test` runs only the database-dependent tests on it, and all tests on PostgreSQL.
 *
 * Duration: about 3 minutes
 *
 * Arguments are passed on to Jest.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../gateway/platform/package-root.ts';

const args = ['node_modules/jest/bin/jest.js', '--config', join(packageRoot, 'tests/embedded.config.js'), ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, args, { cwd: packageRoot, stdio: 'inherit' }).status ?? 1;
