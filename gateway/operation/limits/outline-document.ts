import { OperationTypeNode } from 'graphql';
import {
  createDefinition,
  type DocumentNotes,
  type DocumentOutline,
  readDirectives,
  readSelections,
  type WritableDefinition,
} from './outline-selections.ts';
import { advance, createCursor, isBeyond, isNamed, type TokenCursor, TokenCode } from './token-cursor.ts';

export interface OutlineOptions {
  /** Longest document that is read to its end. @unit tokens */
  readonly maxTokens: number;
  /** Names of root fields to look out for. */
  readonly watched: readonly string[];
}

/**
 * Reads what a document asks for from its tokens alone: a document that is refused for its size has cost one look at its text, and no
 * memory to speak of. Linear, no recursion. Follows the grammar of executable documents (GraphQL, section 2) as far as it takes to tell
 * fields, spreads and directives apart: it may take a document that the parser does not, and reads all that the parser takes as it does.
 *
 * @returns undefined for what is no executable document; the parser can tell why
 */
export function outlineDocument(text: string, { maxTokens, watched }: OutlineOptions): DocumentOutline | undefined {
  const cursor = createCursor(text, maxTokens);
  const notes: DocumentNotes = { watched, directives: 0, mostDirectives: 0, fullestPlace: 0 };
  const operations: WritableDefinition[] = [];
  let fragments: Map<string, WritableDefinition> = NONE;
  advance(cursor);
  do {
    const definition = readDefinition(cursor, notes);
    if (definition === undefined) {
      if (isBeyond(cursor)) break;
      return undefined;
    }
    if (definition.operation !== undefined) {
      operations.push(definition);
    } else {
      if (fragments === NONE) fragments = new Map();
      fragments.set(definition.name, definition);
    }
  } while (cursor.code !== TokenCode.END);
  const { tokens, comments, blockLines } = cursor;
  const { directives, mostDirectives, fullestPlace } = notes;
  return { operations, fragments, directives, mostDirectives, fullestPlace, tokens, comments, blockLines, isCut: isBeyond(cursor) };
}

const NONE = new Map<string, WritableDefinition>();

/** Undefined where there is something else than an operation or a fragment; the next token is behind it otherwise. */
function readDefinition(cursor: TokenCursor, notes: DocumentNotes): WritableDefinition | undefined {
  const { start } = cursor;
  if (cursor.code === BRACE) {
    const definition = createDefinition(OperationTypeNode.QUERY, '', start);
    return readSelections(cursor, notes, definition) ? definition : undefined;
  }
  if (cursor.code === TokenCode.STRING) advance(cursor); // a description
  if (cursor.code !== TokenCode.NAME) return undefined;
  const definition = isNamed(cursor, 'fragment') ? readFragmentHead(cursor, start) : readOperationHead(cursor, notes, start);
  if (definition === undefined || !readDirectives(cursor, notes, start)) return undefined;
  return cursor.code === BRACE && readSelections(cursor, notes, definition) ? definition : undefined;
}

function readFragmentHead(cursor: TokenCursor, start: number): WritableDefinition | undefined {
  if (advance(cursor) !== TokenCode.NAME || isNamed(cursor, 'on')) return undefined;
  const name = cursor.text.slice(cursor.start, cursor.end);
  if (advance(cursor) !== TokenCode.NAME || !isNamed(cursor, 'on') || advance(cursor) !== TokenCode.NAME) return undefined;
  advance(cursor);
  return createDefinition(undefined, name, start);
}

function readOperationHead(cursor: TokenCursor, notes: DocumentNotes, start: number): WritableDefinition | undefined {
  const operation = OPERATIONS.find((type) => isNamed(cursor, type));
  if (operation === undefined) return undefined;
  let name = '';
  if (advance(cursor) === TokenCode.NAME) {
    name = cursor.text.slice(cursor.start, cursor.end);
    advance(cursor);
  }
  if (cursor.code === PARENTHESIS && !readVariables(cursor, notes)) return undefined;
  return createDefinition(operation, name, start);
}

const OPERATIONS = [OperationTypeNode.QUERY, OperationTypeNode.MUTATION, OperationTypeNode.SUBSCRIPTION];

/** Types and defaults are passed over; each dollar sign begins a variable, for there are none in defaults. */
function readVariables(cursor: TokenCursor, notes: DocumentNotes): boolean {
  let place = cursor.start;
  for (let code = advance(cursor); code !== CLOSING_PARENTHESIS; ) {
    if (code === TokenCode.END || code === TokenCode.WRONG || code === PARENTHESIS) return false;
    if (code === DOLLAR) place = cursor.start;
    if (code === AT) {
      if (!readDirectives(cursor, notes, place)) return false;
      ({ code } = cursor);
    } else {
      code = advance(cursor);
    }
  }
  advance(cursor);
  return true;
}

const [BRACE, PARENTHESIS, CLOSING_PARENTHESIS, DOLLAR, AT] = [0x7b, 0x28, 0x29, 0x24, 0x40];
