/**
 * Runs a benchmark: `npm run bench <name>` builds outdated files and runs `bench/<name>.ts`. Without a name, lists the benchmarks, each
 * with the purpose and the duration from the comment at the head of its file.
 */
import { join } from 'node:path';
import { runProgram, type Programs } from './programs.ts';
import { packageRoot } from '../../gateway/platform/package-root.ts';

const BENCHMARKS: Programs = {
  kind: 'benchmark',
  script: 'bench',
  folder: join(packageRoot, 'bench'),
  shortcuts: { quick: ['federation', '--quick'] },
};

process.exitCode = runProgram(BENCHMARKS, process.argv.slice(2), packageRoot);
