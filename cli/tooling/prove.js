/**
 * Runs a proof: `npm run prove <name>` builds what is stale and runs `tests/proofs/<name>.ts`. Without a name it lists the proofs,
 * each with the first paragraph of the comment at the head of its file.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run-command.js';

const FOLDER = join(root, 'tests/proofs');
const ENVIRONMENT = { NODE_ENV: 'production', NODE_OPTIONS: '--no-warnings --disable-proto=delete' };

const [name, ...rest] = process.argv.slice(2);
if (name === undefined) {
  for (const file of readdirSync(FOLDER).filter((entry) => entry.endsWith('.ts'))) {
    console.log(`${file.slice(0, -'.ts'.length).padEnd(20)} ${purposeOf(file)}`);
  }
} else if (!/^[a-z-]+$/.test(name) || !existsSync(join(FOLDER, `${name}.ts`))) {
  console.error(`There is no proof "${name}". \`npm run prove\` lists the proofs.`);
  process.exitCode = 2;
} else {
  process.exitCode = run(['cli/tooling/build.js'], {}) || run(['--import', 'tsx', join(FOLDER, `${name}.ts`), ...rest], ENVIRONMENT);
}

function run(args, environment) {
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...environment } }).status ?? 1;
}

function purposeOf(file) {
  const head = /\/\*\*([\s\S]*?)\*\//.exec(readFileSync(join(FOLDER, file), 'utf8'))?.[1] ?? '';
  const [paragraph] = head
    .replaceAll(/^\s*\* ?/gm, '')
    .trim()
    .split(/\n\s*\n/);
  return paragraph.replaceAll('\n', ' ');
}
