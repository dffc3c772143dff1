import { parse, Source } from 'graphql';
import type { ConnectorProblem } from '../../../gateway/connectors/definition/connector-problem.ts';
import { validateConnectors } from '../../../gateway/connectors/validation/validate-connectors.ts';
import type { Checkout } from './checkout.ts';

const FOLDER = 'apollo-federation/src/connectors/validation';
const SCHEMAS = `${FOLDER}/test_data/`;

/** Share of the schemas that must have the same result. */
const GOAL = 0.95;

/** Reasons for different results, by the path of the schema. */
const KNOWN_REASONS: ReadonlyMap<string, string> = new Map(
  ['is_success/is_success_connect_happy_path', 'is_success/is_success_source_happy_path', 'uri_templates/valid_source_url_template'].map(
    (path) => [`${path}.graphql`, 'the method ->eq is documented since v0.3, and the schema links v0.2'],
  ),
);

interface ValidationCase {
  /** Path below the folder of the schemas. */
  readonly path: string;
  /** Number of errors that the corpus expects. */
  readonly expected: number;
  /** Mistakes that the gateway reports: code, position and message. */
  readonly found: readonly string[];
}

/**
 * Validates the schemas of the corpus, and compares whether they are accepted. A schema is accepted by the corpus if its list of errors is
 * empty.
 *
 * @returns whether at least 95 % have the same result
 */
export function proveValidationCases(checkout: Checkout, print: (line: string) => void): boolean {
  const cases = readCases(checkout);
  const different = cases.filter(({ expected, found }) => (expected === 0) !== (found.length === 0));
  const equal = cases.length - different.length;
  const rejected = cases.filter(({ expected }) => expected > 0).length;
  print(
    `Schemas: ${equal} of ${cases.length} have the same result (${((100 * equal) / cases.length).toFixed(1)} %); ${rejected} are invalid.`,
  );
  for (const { path, expected, found } of different) {
    const reason = KNOWN_REASONS.get(path) ?? 'the reason is unknown';
    print(`  ${path}: ${expected === 0 ? 'accepted by the corpus' : `rejected by the corpus with ${expected} errors`}; ${reason}`);
    for (const problem of found) print(`    ${problem}`);
  }
  return cases.length > 0 && equal / cases.length >= GOAL;
}

function readCases({ list, read }: Checkout): readonly ValidationCase[] {
  const files = new Set(list(FOLDER));
  return [...files].flatMap((file) => {
    if (!file.startsWith(SCHEMAS) || !file.endsWith('.graphql')) return [];
    const path = file.slice(SCHEMAS.length);
    const snapshot = `${FOLDER}/snapshots/validation_tests@${path.replaceAll('/', '__')}.snap`;
    if (!files.has(snapshot)) return [];
    const expected = read(snapshot).match(/^ +code: /gm)?.length ?? 0;
    return [{ path, expected, found: validate(path, read(file)) }];
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
  return `${code} ${first === undefined ? '' : `${first.line}:${first.column} `}${message}`;
}
