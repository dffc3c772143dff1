/**
 * Runs a proof: `npm run prove <name>` builds outdated files and runs `tests/proofs/<name>.ts`. Without a name, lists the proofs, each with
 * the purpose and the duration from the comment at the head of its file.
 */
import { join } from 'node:path';
import { runProgram } from './programs.ts';
import { packageRoot } from '../../gateway/platform/package-root.ts';

const PROOFS = {
  kind: 'proof',
  script: 'prove',
  folder: join(packageRoot, 'tests/proofs'),
  environment: { NODE_ENV: 'production', NODE_OPTIONS: '--no-warnings --disable-proto=delete' },
};

process.exitCode = runProgram(PROOFS, process.argv.slice(2), packageRoot);
