import type { OperationTypeNode } from 'graphql';
import { advance, isNamed, TokenCode, type TokenCursor } from './token-cursor.ts';

/** Size of a document before its fragments are expanded: the numbers that the limits need, without a syntax tree. */
export interface DocumentOutline {
  /** Operations in the order of the document. */
  readonly operations: readonly DefinitionOutline[];
  /** Fragments by name. The last of several with one name counts. */
  readonly fragments: ReadonlyMap<string, DefinitionOutline>;
  /** Number of directives in all definitions, used or not. */
  readonly directives: number;
  /** Largest number of directives at one location, and the offset of the first such location. @unit directives, UTF-16 code units */
  readonly mostDirectives: number;
  readonly fullestPosition: number;
  readonly tokens: number;
  readonly comments: number;
  /** Number of line breaks in block strings. */
  readonly blockLines: number;
  /** Whether reading stopped at the maximum length. One of the counts then exceeds it, and the rest of the document is unknown. */
  readonly isCut: boolean;
}

/**
 * An operation or a fragment. `__schema`, `__type` and their selections count as introspection, separately from data. The levels of each
 * kind do not include those of the other.
 */
export interface DefinitionOutline {
  /** Type of the operation; undefined for a fragment. */
  readonly operation: OperationTypeNode | undefined;
  /** Name; empty for an anonymous operation. */
  readonly name: string;
  /** Offset of the definition in the text. @unit UTF-16 code units */
  readonly start: number;
  readonly dataDepth: number;
  readonly dataAliases: number;
  /** Fields, spreads and inline fragments. */
  readonly dataSelections: number;
  readonly introspectionDepth: number;
  readonly introspectionAliases: number;
  readonly introspectionSelections: number;
  /** Levels of both kinds together. They count when a fragment is spread inside introspection. */
  readonly wholeDepth: number;
  /** Data fields at the root of the definition. */
  readonly rootFields: number;
  readonly spreads: readonly SpreadOutline[];
  /** Watched root fields that the definition selects, one entry per occurrence. */
  readonly watchedFields: readonly string[];
}

/** A fragment spread. */
export interface SpreadOutline {
  readonly name: string;
  /** Levels above the spread. */
  readonly dataDepth: number;
  readonly introspectionDepth: number;
}

/** Counts for the whole document, updated while it is read. */
export interface DocumentNotes {
  /** Names of root fields to report. */
  readonly watched: readonly string[];
  /** Number of directives as written. Expanding a fragment adds none. */
  directives: number;
  /** Largest number of directives at one location. */
  mostDirectives: number;
  /** Offset of the first location with the most directives. @unit UTF-16 code units */
  fullestPosition: number;
}

/** Counts the directives at the current token, if any. Returns false for a syntax error. */
export function readDirectives(cursor: TokenCursor, notes: DocumentNotes, position: number): boolean {
  if (cursor.code !== AT) return cursor.code !== TokenCode.WRONG;
  let count = 0;
  do {
    count += 1;
    if (advance(cursor) !== TokenCode.NAME) return false;
    if (advance(cursor) === PARENTHESIS && !skipArguments(cursor)) return false;
  } while (cursor.code === AT);
  notes.directives += count;
  if (count > notes.mostDirectives) {
    notes.mostDirectives = count;
    notes.fullestPosition = position;
  }
  return true;
}

/** Skips arguments and moves to the token after them. Values contain no parentheses. */
function skipArguments(cursor: TokenCursor): boolean {
  for (let code = advance(cursor); code !== CLOSING_PARENTHESIS; code = advance(cursor)) {
    if (code === TokenCode.END || code === TokenCode.WRONG || code === PARENTHESIS || code === AT) return false;
  }
  advance(cursor);
  return true;
}

const [CLOSING_PARENTHESIS, AT] = [0x29, 0x40];

/** A definition outline under construction. */
export type WritableDefinition = { -readonly [Key in keyof DefinitionOutline]: DefinitionOutline[Key] };

export function createDefinition(operation: OperationTypeNode | undefined, name: string, start: number): WritableDefinition {
  return {
    operation,
    name,
    start,
    dataDepth: 0,
    dataAliases: 0,
    dataSelections: 0,
    introspectionDepth: 0,
    introspectionAliases: 0,
    introspectionSelections: 0,
    wholeDepth: 0,
    rootFields: 0,
    spreads: NO_SPREADS,
    watchedFields: NO_FIELDS,
  };
}

const NO_SPREADS: readonly SpreadOutline[] = [];
const NO_FIELDS: readonly string[] = [];

/** Owner of a selection set. Inline fragments and definitions add no level. */
const [NO_LEVEL, DATA, INTROSPECTION] = [0, 1, 2];

/** Nesting of the current position within a definition. */
interface Levels {
  /** Owner of each open selection set. */
  readonly open: number[];
  data: number;
  introspection: number;
}

