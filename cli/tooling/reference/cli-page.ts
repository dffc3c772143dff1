import { join } from 'node:path';
import type { Argument, Command, Option } from 'commander';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { createProgram } from '../../command-line.ts';
import type { GeneratedFile } from '../generated-file.ts';
import { GENERATED, table } from './markdown.ts';

const EXIT_CODES = [
  ['0', 'The command succeeded.'],
  ['1', 'The command failed; it prints the reason.'],
  ['2', 'The arguments or the configuration are invalid.'],
];

/** Generates `docs/reference/cli.md` from the commands, their arguments and options. */
export function generateCliPage(root: string = packageRoot): GeneratedFile {
  const terminal = { env: {}, print: () => undefined, warn: () => undefined, stopSignal: () => new AbortController().signal };
  const program = createProgram(terminal);
  const commands = program.commands.flatMap((command) => withSubcommands(command, 'gatefold'));
  const text = [
    GENERATED,
    '',
    '# Command line',
    '',
    'The command `gatefold` serves a supergraph, composes and checks schemas, and prepares files for both.',
    '',
    ...commands.map(({ name }) => `- [\`${name}\`](#${anchorOf(name)})`),
    '- [Exit codes](#exit-codes)',
    ...commands.flatMap(({ name, command }) => section(name, command)),
    '',
    '## Exit codes',
    '',
    table(['code', 'meaning'], EXIT_CODES),
    '',
    'With `--json`, a command prints its result or its error as [one JSON document](json-output.md).',
  ];
  return { path: join(root, 'docs/reference/cli.md'), text: `${text.join('\n')}\n` };
}

interface NamedCommand {
  readonly name: string;
  readonly command: Command;
}

function withSubcommands(command: Command, parent: string): readonly NamedCommand[] {
  const name = `${parent} ${command.name()}`;
  if (command.commands.length === 0) return [{ name, command }];
  return command.commands.flatMap((child) => withSubcommands(child, name));
}

const anchorOf = (name: string) => name.replaceAll(' ', '-');

function section(name: string, command: Command): readonly string[] {
  const usage = [name, ...command.registeredArguments.map(printArgument), '[options]'].join(' ');
  const rows = [...command.registeredArguments.map(argumentRow), ...command.options.map(optionRow)];
  return [
    '',
    `## \`${name}\``,
    '',
    command.description(),
    '',
    '```text usage',
    usage,
    '```',
    '',
    table(['argument or option', 'meaning', 'default'], rows),
  ];
}

function printArgument(argument: Argument): string {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  return argument.required ? `<${name}>` : `[${name}]`;
}

const argumentRow = (argument: Argument) => [`\`${printArgument(argument)}\``, sentence(argument.description), ''];

function optionRow(option: Option): readonly string[] {
  const choices = option.argChoices === undefined ? '' : ` One of ${option.argChoices.join(', ')}.`;
  const required = option.mandatory ? ' Required.' : '';
  const { defaultValue, defaultValueDescription } = option;
  const isShown = defaultValue !== undefined && defaultValue !== true;
  const fallback = isShown ? `\`${defaultValueDescription ?? String(defaultValue)}\`` : '';
  return [`\`${option.flags}\``, `${sentence(option.description)}${choices}${required}`, fallback];
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
