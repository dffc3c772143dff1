import type { RustToken } from './rust-tokens.ts';
import { NONE, RustClosure, RustSome, RustTuple, UNKNOWN } from './rust-values.ts';
import type { RustVocabulary } from './rust-vocabulary.ts';

const OPEN: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Methods that keep the value, as far as texts and JSON are concerned. */
const KEEPING = new Set([
  'to_string',
  'into',
  'clone',
  'unwrap',
  'as_ref',
  'to_owned',
  'as_str',
  'iter',
  'into_iter',
  'fragment',
  'expect',
]);

/** Keywords of blocks that are evaluated like others. */
const BLOCKS = new Set(['async', 'unsafe']);

const CONSTANTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['None', NONE],
  ['true', true],
  ['false', false],
]);

type Scope = Map<string, unknown>;
type Call = (target: unknown, args: readonly unknown[]) => unknown;

/** Evaluates the expressions that test modules consist of: texts, numbers, JSON, calls and closures. Everything else is unknown. */
export class RustSyntax {
  /** Functions by name, and by name and number of parameters: functions of different modules can have the same name. */
  readonly functions = new Map<string, unknown>();
  readonly #tokens: readonly RustToken[];
  readonly #vocabulary: RustVocabulary;
  readonly #call: Call;
  #position = 0;
  #end: number;
  #scope: Scope = new Map();

  constructor(tokens: readonly RustToken[], vocabulary: RustVocabulary, call: Call) {
    this.#tokens = tokens;
    this.#vocabulary = vocabulary;
    this.#call = call;
    this.#end = tokens.length;
  }

  /** Variables and functions that are visible at the call being evaluated. */
  get scope(): Scope {
    return this.#scope;
  }

  /** Evaluates all words. */
  expression(scope: Scope): unknown {
    return this.expressionIn(0, this.#tokens.length, scope);
  }

  /** Evaluates a range of words. */
  expressionIn(start: number, end: number, scope: Scope): unknown {
    const saved = [this.#position, this.#end, this.#scope] as const;
    this.#position = start;
    this.#end = end;
    this.#scope = scope;
    const value = this.#value();
    const isComplete = this.#position >= end;
    [this.#position, this.#end, this.#scope] = saved;
    return isComplete ? value : UNKNOWN;
  }

  /** Returns the index of the bracket that closes the one at an index. */
  closing(index: number): number {
    let depth = 0;
    for (let at = index; at < this.#tokens.length; at += 1) {
      const token = this.#tokens[at];
      if (token?.kind !== 'mark') continue;
      if (token.text in OPEN) depth += 1;
      else if (token.text === ')' || token.text === ']' || token.text === '}') depth -= 1;
      if (depth === 0) return at;
    }
    return this.#tokens.length;
  }

  /** Splits a range at its commas. */
  split(start: number, end: number): readonly (readonly [number, number])[] {
    const parts: [number, number][] = [];
    let from = start;
    for (let index = start; index < end; index += 1) {
      const token = this.#tokens[index];
      if (token?.kind !== 'mark') continue;
      if (token.text in OPEN) index = this.closing(index);
      else if (token.text === ',') {
        parts.push([from, index]);
        from = index + 1;
      }
    }
    if (from < end) parts.push([from, end]);
    return parts;
  }

  /** Splits the body of a function into statements, the last of which can be its value. */
  statements(start: number, end: number): readonly (readonly [from: number, to: number, isValue: boolean])[] {
    const statements: [number, number, boolean][] = [];
    let from = start;
    for (let index = start; index < end; index += 1) {
      const token = this.#tokens[index];
      if (token?.kind !== 'mark') continue;
      if (token.text === ';') {
        if (index > from) statements.push([from, index, false]);
        from = index + 1;
      } else if (token.text in OPEN) {
        const isBlock = token.text === '{';
        index = this.closing(index);
        const first = this.#tokens[from]?.text ?? '';
        const isAttribute = first === '#' && this.#tokens[from + 1]?.text === '[';
        if (isAttribute && index === this.closing(from + 1)) from = index + 1;
        else if (isBlock && this.#endsStatement(first, index)) {
          statements.push([from, index + 1, index + 1 >= end]);
          from = index + 1;
        }
      }
    }
    if (from < end) statements.push([from, end, true]);
    return statements;
  }

  /** Whether a block that ends at a token is a whole statement. */
  #endsStatement(first: string, index: number): boolean {
    const next = this.#tokens[index + 1]?.text;
    if (!['{', 'for', 'fn', 'if', 'match', 'mod', 'while'].includes(first) || next === '.') return false;
    return first !== 'if' || next !== 'else';
  }

  /** Returns an item of a tuple or a list, or a member that the vocabulary knows. */
  member(value: unknown, name: string): unknown {
    const known = this.#vocabulary.member(value, name);
    if (known !== UNKNOWN) return known;
    const items: unknown = value instanceof RustTuple ? value.items : value;
    return Array.isArray(items) ? ((items as readonly unknown[])[Number(name)] ?? UNKNOWN) : UNKNOWN;
  }

  get #token(): RustToken | undefined {
    return this.#position < this.#end ? this.#tokens[this.#position] : undefined;
  }

  #is(text: string): boolean {
    return this.#token?.kind === 'mark' && this.#token.text === text;
  }

