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
  /** Maximum length of a document that is read to its end. @unit tokens */
  readonly maxTokens: number;
  /** Names of root fields to report. */
  readonly watched: readonly string[];
}

/**
 * Reads the size of a document from its tokens alone. Rejecting an oversized document therefore costs one pass over its text and almost no
 * memory. Linear, no recursion. Follows the grammar of executable documents (GraphQL, section 2) as far as needed to distinguish fields,
 * spreads and directives. It may accept documents that the parser rejects, and reads every document that the parser accepts exactly as the
 * parser does.
 *
 * @returns undefined for a text that is not an executable document; the parser reports the reason
 */
export function outlineDocument(text: string, { maxTokens, watched }: OutlineOptions): DocumentOutline | undefined {
  const cursor = createCursor(text, maxTokens);
  const notes: DocumentNotes = { watched, directives: 0, mostDirectives: 0, fullestPosition: 0 };
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
  const { directives, mostDirectives, fullestPosition } = notes;
  return { operations, fragments, directives, mostDirectives, fullestPosition, tokens, comments, blockLines, isCut: isBeyond(cursor) };
}

const NONE = new Map<string, WritableDefinition>();

/** Reads a definition. Returns undefined if it is neither an operation nor a fragment; otherwise the cursor is at the token after it. */
function readDefinition(cursor: TokenCursor, notes: DocumentNotes): WritableDefinition | undefined {
  const { start } = cursor;
  if (cursor.code === BRACE) {
    const definition = createDefinition(OperationTypeNode.QUERY, '', start);
    return readSelections(cursor, notes, definition) ? definition : undefined;
  }
  if (cursor.code === TokenCode.STRING) advance(cursor); // Skips a description.
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

/** Reads variable definitions. Types and defaults are skipped; each dollar sign begins a variable, because defaults contain none. */
function readVariables(cursor: TokenCursor, notes: DocumentNotes): boolean {
  let position = cursor.start;
  for (let code = advance(cursor); code !== CLOSING_PARENTHESIS; ) {
    if (code === TokenCode.END || code === TokenCode.WRONG || code === PARENTHESIS) return false;
    if (code === DOLLAR) position = cursor.start;
    if (code === AT) {
      if (!readDirectives(cursor, notes, position)) return false;
      ({ code } = cursor);
    } else {
      code = advance(cursor);
    }
  }
  advance(cursor);
  return true;
}

const [BRACE, PARENTHESIS, CLOSING_PARENTHESIS, DOLLAR, AT] = [0x7b, 0x28, 0x29, 0x24, 0x40];
