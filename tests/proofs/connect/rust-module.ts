import { RustSyntax } from './rust-syntax.ts';
import type { RustToken } from './rust-tokens.ts';
import { RustClosure, UNKNOWN } from './rust-values.ts';
import type { RustVocabulary } from './rust-vocabulary.ts';

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

/** Runs the statements of a test module as far as they are understood. */
export class RustModule {
  readonly #syntax: RustSyntax;
  readonly #tokens: readonly RustToken[];
  readonly #vocabulary: RustVocabulary;
  readonly #functions: readonly RustFunction[];
  readonly #constants: Map<string, unknown>;
  #calls = 0;

  /** @param constants those of other modules that this one reads */
  constructor(tokens: readonly RustToken[], vocabulary: RustVocabulary, constants: ReadonlyMap<string, unknown> = new Map()) {
    this.#tokens = tokens;
    this.#vocabulary = vocabulary;
    this.#constants = new Map(constants);
    this.#syntax = new RustSyntax(tokens, vocabulary, (target, args) => this.#call(target, args));
    this.#functions = this.#functionsIn(0, tokens.length);
    for (const item of this.#functions) {
      this.#syntax.functions.set(item.name, item);
      this.#syntax.functions.set(`${item.name}/${String(item.parameters.length)}`, item);
    }
    this.#readConstants();
  }

  /** Constants of this module, and those of other modules. */
  get constants(): ReadonlyMap<string, unknown> {
    return this.#constants;
  }

  /** Runs each test, once for each of its variants. @param begin receives the name of a test before it runs */
  runTests(begin: (test: string) => void): void {
    for (const item of this.#functions.filter(({ isTest }) => isTest)) {
      const variants = item.variants.length === 0 ? [[]] : item.variants;
      for (const variant of variants) {
        begin(item.name);
        const scope: Scope = new Map(this.#constants);
        item.parameters.forEach((name, index) => {
          const words = variant[index];
          const syntax = words === undefined ? undefined : new RustSyntax(words, this.#vocabulary, () => UNKNOWN);
          scope.set(name, syntax === undefined ? UNKNOWN : syntax.expression(new Map()));
        });
        this.#body(item, scope);
      }
    }
  }

  /** Calls a function of the module, for another module. */
  call(name: string, args: readonly unknown[]): unknown {
    const item = this.#functions.find((one) => one.name === name && one.parameters.length === args.length);
    return item === undefined ? UNKNOWN : this.#call(item, args);
  }

  #readConstants(): void {
    for (const [index, { kind, text }] of this.#tokens.entries()) {
      if (kind !== 'name' || text !== 'const') continue;
      const [end] = this.#tokens.flatMap((token, at) => (at > index && token.text === ';' ? [at] : []));
      const equals = this.#tokens.findIndex((token, at) => at > index && token.text === '=');
      const name = this.#tokens[index + 1];
      if (end === undefined || equals < 0 || equals > end || name?.kind !== 'name') continue;
      this.#constants.set(name.text, this.#syntax.expressionIn(equals + 1, end, this.#constants));
    }
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
        const inner = new RustSyntax(words, this.#vocabulary, () => UNKNOWN);
        return inner.split(parenthesis + 1, words.length - 1).map(([from, to]) => words.slice(from, to));
      });
    const isTest = attributes.some((words) => words.at(-1)?.text === 'test' || words[0]?.text === 'rstest');
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
      names.forEach((name, index) => scope.set(name, this.#syntax.member(value, String(index))));
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
    if (this.#calls > MAX_CALLS) return UNKNOWN;
    this.#calls += 1;
    const value = target instanceof RustClosure ? this.#run(target, args) : this.#callFunction(target as RustFunction, args);
    this.#calls -= 1;
    return value;
  }

  #callFunction(item: RustFunction, args: readonly unknown[]): unknown {
    const scope: Scope = new Map([...this.#constants, ...this.#syntax.scope]);
    item.parameters.forEach((name, index) => scope.set(name, args[index] ?? UNKNOWN));
    return this.#body(item, scope);
  }

  /** Runs a closure of this module. */
  run(closure: RustClosure, args: readonly unknown[]): unknown {
    return this.#call(closure, args);
  }

  #run({ parameters, range: [start, end], scope: outer }: RustClosure, args: readonly unknown[]): unknown {
    const scope: Scope = new Map(outer);
    parameters.forEach((name, index) => scope.set(name, args[index] ?? UNKNOWN));
    return this.#block(start, end, scope);
  }
}
