/**
 * Builds everything that `npm start` runs (`npm run build`). A step with unchanged inputs is skipped, so a repeated build costs almost
 * nothing. Independent steps run at the same time. `--force` runs all steps.
 */
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runCommand } from './run-command.js';

const PACKAGES = ['gateway', 'rest-facade', 'subgraphs', 'cli'];
const STAMPS = join(root, 'dist/.build');

/** Build steps, in the order of their dependencies. A step runs after the one that it names in `needs`, and at the same time as others. */
const STEPS = [
  {
    name: 'compile',
    inputs: [...PACKAGES, 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'],
    reads: /^(?!cli\/tooling\/).*\.(ts|json)$|rollup\.config\.js$/,
    output: 'dist/cli/main.js',
    commands: [
      ['tsc', '-p', 'tsconfig.build.json'],
      ['rollup', '--config', 'cli/tooling/rollup.config.js', '--silent'],
    ],
    before: () => PACKAGES.forEach((folder) => rmSync(join(root, 'dist', folder), { recursive: true, force: true })),
    // In a checkout, `npx gatefold` runs the file itself, and the bundler does not make it executable.
    after: () => chmodSync(join(root, 'dist/cli/main.js'), 0o755),
  },
  {
    name: 'seed',
    needs: 'compile',
    inputs: ['subgraphs', 'package-lock.json'],
    reads: /\.(ts|sql|json)$/,
    output: 'dist/seed/fingerprint',
    commands: [['node', 'dist/subgraphs/seed/build-snapshot.js']],
  },
  {
    name: 'studio',
    inputs: ['studio', 'package-lock.json'],
    reads: /./,
    output: 'dist/studio/index.html',
    commands: [['vite', 'build', '--config', 'studio/vite.config.ts', '--logLevel', 'warn']],
  },
  {
    name: 'docs',
    inputs: ['cli/tooling/copy-swagger-ui.js', 'package-lock.json'],
    reads: /./,
    output: 'dist/swagger-ui/LICENSE',
    commands: [['node', 'cli/tooling/copy-swagger-ui.js']],
  },
];

const isForced = process.argv.includes('--force');
const results = new Map();
for (const step of STEPS) results.set(step.name, build(step, results.get(step.needs)));
for (const result of results.values()) {
  const { built, failure } = await result;
  if (built !== undefined) console.log(built);
  if (failure === undefined) continue;
  console.error(failure);
  process.exitCode = 1;
  await Promise.all(results.values());
  break;
}

/** Runs a step if its inputs have changed. It fails silently if the step that it needs has failed. */
async function build(step, needed) {
  const fingerprint = fingerprintOf(step);
  if ((await needed)?.hasFailed === true) return { hasFailed: true };
  if (!isForced && isUpToDate(step, fingerprint)) return {};
  step.before?.();
  const startedAt = performance.now();
  for (const command of step.commands) {
    const { ok, output } = await runCommand(command);
    if (!ok) return { hasFailed: true, failure: `Build command failed: ${command.join(' ')}\n\n${output}` };
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  step.after?.();
  mkdirSync(STAMPS, { recursive: true });
  writeFileSync(join(STAMPS, step.name), fingerprint);
  return { built: `Built: ${step.name} (${seconds.toFixed(1)} s)` };
}

function isUpToDate({ name, output }, fingerprint) {
  const stamp = join(STAMPS, name);
  return existsSync(join(root, output)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint;
}

/**
 * Hashes names and contents of all inputs, so that a deleted file changes the fingerprint too. Modification times do not count: a clone with
 * the same files can use a copy of the outputs.
 */
function fingerprintOf({ inputs, reads }) {
  const hash = createHash('sha256');
  for (const input of inputs) {
    for (const path of filesBelow(input)) {
      if (!reads.test(path)) continue;
      const content = readFileSync(join(root, path));
      hash.update(`${path} ${content.length}\n`).update(content);
    }
  }
  return hash.digest('hex');
}

function filesBelow(path) {
  if (!existsSync(join(root, path))) return [];
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path), { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(join(path, entry.name)) : [join(path, entry.name)]));
}
