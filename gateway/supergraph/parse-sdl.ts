import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  type NameNode,
  parse,
  Token,
  TokenKind,
  type TypeNode,
} from 'graphql';
import { Parser } from 'graphql/language/parser.js';
import { endOfDirectives, endOfLine, endOfString, endOfType } from './sdl-ends.ts';

/** Length from which the text up to the end of a definition is parsed in one step. @unit UTF-16 code units */
const DEFINITIONS_PART = 4_096;

/** Length from which a definition is parsed in sections. A root type can be long, because it has a field for each entity. */
const FIELDS_PART = 16_384;

/** Positions in a text of SDL: the start and the end of each element, in the order of the text. Empty when they are unknown. */
export interface SdlPositions {
  readonly definitions: number[];
  /** Positions of the fields of object types and interfaces. */
  readonly fields: number[];
}

/**
 * Parses SDL in steps of a few definitions, without locations. One call of the parser for a whole supergraph of megabytes would block the
 * thread for a second, and its tokens, which all refer to each other, would double the time for collecting garbage.
 *
 * Equal names, types of fields and lists of directives are the same object at all positions. They must not be changed.
 *
 * @param positions receives the positions
 * @throws GraphQLError when the text is not SDL. Its position refers to a part: parse the whole text to locate the error.
 */