/**
 * Reads a selection set and everything below it. The cursor is at its opening brace before the call and after its closing brace afterwards.
 */
export function readSelections(cursor: TokenCursor, notes: DocumentNotes, definition: WritableDefinition): boolean {
  const levels: Levels = { open: [NO_LEVEL], data: 0, introspection: 0 };
  if (advance(cursor) === CLOSING_BRACE) return false;
  while (levels.open.length > 0) {
    if (cursor.code === TokenCode.NAME) {
      if (!readField(cursor, notes, definition, levels)) return false;
    } else if (cursor.code === TokenCode.SPREAD) {
      if (!readFragment(cursor, notes, definition, levels)) return false;
    } else if (cursor.code === CLOSING_BRACE) {
      close(levels);
      advance(cursor);
    } else {
      return false;
    }
  }
  return true;
}

function readField(cursor: TokenCursor, notes: DocumentNotes, definition: WritableDefinition, levels: Levels): boolean {
  const { text, start } = cursor;
  let [nameStart, nameEnd] = [start, cursor.end];
  const isAliased = advance(cursor) === COLON;
  if (isAliased) {
    if (advance(cursor) !== TokenCode.NAME) return false;
    [nameStart, nameEnd] = [cursor.start, cursor.end];
    advance(cursor);
  }
  const isIntrospection = levels.introspection > 0 || isIntrospectionName(text, nameStart, nameEnd);
  if (isIntrospection) {
    definition.introspectionSelections += 1;
    if (isAliased) definition.introspectionAliases += 1;
    if (levels.introspection >= definition.introspectionDepth) definition.introspectionDepth = levels.introspection + 1;
  } else {
    definition.dataSelections += 1;
    if (isAliased) definition.dataAliases += 1;
    if (levels.data >= definition.dataDepth) definition.dataDepth = levels.data + 1;
    if (levels.data === 0) {
      definition.rootFields += 1;
      if (notes.watched.length > 0) watch(definition, notes.watched, text.slice(nameStart, nameEnd));
    }
  }
  const depth = levels.data + levels.introspection + 1;
  if (depth > definition.wholeDepth) definition.wholeDepth = depth;
  if (cursor.code === PARENTHESIS && !skipArguments(cursor)) return false;
  if (!readDirectives(cursor, notes, start)) return false;
  return cursor.code !== BRACE || open(cursor, levels, isIntrospection ? INTROSPECTION : DATA);
}

function readFragment(cursor: TokenCursor, notes: DocumentNotes, definition: WritableDefinition, levels: Levels): boolean {
  const { text, start } = cursor;
  if (levels.introspection > 0) definition.introspectionSelections += 1;
  else definition.dataSelections += 1;
  if (advance(cursor) === TokenCode.NAME) {
    if (!isNamed(cursor, 'on')) {
      const spread = { name: text.slice(cursor.start, cursor.end), dataDepth: levels.data, introspectionDepth: levels.introspection };
      definition.spreads = append(definition.spreads, NO_SPREADS, spread);
      advance(cursor);
      return readDirectives(cursor, notes, start);
    }
    if (advance(cursor) !== TokenCode.NAME) return false;
    advance(cursor);
  }
  return readDirectives(cursor, notes, start) && cursor.code === BRACE && open(cursor, levels, NO_LEVEL);
}

/** Opens a selection set. Returns false for an empty set. */
function open(cursor: TokenCursor, levels: Levels, kind: number): boolean {
  levels.open.push(kind);
  if (kind === DATA) levels.data += 1;
  else if (kind === INTROSPECTION) levels.introspection += 1;
  return advance(cursor) !== CLOSING_BRACE;
}

function close(levels: Levels): void {
  const kind = levels.open.pop();
  if (kind === DATA) levels.data -= 1;
  else if (kind === INTROSPECTION) levels.introspection -= 1;
}

function watch(definition: WritableDefinition, watched: readonly string[], name: string): void {
  if (watched.includes(name)) definition.watchedFields = append(definition.watchedFields, NO_FIELDS, name);
}

/** Appends an entry. A list is created for its first entry only, because most definitions have none. */
function append<T>(list: readonly T[], none: readonly T[], entry: T): readonly T[] {
  if (list === none) return [entry];
  (list as T[]).push(entry);
  return list;
}

/** Whether a name is an introspection field. `__typename` is not: it belongs to the data. */
function isIntrospectionName(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(start) !== UNDERSCORE || text.charCodeAt(start + 1) !== UNDERSCORE) return false;
  return (end - start === 8 && text.startsWith('__schema', start)) || (end - start === 6 && text.startsWith('__type', start));
}

const [BRACE, CLOSING_BRACE, PARENTHESIS, COLON, UNDERSCORE] = [0x7b, 0x7d, 0x28, 0x3a, 0x5f];
