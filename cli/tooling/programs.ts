import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A program of a folder, for example a proof, as described by the comment at the head of its file. */
export interface Program {
  readonly name: string;
  /** First paragraph of the comment. */
  readonly purpose: string;
  /** Text after `Duration:`, on a separate line. */
  readonly duration: string;
}

/** Programs of one kind. */
export interface Programs {
  /** Noun for messages, for example `proof`. */
  readonly kind: string;
  /** Script of package.json that runs them. */
  readonly script: string;
  /** Directory of the files. */
  readonly folder: string;
  /** Names of programs with fixed arguments. */
  readonly shortcuts?: Readonly<Record<string, readonly [name: string, ...args: string[]]>>;
  /** Environment variables of the programs, in addition to those of the caller. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Result for arguments that run no program: the text to print and the exit code. */
interface Message {
  readonly text: string;
  readonly exitCode: 0 | 2;
}

/** File to run, with its arguments. */
interface Run {
  readonly file: string;
  readonly args: readonly string[];
}

/** Reads the programs of a folder. Each `.ts` file is a program. Sorted by name. */
export function readPrograms(folder: string): readonly Program[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts'));
  return files.toSorted().map((file) => {
    const { purpose, duration } = readHead(readFileSync(join(folder, file), 'utf8'));
    return { name: file.slice(0, -'.ts'.length), purpose, duration };
  });
}

/** Reads purpose and duration from the comment at the head of a source file. They are empty if they are missing. */
export function readHead(source: string): Omit<Program, 'name'> {
  const comment = /^\/\*\*([\s\S]*?)\*\//.exec(source)?.[1] ?? '';
  const text = comment.replaceAll(/^\s*\* ?/gm, '').trim();
  const [paragraph = ''] = text.split(/\n\s*\n/);
  return {
    purpose: paragraph.startsWith('Duration:') ? '' : paragraph.replaceAll('\n', ' '),
    duration: /^Duration: *(.*)$/m.exec(text)?.[1]?.trim() ?? '',
  };
}

/** Finds the program that the arguments name, or lists the available programs. */
export function chooseProgram(programs: Programs, [name, ...args]: readonly string[]): Message | Run {
  const known = readPrograms(programs.folder);
  if (name === undefined) return { text: describe(programs, known), exitCode: 0 };
  const [target, ...fixed] = programs.shortcuts?.[name] ?? [name];
  if (known.some((program) => program.name === target)) return { file: join(programs.folder, `${target}.ts`), args: [...fixed, ...args] };
  const names = [...known.map((program) => program.name), ...Object.keys(programs.shortcuts ?? {})].toSorted().join(', ');
  return { text: `Unknown ${programs.kind} "${name}". \`npm run ${programs.script} <name>\` accepts one of: ${names}.`, exitCode: 2 };
}

/** Builds outdated files and runs the program that the arguments name. Without a name, lists all programs. Returns the exit code. */
export function runProgram(programs: Programs, args: readonly string[], root: string): number {
  const choice = chooseProgram(programs, args);
  if ('text' in choice) {
    (choice.exitCode === 0 ? console.log : console.error)(choice.text);
    return choice.exitCode;
  }
  const run = (file: string, ...rest: readonly string[]): number =>
    spawnSync(process.execPath, [file, ...rest], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...(file === '--import' ? programs.environment : {}) },
    }).status ?? 1;
  return run(join(root, 'cli/tooling/build.js')) || run('--import', 'tsx', choice.file, ...choice.args);
}

function describe({ kind, script, shortcuts = {} }: Programs, programs: readonly Program[]): string {
  const described = programs.map(({ name, duration, purpose }) => `${name} (${duration})\n${wrap(purpose)}`);
  const short = Object.entries(shortcuts).map(([name, command]) => `${name}\n  Runs ${command.join(' ')}.`);
  return [`npm run ${script} <name> runs a ${kind}:`, ...described, ...short].join('\n\n');
}

/** Wraps text to indented lines of at most 100 characters. */
function wrap(text: string): string {
  const lines: string[] = [];
  let line = ' ';
  for (const word of text.split(' ')) {
    if (line.length + word.length >= 100) {
      lines.push(line);
      line = ' ';
    }
    line += ` ${word}`;
  }
  return [...lines, line].join('\n');
}
