import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { createProgram } from '../../../cli/command-line.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';

/** Programs that no test runs, because they need a container engine, a cluster or the processes that those start. */
const EXTERNAL: ReadonlySet<string> = new Set(['curl', 'docker', 'helm', 'kubectl']);

/**
 * Checks the commands of a block that no test runs, because they install packages, start a process
 * that does not end, measure for minutes, or belong to a release. Every npm script, every subcommand
 * of `gatefold` and every option must exist, and so must every file of `deploy`.
 */
export function checkCommands(text: string): readonly string[] {
  const lines = text.replaceAll('\\\n', ' ').split(/\n|&&/);
  const problems = lines.map((line) => line.replace(/\s#.*$/, '').trim()).flatMap(checkLine);
  return problems;
}

function checkLine(line: string): readonly string[] {
  const words = line.split(/\s+/).filter((word) => word !== '' && !/^[A-Z_]+=/.test(word));
  const [command = '', ...rest] = words[0] === 'npx' ? words.slice(1) : words;
  if (command === 'gatefold') return checkGatefold(rest);
  if (command === 'npm') return checkNpm(rest);
  if (EXTERNAL.has(command) || command.startsWith('deploy/')) return checkDeployFiles(words);
  return ['', 'git', 'cd', 'node'].includes(command) ? [] : [`"${command}" cannot be checked. Make the block executable: \`\`\`sh`];
}

/** Checks the files of `deploy`, except for those that `create-secrets.sh` writes. */
function checkDeployFiles(words: readonly string[]): readonly string[] {
  const files = words.filter((word) => word.startsWith('deploy/') && !word.startsWith('deploy/compose/secrets/'));
  return files.filter((file) => !existsSync(join(packageRoot, file))).map((file) => `${file} does not exist`);
}

function checkNpm([verb = '', name = '', ...args]: readonly string[]): readonly string[] {
  if (['ci', 'install', 'start'].includes(verb)) return [];
  const { scripts } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const script = verb === 'run' ? name : verb;
  if (scripts[script] === undefined) return [`package.json has no script "${script}"`];
  const files = [name, ...args].filter((word) => word.startsWith('tests/') && !existsSync(join(packageRoot, word)));
  return files.map((file) => `${file} does not exist`);
}

function checkGatefold(words: readonly string[]): readonly string[] {
  const terminal = { env: {}, print: () => undefined, warn: () => undefined, stopSignal: () => new AbortController().signal };
  let command: Command = createProgram(terminal);
  for (const word of words) {
    const child = command.commands.find((each) => each.name() === word);
    if (child === undefined) break;
    command = child;
  }
  if (command.name() === 'gatefold') return [`gatefold has no command "${words[0] ?? ''}"`];
  const options = new Set(command.options.flatMap(({ long, short }) => [long, short]));
  return words.filter((word) => word.startsWith('-') && !options.has(word)).map((word) => `${command.name()} has no option ${word}`);
}