  #value(): unknown {
    while (this.#is('&') || this.#is('@') || (this.#token?.kind === 'name' && this.#token.text === 'mut')) this.#position += 1;
    if (this.#is('-')) {
      this.#position += 1;
      const number = this.#value();
      return typeof number === 'number' ? -number : UNKNOWN;
    }
    let value = this.#primary();
    for (;;) {
      if (this.#is('.')) value = this.#suffix(value);
      else if (this.#is('[')) value = this.member(value, String(this.#args()[0]));
      else return value;
    }
  }

  #suffix(receiver: unknown): unknown {
    this.#position += 1;
    const name = this.#token;
    this.#position += 1;
    const word = name?.text ?? '';
    if (word === 'await') return receiver;
    if (name?.kind === 'number') return this.member(receiver, word);
    this.#skipGenerics();
    if (!this.#is('(')) return this.member(receiver, word);
    const args = this.#args();
    const known = this.#vocabulary.method(receiver, word, args, name?.line ?? 0);
    if (known !== UNKNOWN) return known;
    if (KEEPING.has(word)) return receiver;
    if (receiver instanceof Map && word === 'insert' && typeof args[0] === 'string') receiver.set(args[0], args[1]);
    return UNKNOWN;
  }

  #args(): readonly unknown[] {
    const end = this.closing(this.#position);
    const args = this.split(this.#position + 1, end).map(([from, to]) => this.expressionIn(from, to, this.#scope));
    this.#position = end + 1;
    return args;
  }

  #primary(): unknown {
    const token = this.#token;
    if (token === undefined) return UNKNOWN;
    if (token.kind === 'string') return this.#take(token.text);
    if (token.kind === 'number') return this.#take(Number(token.text.replace(/_?(?:[iuf]\d+|usize|isize)$/, '').replaceAll('_', '')));
    if (token.kind === 'name') return this.#name();
    if (token.text === '[') return this.#args();
    if (token.text === '(') {
      const end = this.closing(this.#position);
      const isTuple = this.split(this.#position + 1, end).length !== 1 || this.#tokens[end - 1]?.text === ',';
      const items = this.#args();
      return isTuple ? new RustTuple(items) : items[0];
    }
    if (token.text === '|' || token.text === '||') return this.#closure();
    if (token.text in OPEN) this.#position = this.closing(this.#position) + 1;
    return UNKNOWN;
  }

  /** Reads a closure, which ends with its block or with the expression. */
  #closure(): RustClosure {
    const parameters: string[] = [];
    if (this.#is('|')) {
      this.#position += 1;
      while (this.#position < this.#end && !this.#is('|')) {
        if (this.#token?.kind === 'name') parameters.push(this.#token.text);
        this.#position += 1;
      }
    }
    this.#position += 1;
    return this.#body(parameters);
  }

  #body(parameters: readonly string[]): RustClosure {
    const isBlock = this.#is('{');
    const start = isBlock ? this.#position + 1 : this.#position;
    const end = isBlock ? this.closing(this.#position) : this.#end;
    this.#position = isBlock ? end + 1 : end;
    return new RustClosure(parameters, [start, end], this.#scope);
  }

  #take<Value>(value: Value): Value {
    this.#position += 1;
    return value;
  }

  #name(): unknown {
    const line = this.#token?.line ?? 0;
    const words = [this.#take(this.#token?.text ?? '')];
    for (;;) {
      this.#skipGenerics();
      if (!this.#is('::')) break;
      this.#position += 1;
      words.push(this.#take(this.#token?.text ?? ''));
    }
    const name = words.at(-1) ?? '';
    if (this.#is('!')) return this.#macro(name, line);
    if (this.#is('(')) return this.#callOf(words, this.#args());
    if (this.#is('{')) return BLOCKS.has(name) ? this.#call(this.#body([]), []) : this.#take(this.#skipBraces());
    if (CONSTANTS.has(name)) return CONSTANTS.get(name);
    return words.length === 1 && this.#scope.has(name) ? this.#scope.get(name) : this.#vocabulary.path(words);
  }

  #skipBraces(): typeof UNKNOWN {
    this.#position = this.closing(this.#position);
    return UNKNOWN;
  }

  #skipGenerics(): void {
    if (!this.#is('::') || this.#tokens[this.#position + 1]?.text !== '<') return;
    let depth = 0;
    do {
      this.#position += 1;
      if (this.#is('<')) depth += 1;
      if (this.#is('>')) depth -= 1;
    } while (depth > 0 && this.#position < this.#end);
    this.#position += 1;
  }

  #callOf(words: readonly string[], args: readonly unknown[]): unknown {
    const name = words.at(-1) ?? '';
    const owner = words.at(-2) ?? '';
    if (name === 'Some') return new RustSome(args[0]);
    const known = this.#vocabulary.call(words, args);
    if (known !== UNKNOWN) return known;
    if (owner === 'JSON' || owner === 'Value') return name === 'Null' ? null : args[0];
    if (owner === 'Vec') return [];
    const local = this.#scope.get(`fn ${name}`) ?? this.functions.get(`${name}/${String(args.length)}`) ?? this.functions.get(name);
    return local === undefined ? UNKNOWN : this.#call(local, args);
  }

  #macro(name: string, line: number): unknown {
    this.#position += 1;
    if (name === 'json' || name === 'map') {
      const end = this.closing(this.#position);
      const value = this.#json(this.#position + 1, end);
      this.#position = end + 1;
      return value;
    }
    const args = this.#args();
    if (name === 'vec') return args;
    if (name === 'format') return this.#format(args);
    return this.#vocabulary.macro(name, args, line);
  }

  /** Fills the braces of a text with the other arguments, or with the variables that they name. */
  #format([text, ...values]: readonly unknown[]): unknown {
    if (typeof text !== 'string') return UNKNOWN;
    const rest = [...values];
    let isKnown = true;
    const filled = text.replaceAll(/\{(\w*)\}/g, (_braces, name: string) => {
      const value = name === '' ? rest.shift() : this.#scope.get(name);
      if (typeof value === 'string' || typeof value === 'number') return String(value);
      isKnown = false;
      return '';
    });
    return isKnown ? filled : UNKNOWN;
  }

  #json(start: number, end: number): unknown {
    const first = this.#tokens[start];
    const isBracketed = first?.kind === 'mark' && this.closing(start) === end - 1;
    if (isBracketed && first.text === '[') return this.split(start + 1, end - 1).map(([from, to]) => this.#json(from, to));
    if (isBracketed && first.text === '{') {
      const entries = this.split(start + 1, end - 1).map(([from, to]) => {
        const key = this.#tokens[from];
        const isName = key?.kind === 'string' && this.#tokens[from + 1]?.text === ':';
        return isName ? ([key.text, this.#json(from + 2, to)] as const) : (['', UNKNOWN] as const);
      });
      return Object.fromEntries(entries);
    }
    if (end === start + 1 && first?.kind === 'name' && first.text === 'null') return null;
    return this.expressionIn(start, end, this.#scope);
  }
}
