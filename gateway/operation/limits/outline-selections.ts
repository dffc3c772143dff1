import type { OperationTypeNode } from 'graphql';
import { advance, isNamed, TokenCode, type TokenCursor } from './token-cursor.ts';

/** What a document asks for, before its fragments are expanded: all that limits look at, and no tree. */
export interface DocumentOutline {
  /** In the order of the document. */
  readonly operations: readonly DefinitionOutline[];
  /** By name; of two with one name, the last. */
  readonly fragments: ReadonlyMap<string, DefinitionOutline>;
  /** Of all definitions, used or not. */
  readonly directives: number;
  /** Most directives in one place, and where the first such place begins. @unit directives, UTF-16 code units */
  readonly mostDirectives: number;
  readonly fullestPlace: number;
  readonly tokens: number;
  readonly comments: number;
  /** Line breaks in block strings. */
  readonly blockLines: number;
  /** Reading stopped at the longest document: there is more of one of these, and the rest is not known. */
  readonly isCut: boolean;
}

/**
 * An operation or a fragment. What stands below `__schema` and `__type`, and these themselves, is introspection and counted apart; the
 * levels of each kind are counted without those of the other.
 */
export interface DefinitionOutline {
  /** Undefined for a fragment. */
  readonly operation: OperationTypeNode | undefined;
  /** Empty for an operation without a name. */
  readonly name: string;
  /** Where it begins in the text. @unit UTF-16 code units */
  readonly start: number;
  readonly dataDepth: number;
  readonly dataAliases: number;
  /** Fields, spreads and inline fragments. */
  readonly dataSelections: number;
  readonly introspectionDepth: number;
  readonly introspectionAliases: number;
  readonly introspectionSelections: number;
  /** Levels of both kinds together: what counts where a fragment is spread inside introspection. */
  readonly wholeDepth: number;
  /** Fields of the data that are not below other fields. */
  readonly rootFields: number;
  readonly spreads: readonly SpreadOutline[];
  /** Root fields among those that were looked out for, once for each time. */
  readonly watchedFields: readonly string[];
}

/** A fragment's name where its fields go. */
export interface SpreadOutline {
  readonly name: string;
  /** Levels above it. */
  readonly dataDepth: number;
  readonly introspectionDepth: number;
}

/** What is noted of a whole document while it is read. */
export interface DocumentNotes {
  /** Names of root fields to look out for. */
  readonly watched: readonly string[];
  /** As they are written; expanding a fragment adds none. */
  directives: number;
  /** In one place. */
  mostDirectives: number;
  /** Where the first place with the most of them begins. @unit UTF-16 code units */
  fullestPlace: number;
}

/** Counts the directives from the current token on, if there are any. False where they are not written as directives are. */
export function readDirectives(cursor: TokenCursor, notes: DocumentNotes, place: number): boolean {
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
    notes.fullestPlace = place;
  }
  return true;
}

/** Passes over arguments: there are no parentheses in values. The current token is the one behind them then. */
function skipArguments(cursor: TokenCursor): boolean {
  for (let code = advance(cursor); code !== CLOSING_PARENTHESIS; code = advance(cursor)) {
    if (code === TokenCode.END || code === TokenCode.WRONG || code === PARENTHESIS || code === AT) return false;
  }
  advance(cursor);
  return true;
}

const [CLOSING_PARENTHESIS, AT] = [0x29, 0x40];

/** An outline that is being made. */
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

/** What a set of selections belongs to: inline fragments and definitions are no levels. */
const [NO_LEVEL, DATA, INTROSPECTION] = [0, 1, 2];

/** Where the reader stands within a definition. */
interface Levels {
  /** What each set that is open belongs to. */
  readonly open: number[];
  data: number;
  introspection: number;
}

/** Reads a set of selections with all below it; the current token is its brace, and the one behind it afterwards. */
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

/** False for a set of nothing. */
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

/** A list is made for its first entry: most definitions have none. */
function append<T>(list: readonly T[], none: readonly T[], entry: T): readonly T[] {
  if (list === none) return [entry];
  (list as T[]).push(entry);
  return list;
}

/** `__typename` is none: it is asked of the data. */
function isIntrospectionName(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(start) !== UNDERSCORE || text.charCodeAt(start + 1) !== UNDERSCORE) return false;
  return (end - start === 8 && text.startsWith('__schema', start)) || (end - start === 6 && text.startsWith('__type', start));
}

const [BRACE, CLOSING_BRACE, PARENTHESIS, COLON, UNDERSCORE] = [0x7b, 0x7d, 0x28, 0x3a, 0x5f];
