import { RustModule } from './rust-module.ts';
import { tokenizeRust } from './rust-tokens.ts';
import { containsUnknown, NONE, RustSome, RustTuple, UNKNOWN } from './rust-values.ts';
import type { RustVocabulary } from './rust-vocabulary.ts';
import { type CorpusCase, CorpusMapping, CorpusResult, type CorpusRun, VERSIONS } from './selection-values.ts';

/** Cases of a file, and the number of runs whose expectation was not understood. */
export interface CorpusFile {
  readonly cases: readonly CorpusCase[];
  /** Tests with runs that no understood assertion compares, with the reason or the line. */
  readonly unread: readonly string[];
}

/** Reads the assertions on results of mappings from a test module, by running its statements as far as they are understood. */
export function readCorpusFile(file: string, source: string): CorpusFile {
  const start = source.search(/#\[cfg\(test\)\]\s*mod\s/);
  if (start < 0) return { cases: [], unread: [] };
  const before = source.slice(0, start).split('\n').length - 1;
  const tokens = tokenizeRust(source.slice(start)).map(({ line, ...token }) => Object.assign(token, { line: line + before }));
  const vocabulary = new SelectionVocabulary(file);
  new RustModule(tokens, vocabulary).runTests((test) => vocabulary.begin(test));
  return vocabulary.result();
}

/** Names of the mapping language. Each run of a mapping, and each assertion on its result, is recorded. */
class SelectionVocabulary implements RustVocabulary {
  readonly #file: string;
  readonly #cases: CorpusCase[] = [];
  readonly #runs = new Map<string, Set<number>>();
  #test = '';

  constructor(file: string) {
    this.#file = file;
  }

  begin(test: string): void {
    this.#test = test;
  }

  result(): CorpusFile {
    const compared = new Set(this.#cases.map(({ run, test }) => `${test}:${String(run.line)}`));
    const unread = [...this.#runs].flatMap(([test, lines]) =>
      [...lines].filter((line) => !compared.has(`${test}:${String(line)}`)).map((line) => `${test} (line ${String(line)})`),
    );
    return { cases: this.#cases, unread };
  }

  path(words: readonly string[]): unknown {
    return words.at(-2) === 'ConnectSpec' ? words.at(-1) : UNKNOWN;
  }

  call(words: readonly string[], args: readonly unknown[]): unknown {
    const name = words.at(-1) ?? '';
    const owner = words.at(-2) ?? '';
    if (owner === 'ConnectSpec') return name;
    if (owner === 'IndexMap') return new Map();
    if (owner === 'JSONSelection' && name.startsWith('parse')) return mappingOf(args[0], args[1] ?? 'latest');
    return UNKNOWN;
  }

  method(receiver: unknown, name: string, args: readonly unknown[], line: number): unknown {
    if (!(receiver instanceof CorpusMapping) || (name !== 'apply_to' && name !== 'apply_with_vars')) return UNKNOWN;
    const [data, variables] = args;
    const values: Record<string, unknown> = variables instanceof Map ? (Object.fromEntries(variables) as Record<string, unknown>) : {};
    if (data === UNKNOWN || Object.values(values).includes(UNKNOWN)) return UNKNOWN;
    const run: CorpusRun = { text: receiver.text, version: receiver.version, data, variables: values, line };
    this.#runs.set(this.#test, (this.#runs.get(this.#test) ?? new Set()).add(line));
    return new CorpusResult(run);
  }

  macro(name: string, args: readonly unknown[], line: number): unknown {
    if (name === 'selection') return mappingOf(args[0], args[1] ?? 'latest');
    if (name === 'assert_eq') this.#compare(args[0], args[1], line);
    return UNKNOWN;
  }

  member(value: unknown, name: string): unknown {
    if (!(value instanceof CorpusResult) || value.part !== 'both') return UNKNOWN;
    return new CorpusResult(value.run, name === '0' ? 'data' : 'problems');
  }

  #compare(left: unknown, right: unknown, line: number): void {
    const [result, expected] = left instanceof CorpusResult ? [left, right] : [right, left];
    if (!(result instanceof CorpusResult)) return;
    const at = { run: result.run, file: this.#file, test: this.#test, line };
    if (result.part === 'both' && expected instanceof RustTuple) {
      const [data, problems] = expected.items;
      const known = dataOf(data);
      if (known === UNKNOWN) return;
      this.#cases.push({ ...at, data: known, problems: Array.isArray(problems) ? problems.length : undefined });
    } else if (result.part === 'data') {
      const known = dataOf(expected);
      if (known !== UNKNOWN) this.#cases.push({ ...at, data: known, problems: undefined });
    }
  }
}

/** Returns the data of an expectation. */
function dataOf(expected: unknown): unknown {
  const value = expected instanceof RustSome ? expected.value : expected === NONE ? NONE : UNKNOWN;
  return containsUnknown(value) ? UNKNOWN : value;
}

function mappingOf(text: unknown, version: unknown): unknown {
  const known = typeof version === 'string' ? VERSIONS.get(version) : undefined;
  return typeof text === 'string' && known !== undefined ? new CorpusMapping(text, known) : UNKNOWN;
}
