import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { ConfigurationInvalid } from '../gateway/config/configuration-invalid.ts';
import { packageRoot } from '../gateway/platform/package-root.ts';
import { CommandFailed } from './command-failed.ts';
import { checkCommand } from './commands/check.ts';
import { composeCommand } from './commands/compose.ts';
import { devCommand } from './commands/dev.ts';
import { persistCommand } from './commands/persist.ts';
import { restCommand } from './commands/rest.ts';
import { serveCommand } from './commands/serve.ts';
import { tokenCommand } from './commands/token.ts';
import { validateCommand } from './commands/validate.ts';
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
]);

/** Runs one command. Resolves to the exit code of the process. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    return explain(error, terminal);
  }
}

/** Creates the command `gatefold` with all its subcommands. */
export function createProgram(terminal: Terminal): Command {
  const root = new Command('gatefold')
    .description('A schema-first GraphQL federation gateway with a REST facade.')
    .version(packageVersion())
    .addHelpText('after', EXIT_CODES);
  for (const command of [
    serveCommand,
    devCommand,
    composeCommand,
    checkCommand,
    validateCommand,
    persistCommand,
    restCommand,
    tokenCommand,
  ].map((create) => create(terminal))) {
    root.addCommand(command);
  }
  for (const command of [root, ...root.commands]) {
    command
      .exitOverride()
      .showHelpAfterError('Run the command with --help to list its arguments and options.')
      .configureOutput({ writeOut: (text) => terminal.print(text.trimEnd()), writeErr: (text) => terminal.warn(text.trimEnd()) });
  }
  return root;
}

/** Prints an error. Messages for operators are printed as they are. Any other error is a bug and is printed with its stack. */
function explain(error: unknown, terminal: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof ConfigurationInvalid) {
    terminal.warn(error.message);
    return 2;
  }
  if (error instanceof CommandFailed) {
    terminal.warn(error.message);
    return error.exitCode;
  }
  if (error instanceof Error && WRITTEN_FOR_OPERATORS.has(error.name)) {
    terminal.warn(error.message);
    return 1;
  }
  terminal.warn(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return 1;
}

function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { readonly version: string };
  return manifest.version;
}
