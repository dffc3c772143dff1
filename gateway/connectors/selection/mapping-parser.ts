import type { ConnectVersion } from '../connect-version.ts';
import { MAX_MAPPING_DEPTH, MAX_MAPPING_LENGTH, MAX_MAPPING_NODES, MAX_PATH_STEPS } from './mapping-limits.ts';
import { describeUnknownMethod, MAPPING_METHODS } from './mapping-methods.ts';
import { MappingSyntaxError } from './mapping-syntax-error.ts';
import type {
  FieldNode,
  ListNode,
  LiteralNode,
  MethodNode,
  ObjectNode,
  PathHead,
  PathNode,
  SelectionStep,
  SelectionNode,
} from './selection-node.ts';
import { type MappingToken, tokenizeMapping } from './tokenize-mapping.ts';

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Parser of the mapping language, by recursive descent. Its work is bounded by the limits of `mapping-limits.ts`. */
export class MappingParser {
  readonly #version: ConnectVersion;
  readonly #tokens: readonly MappingToken[];
  #position = 0;
  #depth = 0;
  #nodes = 0;

  /** @throws {MappingSyntaxError} if the text is too long, or has characters that are not part of the language */
  constructor(text: string, version: ConnectVersion) {
    if (text.length > MAX_MAPPING_LENGTH) {
      const length = `${String(text.length)} characters, at most ${String(MAX_MAPPING_LENGTH)} are allowed`;
      throw new MappingSyntaxError(`The mapping is too long: it has ${length}`, 0);
    }
    this.#version = version;
    this.#tokens = tokenizeMapping(text, version);
  }

