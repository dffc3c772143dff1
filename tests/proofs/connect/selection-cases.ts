import { isDeepStrictEqual } from 'node:util';
import type { ConnectVersion } from '../../../gateway/connectors/connect-version.ts';
import { compileSelection } from '../../../gateway/connectors/selection/compile-selection.ts';
import type { SelectionProblem } from '../../../gateway/connectors/selection/compiled-mapping.ts';
import { MappingSyntaxError } from '../../../gateway/connectors/selection/mapping-syntax-error.ts';
import { parseSelection } from '../../../gateway/connectors/selection/parse-selection.ts';
import type { Checkout } from './checkout.ts';
import { NONE } from './rust-values.ts';
import { readCorpusFile } from './selection-test-reader.ts';
import type { CorpusCase } from './selection-values.ts';

/** Folder of the mapping language in the checkout. */
const FOLDER = 'apollo-federation/src/connectors/json_selection';

/** Minimum share of equal cases, by version. Version 0.4 is a preview whose syntax has changed after the corpus was written. */
const REQUIRED: Readonly<Partial<Record<ConnectVersion, number>>> = { '0.1': 0.99, '0.2': 0.99, '0.3': 0.99 };

interface Comparison {
  readonly isEqual: boolean;
  readonly hasEqualProblems: boolean;
  /** Whether Gatefold refuses the mapping. */
  readonly isRefused: boolean;
  readonly reason: string;
}

/** Evaluates the mappings of the corpus and compares their data. Prints the results by version. Returns whether enough are equal. */
export function proveSelectionCases(checkout: Checkout, print: (line: string) => void): boolean {
  const files = checkout.list(FOLDER).filter((path) => path.endsWith('.rs'));
  const read = files.map((path) => readCorpusFile(path.slice(FOLDER.length + 1), checkout.read(path)));
  const cases = read.flatMap((file) => file.cases);
  const unread = read.flatMap((file) => file.unread);
  print(`selection cases: ${String(cases.length)} read, ${String(unread.length)} runs without an expectation that could be read`);
  if (process.env['CONNECT_VERBOSE'] !== undefined) for (const test of unread) print(`  not read: ${test}`);
  let isEnough = cases.length > 0;
  for (const version of ['0.1', '0.2', '0.3', '0.4'] as const) {
    const comparisons = cases.filter(({ run }) => run.version === version).map((item) => Object.assign(evaluate(item), { item }));
    const equal = comparisons.filter(({ isEqual }) => isEqual).length;
    const problems = comparisons.filter(({ hasEqualProblems }) => hasEqualProblems).length;
    if (comparisons.length === 0) {
      print(`  v${version}: no cases`);
      continue;
    }
    const share = equal / comparisons.length;
    const refused = comparisons.filter(({ isEqual, isRefused }) => isEqual && isRefused).length;
    const figure = `${String(equal)} of ${String(comparisons.length)} equal (${(share * 100).toFixed(2)} %)`;
    print(`  v${version}: ${figure}, with problems where expected: ${String(problems)}`);
    if (refused > 0) print(`    of them refused when loaded, where the corpus has problems and no data: ${String(refused)}`);
    for (const { item, isEqual, reason } of comparisons) {
      if (!isEqual) print(`    different: ${item.file} ${item.test} (line ${String(item.line)}): ${reason}`);
    }
    isEnough &&= share >= (REQUIRED[version] ?? 0);
  }
  return isEnough;
}

function evaluate({ run, data, problems }: CorpusCase): Comparison {
  const found: SelectionProblem[] = [];
  let result: unknown;
  try {
    result = compileSelection(parseSelection(run.text, run.version))(run.data, run.variables, found);
  } catch (error) {
    if (!(error instanceof MappingSyntaxError)) throw error;
    // Gatefold refuses some mappings when it loads them, which can only produce a problem in the corpus.
    const isRejected = data === NONE && problems !== 0;
    return { isEqual: isRejected, hasEqualProblems: isRejected, isRefused: true, reason: `refused: ${error.message}` };
  }
  const expected = data === NONE ? undefined : data;
  const isEqual = isDeepStrictEqual(normalized(result), normalized(expected));
  const hasEqualProblems = problems === undefined || problems > 0 === found.length > 0;
  return {
    isEqual,
    hasEqualProblems,
    isRefused: false,
    reason: `expected ${shown(expected)}, found ${shown(result)} for ${shown(run.text)}`,
  };
}

/** Removes prototypes and the sign of zero. */
function normalized(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}

function shown(value: unknown): string {
  const text = value === undefined ? 'no value' : (JSON.stringify(value) ?? '');
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
