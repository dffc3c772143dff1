import { RustSyntax } from './rust-syntax.ts';
import { type RustToken, tokenizeRust } from './rust-tokens.ts';
import { CorpusResult, type CorpusCase, NONE, RustSome, RustTuple, UNKNOWN } from './rust-values.ts';

/** Cases of a file, and the number of runs whose expectation was not understood. */
export interface CorpusFile {
  readonly cases: readonly CorpusCase[];
  /** Tests with runs that no understood assertion compares, with the reason or the line. */
  readonly unread: readonly string[];
}

interface RustFunction {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly variants: readonly (readonly (readonly RustToken[])[])[];
  readonly isTest: boolean;
}

type Scope = Map<string, unknown>;

/** Maximum nesting of calls of functions in test modules. */
const MAX_CALLS = 12;

/** Reads the assertions on results of mappings from a test module, by running its statements as far as they are understood. */
export function readCorpusFile(file: string, source: string): CorpusFile {
  const start = source.search(/#\[cfg\(test\)\]\s*mod\s/);
  if (start < 0) return { cases: [], unread: [] };
  const before = source.slice(0, start).split('\n').length - 1;
  const tokens = tokenizeRust(source.slice(start)).map(({ line, ...token }) => Object.assign(token, { line: line + before }));
  return new RustTestReader(file, tokens).read();
}

class RustTestReader {
  readonly #file: string;
  readonly #syntax: RustSyntax;
  readonly #tokens: readonly RustToken[];
  readonly #cases: CorpusCase[] = [];
  readonly #runs = new Map<string, Set<number>>();
  #test = '';
  #calls = 0;

  constructor(file: string, tokens: readonly RustToken[]) {
    this.#file = file;
    this.#tokens = tokens;
    this.#syntax = new RustSyntax(tokens, (target, args) => this.#call(target, args));
  }

  read(): CorpusFile {
    const functions = this.#functionsIn(0, this.#tokens.length);
    for (const item of functions) this.#syntax.functions.set(item.name, item);
    for (const item of functions.filter(({ isTest }) => isTest)) {
      const variants = item.variants.length === 0 ? [[]] : item.variants;
      for (const variant of variants) {
        this.#test = item.name;
        const scope: Scope = new Map();
        item.parameters.forEach((name, index) => {
          const words = variant[index];
          scope.set(name, words === undefined ? UNKNOWN : new RustSyntax(words, () => UNKNOWN).expression(new Map()));
        });
        this.#body(item, scope);
      }
    }
    const compared = new Set(this.#cases.map(({ run, test }) => `${test}:${String(run.line)}`));
    const unread = [...this.#runs].flatMap(([test, lines]) =>
      [...lines].filter((line) => !compared.has(`${test}:${String(line)}`)).map((line) => `${test} (line ${String(line)})`),
    );
    return { cases: this.#cases, unread };
  }

  /** Finds the functions of a range of words, also those in modules, but not those in functions. */
  #functionsIn(from: number, to: number): readonly RustFunction[] {
    const functions: RustFunction[] = [];
    let attributes: RustToken[][] = [];
    for (let index = from; index < to; index += 1) {
      const token = this.#tokens[index];
      if (token?.text === '#' && this.#tokens[index + 1]?.text === '[') {
        const end = this.#syntax.closing(index + 1);
        attributes.push(this.#tokens.slice(index + 2, end));
        index = end;
      } else if (token?.kind === 'name' && token.text === 'fn') {
        const item = this.#functionAt(index, attributes);
        attributes = [];
        if (item === undefined) continue;
        functions.push(item);
        index = item.end;
      } else if (token?.text === ';' || token?.text === '}') {
        attributes = [];
      }
    }
    return functions;
  }

  #functionAt(index: number, attributes: readonly (readonly RustToken[])[]): RustFunction | undefined {
    const name = this.#tokens[index + 1]?.text ?? '';
    let open = index + 2;
    while (open < this.#tokens.length && this.#tokens[open]?.text !== '(') open += 1;
    const close = this.#syntax.closing(open);
    let start = close + 1;
    while (start < this.#tokens.length && this.#tokens[start]?.text !== '{' && this.#tokens[start]?.text !== ';') start += 1;
    if (this.#tokens[start]?.text !== '{') return undefined;
    const parameters = this.#syntax.split(open + 1, close).map(([from, to]) => {
      const words = this.#tokens.slice(from, to).map(({ text }) => text);
      const colon = words.indexOf(':');
      return words[colon - 1] ?? '';
    });
    const variants = attributes
      .filter(([first]) => first?.text === 'case')
      .map((words) => {
        const parenthesis = words.findIndex(({ text }) => text === '(');
        const inner = new RustSyntax(words, () => UNKNOWN);
        return inner.split(parenthesis + 1, words.length - 1).map(([from, to]) => words.slice(from, to));
      });
    const isTest = attributes.some(([first]) => first?.text === 'test' || first?.text === 'rstest');
    return { name, parameters: parameters.filter(Boolean), start: start + 1, end: this.#syntax.closing(start), variants, isTest };
  }

  /** Runs the statements of a function, and returns the value of its last expression. */
  #body(item: RustFunction, scope: Scope): unknown {
    return this.#block(item.start, item.end, scope);
  }

  #block(start: number, end: number, scope: Scope): unknown {
    for (const inner of this.#functionsIn(start, end)) scope.set(`fn ${inner.name}`, inner);
    let result: unknown = UNKNOWN;
    for (const [from, to, isValue] of this.#syntax.statements(start, end)) {
      const value = this.#statement(from, to, scope);
      if (isValue) result = value;
    }
    return result;
  }

  #statement(from: number, to: number, scope: Scope): unknown {
    const first = this.#tokens[from]?.text;
    if (first === 'let') return this.#declaration(from, to, scope);
    if (first === '{' && this.#syntax.closing(from) >= to - 1) return this.#block(from + 1, to - 1, new Map(scope));
    if (first === 'for') return this.#loop(from, to, scope);
    if (['fn', 'use', 'mod', 'struct', 'impl', 'const', '#'].includes(first ?? '')) return UNKNOWN;
    const name = this.#tokens[from]?.text ?? '';
    if ((name === 'assert_eq' || name === 'assert') && this.#tokens[from + 1]?.text === '!') {
      const args = this.#syntax
        .split(from + 3, this.#syntax.closing(from + 2))
        .map(([start, end]) => this.#syntax.expressionIn(start, end, scope));
      if (name === 'assert_eq') this.#compare(args[0], args[1], this.#tokens[from]?.line ?? 0);
      return UNKNOWN;
    }
    return this.#syntax.expressionIn(from, to, scope);
  }

  #declaration(from: number, to: number, scope: Scope): unknown {
    let equals = from;
    while (equals < to && this.#tokens[equals]?.text !== '=') equals += 1;
    if (equals >= to) return UNKNOWN;
    const isBlock = this.#tokens[equals + 1]?.text === '{' && this.#syntax.closing(equals + 1) === to - 1;
    const value = isBlock ? this.#block(equals + 2, to - 1, new Map(scope)) : this.#syntax.expressionIn(equals + 1, to, scope);
    const pattern = this.#tokens.slice(from + 1, equals);
    const [start] = pattern;
    if (start?.text === '(') {
      const names = pattern.filter(({ kind, text }) => kind === 'name' && text !== 'mut').map(({ text }) => text);
      names.forEach((name, index) => scope.set(name, this.#syntax.member(value, index)));
      return UNKNOWN;
    }
    const name = start?.text === 'mut' ? pattern[1] : start;
    if (name?.kind === 'name') scope.set(name.text, value);
    return UNKNOWN;
  }

  #loop(from: number, to: number, scope: Scope): unknown {
    const name = this.#tokens[from + 1]?.text ?? '';
    let open = from + 3;
    const bodies = this.#tokens
      .slice(from, to)
      .map(({ text }, index) => (text === '{' ? from + index : -1))
      .filter((index) => index >= 0);
    const body = bodies.find((index) => this.#syntax.closing(index) >= to - 1);
    if (body === undefined) return UNKNOWN;
    const items = this.#syntax.expressionIn(open, body, scope);
    if (!Array.isArray(items)) return UNKNOWN;
    open = body + 1;
    for (const item of items) this.#block(open, this.#syntax.closing(body), new Map([...scope, [name, item]]));
    return UNKNOWN;
  }

  #call(target: unknown, args: readonly unknown[]): unknown {
    if (target instanceof CorpusResult) {
      const lines = this.#runs.get(this.#test) ?? new Set();
      this.#runs.set(this.#test, lines.add(target.run.line));
      return target;
    }
    const item = target as RustFunction;
    if (this.#calls > MAX_CALLS) return UNKNOWN;
    this.#calls += 1;
    const scope: Scope = new Map(this.#syntax.scope);
    item.parameters.forEach((name, index) => scope.set(name, args[index] ?? UNKNOWN));
    const value = this.#body(item, scope);
    this.#calls -= 1;
    return value;
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

function containsUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(containsUnknown);
}