export function* parseSdlInSteps(
  sdl: string,
  positions: SdlPositions = { definitions: [], fields: [] },
): Generator<undefined, DocumentNode, undefined> {
  const definitions: DefinitionNode[] = [];
  const nodes = createSharedNodes();
  let open: OpenDefinition | undefined;
  let start = 0;
  for (const { position, isBetweenFields } of boundariesIn(sdl)) {
    const text = sdl.slice(start, position);
    const last = parsePart({ text: isBetweenFields ? `${text}}` : text, start, open, nodes }, definitions, positions);
    if (!isBetweenFields) open = undefined;
    else if (last !== undefined) {
      open = openDefinition(last);
      if (open === undefined) {
        positions.definitions.length = 0;
        positions.fields.length = 0;
        return parse(sdl, { noLocation: true });
      }
    }
    start = position;
    yield;
  }
  const rest = sdl.slice(start);
  // A remainder of white space and comments contains no definition, which the parser does not accept.
  if (start === 0 || /^\s*[^\s#]/m.test(rest)) parsePart({ text: rest, start, open, nodes }, definitions, positions);
  return { kind: Kind.DOCUMENT, definitions };
}

/** A part of a text that is parsed in one step. */
interface Part {
  readonly text: string;
  /** Position of the part in the whole text. */
  readonly start: number;
  readonly open: OpenDefinition | undefined;
  readonly nodes: SharedNodes;
}

/**
 * Nodes of a document by their text. Names, types and lists of directives with equal texts share one node. A large supergraph consists mostly
 * of them, so its document needs a quarter of the memory.
 */
interface SharedNodes {
  readonly names: Map<string, NameNode>;
  readonly types: Map<string, TypeNode>;
  readonly directives: Map<string, ConstDirectiveNode[]>;
}

function createSharedNodes(): SharedNodes {
  return { names: new Map(), types: new Map(), directives: new Map() };
}

/** Returns the node of a text, which is the given one if the text is new. */
function shared<Shared>(known: Map<string, Shared>, text: string, created: Shared): Shared {
  const earlier = known.get(text);
  if (earlier !== undefined) return earlier;
  known.set(text, created);
  return created;
}

const NO_DIRECTIVES: ConstDirectiveNode[] = [];

/** A definition of which only the first fields have been parsed. */
interface OpenDefinition {
  /** Start of a definition of the same kind, to parse more fields. */
  readonly header: string;
  readonly fields: (FieldDefinitionNode | InputValueDefinitionNode)[];
}

/**
 * Parses a part and adds its definitions. The first fields of the part belong to the open definition.
 *
 * @returns the last definition that begins in the part, or undefined when the part contains only fields of the open definition
 */
function parsePart({ text, start, open, nodes }: Part, definitions: DefinitionNode[], positions: SdlPositions): DefinitionNode | undefined {
  const header = open?.header ?? '';
  const parser = new PositionParser(header + text, nodes);
  const parsed = parser.parseDocument().definitions;
  const offset = start - header.length;
  const shifted = parser.positions.definitions.map((position) => position + offset);
  for (const position of parser.positions.fields) positions.fields.push(position + offset);
  if (open === undefined) {
    definitions.push(...parsed);
    positions.definitions.push(...shifted);
    return parsed.at(-1);
  }
  const [first, ...others] = parsed;
  const [, end = start, ...further] = shifted;
  if (first !== undefined && 'fields' in first) open.fields.push(...(first.fields ?? []));
  positions.definitions[definitions.length * 2 - 1] = end;
  definitions.push(...others);
  positions.definitions.push(...further);
  return others.at(-1);
}

/** Records positions without the tokens that locations would need, and shares equal nodes. */
class PositionParser extends Parser {
  readonly positions: SdlPositions = { definitions: [], fields: [] };
  readonly #text: string;
  readonly #nodes: SharedNodes;

  constructor(text: string, nodes: SharedNodes) {
    super(text, { noLocation: true });
    this.#text = text;
    this.#nodes = nodes;
  }

  override parseName(): NameNode {
    const { value } = this.expectToken(TokenKind.NAME);
    const known = this.#nodes.names.get(value);
    if (known !== undefined) return known;
    const name: NameNode = { kind: Kind.NAME, value };
    this.#nodes.names.set(value, name);
    return name;
  }

  override parseTypeReference(): TypeNode {
    return this.#knownOr(this.#nodes.types, endOfType, () => super.parseTypeReference());
  }

  override parseConstDirectives(): ConstDirectiveNode[] {
    if (this._lexer.token.kind !== TokenKind.AT) return NO_DIRECTIVES;
    return this.#knownOr(this.#nodes.directives, endOfDirectives, () => super.parseConstDirectives());
  }

  /** Returns the known node of the text that begins at the current token, without parsing it, or parses and remembers it. */
  #knownOr<Node>(known: Map<string, Node>, endOf: (text: string, start: number) => number | undefined, parseNode: () => Node): Node {
    const { token } = this._lexer;
    const { start, line, column } = token;
    const end = endOf(this.#text, start);
    const earlier = end === undefined ? undefined : known.get(this.#text.slice(start, end));
    if (end !== undefined && earlier !== undefined) {
      this._lexer.token = new Token(TokenKind.NAME, start, end, line, column);
      this.advanceLexer();
      return earlier;
    }
    const node = parseNode();
    return shared(known, this.#text.slice(start, this._lexer.lastToken.end), node);
  }

  override parseDefinition(): DefinitionNode {
    const { start } = this._lexer.token;
    const definition = super.parseDefinition();
    this.positions.definitions.push(start, this._lexer.lastToken.end);
    return definition;
  }

  override parseFieldDefinition(): FieldDefinitionNode {
    const { start } = this._lexer.token;
    const field = super.parseFieldDefinition();
    this.positions.fields.push(start, this._lexer.lastToken.end);
    return field;
  }
}

/** @returns undefined for a definition without fields, which is never long */
function openDefinition(definition: DefinitionNode): OpenDefinition | undefined {
  if (!('fields' in definition)) return undefined;
  const fields = [...(definition.fields ?? [])];
  Object.assign(definition, { fields });
  const isInput = definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION || definition.kind === Kind.INPUT_OBJECT_TYPE_EXTENSION;
  return { header: isInput ? 'input Part {' : 'type Part {', fields };
}

/** A position at which the text can be cut. */
interface Boundary {
  readonly position: number;
  /** Whether the position is between two fields of a definition, and not after its end. */
  readonly isBetweenFields: boolean;
}

const NEWLINE = 10;
const QUOTE = 34;
const HASH = 35;
const OPEN_PARENTHESIS = 40;
const CLOSE_PARENTHESIS = 41;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Matches the last character of a field: that of a type, of a name, or of arguments of a directive. */
const END_OF_FIELD = /[\w\])!]/;

/** Matches the name of a field at the start of a line. In the body of a definition, nothing else is followed by `(` or `:`. */
const START_OF_FIELD = /[ \t]*[_A-Za-z]\w*[ \t]*[(:]/y;

/** Finds positions at which the text can be cut. Strings, comments and argument lists are skipped. */
function* boundariesIn(text: string): Generator<Boundary, void, undefined> {
  let braces = 0;
  let parentheses = 0;
  let last = 0;
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case QUOTE:
        index = endOfString(text, index);
        break;
      case HASH:
        index = endOfLine(text, index) - 1;
        break;
      case OPEN_PARENTHESIS:
        parentheses += 1;
        break;
      case CLOSE_PARENTHESIS:
        parentheses -= 1;
        break;
      case OPEN_BRACE:
        braces += 1;
        break;
      case CLOSE_BRACE:
        braces -= 1;
        if (braces !== 0 || parentheses !== 0 || index - last < DEFINITIONS_PART) break;
        last = index + 1;
        yield { position: last, isBetweenFields: false };
        break;
      case NEWLINE:
        if (braces !== 1 || parentheses !== 0 || index - last < FIELDS_PART || !isBetweenFields(text, index)) break;
        last = index + 1;
        yield { position: last, isBetweenFields: true };
        break;
      default:
    }
  }
}

function isBetweenFields(text: string, newline: number): boolean {
  START_OF_FIELD.lastIndex = newline + 1;
  return END_OF_FIELD.test(text.charAt(newline - 1)) && START_OF_FIELD.test(text);
}
