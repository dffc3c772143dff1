import { CommanderError } from 'commander';
import { ConfigurationInvalid, type ConfigurationProblem, describeOrigin } from '../gateway/config/configuration-invalid.ts';
import { CommandFailed, type FailureCode, type FailureProblem } from './command-failed.ts';
import type { Terminal } from './terminal.ts';

/** Description of the option in all commands. */
export const JSON_OPTION = ['--json', 'print the result or the error as one JSON document on stdout'] as const;

/** Why a command has no result: the value of `error` in its JSON output. */
interface JsonError {
  readonly code: FailureCode | 'INVALID_ARGUMENTS' | 'INVALID_CONFIGURATION' | 'PACKAGES_MISSING' | 'SUPERGRAPH_INVALID' | 'INTERNAL_ERROR';
  readonly message: string;
  /** Exit code of the process. */
  readonly exitCode: number;
  /** Every reason, with its locations. */
  readonly problems: readonly FailureProblem[];
}

/** Codes of errors that are identified by name, because their modules are loaded only when they are needed. */
const CODES: Readonly<Record<string, JsonError['code']>> = {
  PackagesMissing: 'PACKAGES_MISSING',
  SupergraphInvalid: 'SUPERGRAPH_INVALID',
};

/** Prints the result of a command. The keys of results are documented in `docs/reference/json-output.md`. */
export function printJson(terminal: Pick<Terminal, 'print'>, result: object): void {
  terminal.print(JSON.stringify(result, undefined, 2));
}

/** Whether the arguments of the process contain the option. */
export function requestsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).includes('--json');
}

/**
 * Describes an error of a command.
 *
 * @param explained text that the command would print to stderr without the option
 */
export function toJsonError(error: unknown, exitCode: number, explained: string): { readonly error: JsonError } {
  if (error instanceof CommandFailed) return { error: { code: error.code, message: error.message, exitCode, problems: error.problems } };
  if (error instanceof ConfigurationInvalid) {
    return { error: { code: 'INVALID_CONFIGURATION', message: error.message, exitCode, problems: error.problems.map(fromSetting) } };
  }
  if (error instanceof CommanderError) {
    return { error: { code: 'INVALID_ARGUMENTS', message: error.message.replace(/^error: /, ''), exitCode, problems: [] } };
  }
  const named = error instanceof Error ? CODES[error.name] : undefined;
  const isBug = error instanceof Error && error.stack === explained;
  return {
    error: {
      code: named ?? (isBug ? 'INTERNAL_ERROR' : 'COMMAND_FAILED'),
      message: isBug ? error.message : explained, // The stack of a bug is not part of the contract.
      exitCode,
      problems: [],
    },
  };
}

function fromSetting({ path, origin, message, hint }: ConfigurationProblem): FailureProblem {
  const from = origin === undefined || origin.kind === 'file' ? '' : ` (from ${describeOrigin(origin)})`;
  return {
    message: `${path === '' ? message : `${path}: ${message}`}${from}`,
    ...(origin?.kind === 'file' ? { locations: [{ file: origin.file, line: origin.line, column: origin.column }] } : {}),
    ...(hint === undefined ? {} : { hint }),
  };
}