  /** Returns the node if nothing follows it. @throws {MappingSyntaxError} otherwise */
  finish<Node>(node: Node): Node {
    if (this.#token.kind !== 'end') this.#fail('the end of the mapping');
    return node;
  }

  /** Returns whether the whole mapping is a JSON value, which version 0.4 allows. */
  startsJson(): boolean {
    if (this.#version !== '0.4') return false;
    const { kind, text } = this.#token;
    return kind === 'number' || text === '-' || text === '[' || text === '{' || (kind === 'string' && this.#peek(1).kind === 'end');
  }

  /** Parses fields up to `}` or the end of the text, which is not consumed. */
  parseFields(end: '}' | 'end'): readonly FieldNode[] {
    const start = this.#token.offset;
    const fields: FieldNode[] = [];
    while (!(end === 'end' ? this.#token.kind === 'end' : this.#is('}'))) {
      fields.push(this.#parseField());
      if (this.#version === '0.4') this.#skip(',');
    }
    const anonymous = fields.find((field) => isBare(field) && (fields.length > 1 || (end === '}' && this.#before03)));
    if (anonymous !== undefined) {
      const fix = 'give it a name (name: path), or select its fields (path { id })';
      throw new MappingSyntaxError(`A path among other fields must have a name or a selection: ${fix}`, anonymous.offset ?? start);
    }
    return fields;
  }

  /** Parses a literal, a path, or a chain of `??` or `?!`. */
  parseExpression(): SelectionNode {
    const first = this.#token;
    const operand = this.#nested(() => this.#parseOperand());
    const operator = this.#token.text;
    if (this.#token.kind !== 'mark' || (operator !== '??' && operator !== '?!')) return operand;
    this.#require('0.3', `The operator ${operator}`);
    const operands = [operand];
    while (this.#skip(operator)) operands.push(this.#nested(() => this.#parseOperand()));
    if (this.#is('??') || this.#is('?!')) {
      throw new MappingSyntaxError('?? and ?! cannot be mixed: put one of the chains in $(…)', this.#token.offset);
    }
    return { kind: 'fallback', offset: first.offset, operator, operands };
  }

  #parseField(): FieldNode {
    this.#count();
    const token = this.#token;
    if (this.#is('...')) {
      this.#require('0.4', 'The spread operator ...');
      this.#position += 1;
      return { offset: token.offset, name: undefined, isSpread: true, value: this.#parsePath() };
    }
    if ((token.kind === 'name' || token.kind === 'string') && this.#peek(1).text === ':' && this.#peek(1).kind === 'mark') {
      this.#position += 2;
      return { offset: token.offset, name: token.text, isSpread: false, value: this.#parseNamedValue() };
    }
    if (this.#is('.')) throw new MappingSyntaxError('A path cannot start with a dot: write $.name', token.offset);
    const value = this.#parsePath();
    const isField = value.head.kind === 'key' && value.steps.every((step) => step.kind === 'optional');
    return { offset: token.offset, name: isField ? token.text : undefined, isSpread: false, value };
  }

  #parseNamedValue(): SelectionNode {
    if (this.#version === '0.4') return this.parseExpression();
    if (!this.#is('{')) return this.#parsePath();
    return this.#parseBraces(false);
  }

  /** Parses `{ fields }`. */
  #parseBraces(isSelection: boolean): ObjectNode {
    const { offset } = this.#expect('{', 'a selection');
    const fields = this.#nested(() => this.parseFields('}'));
    this.#expect('}', 'a field or }');
    return { kind: 'object', offset, isSelection, separator: this.#version === '0.4' ? ', ' : ' ', fields };
  }

  #parseOperand(): SelectionNode {
    const literal = this.#parseLiteral();
    if (literal === undefined) return this.#parsePath();
    const steps = this.#parseSteps();
    if (steps.length === 0) return literal;
    const head: PathHead = { kind: 'expression', value: literal, isWrapped: false, offset: literal.offset };
    return { kind: 'path', offset: literal.offset, head, steps, selection: undefined };
  }

  #parseLiteral(): LiteralNode | ListNode | ObjectNode | undefined {
    const token = this.#token;
    if (token.kind === 'string') return this.#literal(token, token.text);
    if (token.kind === 'number') return this.#literal(token, Number(token.text));
    if (token.kind === 'name') {
      const word = WORDS.get(token.text);
      return word === undefined ? undefined : this.#literal(token, word);
    }
    if (this.#skip('-')) {
      if (this.#token.kind !== 'number') this.#fail('a number after -');
      return { ...this.#literal(this.#token, -Number(this.#token.text)), offset: token.offset };
    }
    if (this.#is('[')) return this.#parseList();
    if (!this.#is('{')) return undefined;
    return this.#version === '0.4' ? this.#parseBraces(false) : this.#parseObjectLiteral();
  }

  #literal({ offset }: MappingToken, value: LiteralNode['value']): LiteralNode {
    this.#count();
    this.#position += 1;
    return { kind: 'literal', offset, value };
  }

  #parseList(): ListNode {
    const { offset } = this.#expect('[', 'a list');
    const items = this.#parseSequence(']', 'an item or ]', () => this.parseExpression());
    return { kind: 'list', offset, items };
  }

  #parseObjectLiteral(): ObjectNode {
    const { offset } = this.#expect('{', 'an object');
    const fields = this.#parseSequence('}', 'a property or }', () => this.#parseProperty());
    return { kind: 'object', offset, isSelection: false, separator: ', ', fields };
  }

  #parseProperty(): FieldNode {
    const { kind, text, offset } = this.#token;
    if (kind !== 'name' && kind !== 'string') this.#fail('the name of a property');
    this.#position += 1;
    this.#expect(':', ': after the name of a property');
    return { offset, name: text, isSpread: false, value: this.parseExpression() };
  }

  /** Parses elements that are separated by commas, and the bracket after them. A comma can precede the bracket. */
  #parseSequence<Part>(close: string, expected: string, parse: () => Part): readonly Part[] {
    const parts: Part[] = [];
    while (!this.#is(close)) {
      this.#count();
      parts.push(parse());
      if (!this.#skip(',')) break;
    }
    this.#expect(close, parts.length === 0 ? expected : `, or ${close}`);
    return parts;
  }

  #parsePath(): PathNode {
    this.#count();
    const head = this.#parseHead();
    const depth = this.#depth;
    const steps = this.#parseSteps();
    this.#depth += steps.length === 0 ? 0 : 1;
    const selection = this.#is('{') ? this.#parseBraces(true) : undefined;
    this.#depth = depth;
    return { kind: 'path', offset: head.offset, head, steps, selection };
  }

  #parseHead(): PathHead {
    const { kind, text, offset } = this.#token;
    if (kind === 'name' || kind === 'string') return this.#step({ kind: 'key', name: text, offset });
    if (kind === 'variable') return this.#step({ kind: 'variable', name: text, offset });
    if (this.#skip('@')) return { kind: 'current', offset };
    if (!this.#skip('$')) this.#fail('a field, a path or a variable');
    if (!this.#skip('(')) return { kind: 'root', offset };
    const value = this.parseExpression();
    this.#expect(')', ') after the expression');
    return { kind: 'expression', value, isWrapped: true, offset };
  }

  #step<Node>(node: Node): Node {
    this.#position += 1;
    return node;
  }

  #parseSteps(): readonly SelectionStep[] {
    const steps: SelectionStep[] = [];
    for (;;) {
      const { offset } = this.#token;
      const step = this.#parseStep(steps.at(-1));
      if (step === undefined) return steps;
      this.#count();
      steps.push(step);
      if (steps.length > MAX_PATH_STEPS) {
        throw new MappingSyntaxError(`The path has more than ${String(MAX_PATH_STEPS)} steps`, offset);
      }
    }
  }

  #parseStep(previous: SelectionStep | undefined): SelectionStep | undefined {
    const { offset } = this.#token;
    if (this.#is('?')) {
      this.#require('0.3', 'The operator ?');
      if (previous?.kind === 'optional') throw new MappingSyntaxError('? cannot be repeated: write it once', offset);
      return this.#step({ kind: 'optional', offset });
    }
    if (this.#skip('->')) return this.#parseMethod();
    if (!this.#skip('.')) return undefined;
    const { kind, text, offset: start } = this.#token;
    if (kind !== 'name' && kind !== 'string') this.#fail('the name of a property after the dot');
    return this.#step({ kind: 'key', name: text, offset: start });
  }

  #parseMethod(): MethodNode {
    const { kind, text: name, offset } = this.#token;
    if (kind !== 'name') this.#fail('the name of a method after ->');
    const syntax = MAPPING_METHODS.get(name);
    if (syntax === undefined) throw new MappingSyntaxError(describeUnknownMethod(name), offset);
    this.#require(syntax.since, `The method ->${name}`);
    this.#position += 1;
    const parse = (): SelectionNode => this.parseExpression();
    const args = this.#skip('(') ? this.#nested(() => this.#parseSequence(')', 'an argument or )', parse)) : [];
    return { kind: 'method', name, offset, args };
  }

  get #token(): MappingToken {
    return this.#peek(0);
  }

  get #before03(): boolean {
    return this.#version < '0.3';
  }

  #peek(distance: number): MappingToken {
    const last = this.#tokens.length - 1;
    return this.#tokens[Math.min(this.#position + distance, last)] as MappingToken;
  }

  #is(mark: string): boolean {
    return this.#token.kind === 'mark' && this.#token.text === mark;
  }

  #skip(mark: string): boolean {
    if (!this.#is(mark)) return false;
    this.#position += 1;
    return true;
  }

  #expect(mark: string, expected: string): MappingToken {
    const token = this.#token;
    if (!this.#skip(mark)) this.#fail(expected);
    return token;
  }

  /** Parses one level deeper. */
  #nested<Node>(parse: () => Node): Node {
    this.#depth += 1;
    if (this.#depth > MAX_MAPPING_DEPTH) {
      throw new MappingSyntaxError(`The mapping is nested more than ${String(MAX_MAPPING_DEPTH)} levels deep`, this.#token.offset);
    }
    const node = parse();
    this.#depth -= 1;
    return node;
  }

  #count(): void {
    this.#nodes += 1;
    if (this.#nodes > MAX_MAPPING_NODES) {
      throw new MappingSyntaxError(`The mapping has more than ${String(MAX_MAPPING_NODES)} fields, steps and values`, this.#token.offset);
    }
  }

  #require(since: ConnectVersion, feature: string): void {
    if (this.#version >= since) return;
    const versions = `connect/v${since}, but the schema links connect/v${this.#version}`;
    throw new MappingSyntaxError(`${feature} requires ${versions}`, this.#token.offset);
  }

  #fail(expected: string): never {
    const { kind, text, offset } = this.#token;
    const found = kind === 'end' ? 'the end of the text' : kind === 'string' ? `the string ${JSON.stringify(text.slice(0, 40))}` : text;
    throw new MappingSyntaxError(`Unexpected ${found.slice(0, 80)}: expected ${expected}`, offset);
  }
}

/** Returns whether a field has neither a name nor a selection. */
function isBare({ name, isSpread, value }: FieldNode): boolean {
  return name === undefined && !isSpread && value.kind === 'path' && value.selection === undefined;
}
