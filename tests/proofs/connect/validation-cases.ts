import { execFileSync } from 'node:child_process';
import { parse, Source } from 'graphql';
import type { ConnectorProblem } from '../../../gateway/connectors/definition/connector-problem.ts';
import { validateConnectors } from '../../../gateway/connectors/validation/validate-connectors.ts';

const VALIDATION = 'apollo-federation/src/connectors/validation';

/** A schema of the checkout, with the result that the checkout expects and that of the gateway. */
export interface ValidationCase {
  /** Path below the folder of the schemas. */
  readonly path: string;
  /** Number of errors that the checkout expects. */
  readonly expected: number;
  /** Codes of the mistakes that the gateway reports, with their messages. */
  readonly found: readonly string[];
}

/**
 * Validates the schemas of a checkout of the Apollo Router. Nothing of the checkout is part of the project.
 *
 * @param directory checkout, or its bare git directory
 */
export function runValidationCases(directory: string): readonly ValidationCase[] {
  const list = git(directory, 'ls-tree', '-r', '--name-only', 'HEAD', `${VALIDATION}/test_data`, `${VALIDATION}/snapshots`);
  const files = new Set(list.split('\n'));
  return [...files]
    .filter((file) => file.startsWith(`${VALIDATION}/test_data/`) && file.endsWith('.graphql'))
    .toSorted()
    .flatMap((file) => {
      const path = file.slice(`${VALIDATION}/test_data/`.length);
      const snapshot = `${VALIDATION}/snapshots/validation_tests@${path.replaceAll('/', '__')}.snap`;
      if (!files.has(snapshot)) return [];
      const expected = git(directory, 'show', `HEAD:${snapshot}`).match(/^ +code: /gm)?.length ?? 0;
      return [{ path, expected, found: validate(path, git(directory, 'show', `HEAD:${file}`)) }];
    });
}

function validate(path: string, text: string): readonly string[] {
  try {
    return validateConnectors('schema', parse(new Source(text, path))).map(describe);
  } catch (error) {
    return [`SYNTAX_ERROR ${error instanceof Error ? error.message : String(error)}`];
  }
}

function describe({ code, message, locations: [first] }: ConnectorProblem): string {
  return `${code}${first === undefined ? '' : ` ${first.line}:${first.column}`} ${message}`;
}

function git(directory: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-C', directory, ...args], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}
