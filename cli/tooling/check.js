/** Runs all static checks (`npm run check`), even after one has failed. `npm run check lint types` runs only these two. */
import { runCommand } from './run-command.js';

const SOURCES = ['gateway', 'rest-facade', 'subgraphs', 'cli', 'tests'];

/** Checks, in the order in which their output is most useful. */
const CHECKS = [
  { name: 'format', command: ['biome', 'format', '.'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings', '.'] },
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json'] },
  { name: 'studio-types', command: ['tsc', '-p', 'studio/tsconfig.json'] },
  { name: 'imports', command: ['depcruise', '--config', '.dependency-cruiser.js', ...SOURCES] },
  { name: 'dead-code', command: ['knip'] },
  {
    name: 'schema',
    command: 'tsx cli/main.ts check schema/supergraph.graphql --against schema/released-supergraph.graphql --rest schema/rest'.split(' '),
  },
  { name: 'site', command: ['node', 'cli/tooling/build-site.js'] },
  { name: 'compose-file', command: ['dclint', '--max-warnings', '0', 'docker-compose.yml'] },
  { name: 'dockerfile', command: ['dockerfilelint', 'Dockerfile'] },
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !CHECKS.some((check) => check.name === name));
if (unknown.length > 0) {
  console.error(`Unknown check: ${unknown.join(', ')}. Available checks: ${CHECKS.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

const failed = [];
for (const { name, command } of CHECKS) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const { ok, output, seconds } = await runCommand(command);
  console.log(`${ok ? 'passed' : 'FAILED'}  ${name.padEnd(13)} ${seconds.toFixed(1).padStart(5)} s  ${command.join(' ')}`);
  if (ok) continue;
  failed.push(name);
  console.log(`\n${output}\n`);
}
if (failed.length > 0) console.log(`Failed: ${failed.join(', ')}.`);
process.exitCode = failed.length > 0 ? 1 : 0;
