import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { ConfigurationInvalid } from '../gateway/config/configuration-invalid.ts';
import { fileFailureSuffix } from '../gateway/platform/file-errors.ts';
import { packageRoot } from '../gateway/platform/package-root.ts';
import { CommandFailed } from './command-failed.ts';
import { checkCommand } from './commands/check.ts';
import { composeCommand } from './commands/compose.ts';
import { connectCommand } from './commands/connect.ts';
import { devCommand } from './commands/dev.ts';
import { initCommand } from './commands/init.ts';
import { persistCommand } from './commands/persist.ts';
import { planCommand } from './commands/plan.ts';
import { restCommand } from './commands/rest.ts';
import { serveCommand } from './commands/serve.ts';
import { tokenCommand } from './commands/token.ts';
import { validateCommand } from './commands/validate.ts';
import { webhooksCommand } from './commands/webhooks.ts';
import { printJson, requestsJson, toJsonError } from './json-output.ts';
import type { Terminal } from './terminal.ts';

const EXIT_CODES = `
Exit codes: 0 success; 1 the command failed and printed the reason; 2 invalid arguments or configuration.`;

/** Errors with messages for operators. They are identified by name, because their modules are loaded only when they are needed. */
const WRITTEN_FOR_OPERATORS: ReadonlySet<string> = new Set([
  'ListenFailure',
  'SupergraphInvalid',
  'Unreachable',
  'MappingInvalid',
  'PackagesMissing',
  'ServiceInvalid',
  'StorageFailure',
]);

/** Runs one command. Resolves to the exit code of the process. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const isJson = requestsJson(args);
  let hasResult = false;
  const print = (text: string): void => {
    hasResult = true;
    terminal.print(text);
  };
  try {
    await createProgram({ ...terminal, print }, isJson).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    const { exitCode, text } = explain(error);
    // A result such as the changes of a schema is printed before the command fails. Stdout then has its one JSON document.
    if (isJson && !hasResult && exitCode !== 0) printJson(terminal, toJsonError(error, exitCode, text));
    else if (text !== '') terminal.warn(text);
    return exitCode;
  }
}

/**
 * Creates the command `gatefold` with all its subcommands.
 *
 * @param isJson whether errors are printed as JSON by the caller, and not as text
 */
export function createProgram(terminal: Terminal, isJson = false): Command {
  const root = new Command('gatefold')
    .description('A schema-first GraphQL federation gateway with a REST facade.')
    .version(packageVersion())
    .addHelpText('after', EXIT_CODES);
  for (const command of [
    initCommand,
    serveCommand,
    devCommand,
    composeCommand,
    checkCommand,
    validateCommand,
    planCommand,
    persistCommand,
    connectCommand,
    restCommand,
    webhooksCommand,
    tokenCommand,
  ].map((create) => create(terminal))) {
    root.addCommand(command);
  }
  for (const command of withSubcommands(root)) {
    command
      .exitOverride()
      .showHelpAfterError('Run the command with --help to list its arguments and options.')
      .configureOutput({
        writeOut: (text) => terminal.print(text.trimEnd()),
        writeErr: (text) => (isJson ? undefined : terminal.warn(text.trimEnd())),
      });
  }
  return root;
}

function withSubcommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

/** Text for stderr, and exit code. */
interface Explanation {
  readonly exitCode: number;
  /** Empty if the parser of the arguments has printed the reason. */
  readonly text: string;
}

/**
 * Explains an error. Messages for operators are printed as they are, and errors of the file system with their path. Any other error is a
 * bug and is printed with its stack.
 */
function explain(error: unknown): Explanation {
  if (error instanceof CommanderError) return { exitCode: error.exitCode === 0 ? 0 : 2, text: '' };
  if (error instanceof ConfigurationInvalid) return { exitCode: 2, text: error.message };
  if (error instanceof CommandFailed) return { exitCode: error.exitCode, text: error.message };
  if (error instanceof Error && WRITTEN_FOR_OPERATORS.has(error.name)) return { exitCode: 1, text: error.message };
  const suffix = fileFailureSuffix(error);
  if (suffix !== '' && error instanceof Error) return { exitCode: 1, text: `${pathOf(error) ?? 'A file'} cannot be used${suffix}.` };
  return { exitCode: 1, text: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

/** Returns the path of a system error. */
function pathOf(error: Error): string | undefined {
  return 'path' in error && typeof error.path === 'string' ? error.path : undefined;
}

function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { readonly version: string };
  return manifest.version;
}
