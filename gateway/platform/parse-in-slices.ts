import secureJson from 'secure-json-parse';
import type { JsonSource } from './json-source.ts';

/** Error for a JSON text that exceeds the maximum nesting depth. */
export class NestedTooDeeply extends Error {}

/** Settings of {@link parseInSlices}. */
export interface SliceSettings {
  /**
   * Length of text that is parsed at a time. Longer strings and numbers are parsed as a whole.
   *
   * @unit UTF-16 code units of a text, or bytes
   * @defaultValue 32768
   */
  readonly sliceLength?: number;
  /** Maximum nesting of arrays and objects. @unit levels @defaultValue unlimited */
  readonly maxDepth?: number;
  /** Handling of keys that could change the prototype of an object. @defaultValue the text contains no such keys */
  readonly forbidden?: ForbiddenKeys | undefined;
}

/** Actions of `secure-json-parse`: `remove` omits the key, `error` rejects the text. */
export interface ForbiddenKeys {
  readonly protoAction: 'error' | 'remove';
  readonly constructorAction: 'error' | 'ignore';
}

/**
 * Parses a long JSON text in steps of a few milliseconds, with the same result as `JSON.parse`. `JSON.parse` blocks the event loop for 60
 * ms if an object of 1 MB has 85,000 keys.
 *
 * The text is searched for arrays and objects that are longer than a slice. Their members are parsed by `JSON.parse` in groups of about one
 * slice and are then combined.
 *
 * @returns generator that yields between two steps and returns the value
 * @throws SyntaxError when the text is not JSON or contains a rejected key
 * @throws NestedTooDeeply
 */
export function* parseInSlices(source: JsonSource, settings: SliceSettings = {}): Generator<undefined, unknown, undefined> {
  const container = yield* findLongContainer(source, settings);
  if (container === undefined) return parseWhole(source.slice(0), settings.forbidden);
  const building: Building[] = [startBuilding(container)];
  for (;;) {
    const last = building.at(-1);
    if (last === undefined) throw new Error('The parser has already returned its value.');
    const segment = last.container.segments[last.count];
    if (segment === undefined) {
      building.pop();
      const parent = building.at(-1);
      if (parent === undefined) return last.value;
      addContainer(source, parent, { container: last.container, value: last.value, forbidden: settings.forbidden });
      parent.count += 1;
    } else if (segment.container === undefined) {
      addMembers(last, source.slice(segment.from + 1, segment.to), settings.forbidden);
      last.count += 1;
      yield;
    } else {
      building.push(startBuilding(segment.container));
    }
  }
}

/** Array or object that is longer than a slice. */
interface LongContainer {
  readonly isList: boolean;
  /** Indices of its brackets. */
  readonly open: number;
  readonly close: number;
  readonly segments: readonly Segment[];
}

/** Adjacent members between two separators, which are brackets of their container or commas. */
interface Segment {
  readonly from: number;
  readonly to: number;
  /** Value of the part, if it is a single member that is longer than a slice. */
  readonly container?: LongContainer;
}

const DEFAULT_SLICE_LENGTH = 32_768;
/** Number of slices that are searched in one step. Searching takes a fraction of the time of parsing. */
const SLICES_PER_SEARCH = 8;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;
/** Distance between the character codes of an opening bracket and its closing bracket. */
const TO_CLOSING = 2;

/** Finds the container of the whole text. @returns undefined if the text is shorter than a slice, or is not an array or object */
function* findLongContainer(
  source: JsonSource,
  { sliceLength = DEFAULT_SLICE_LENGTH, maxDepth = Number.POSITIVE_INFINITY }: SliceSettings,
): Generator<undefined, LongContainer | undefined, undefined> {
  const scan = new ContainerScan(source, sliceLength, maxDepth);
  for (let until = 0; !scan.isDone; ) {
    until += SLICES_PER_SEARCH * sliceLength;
    scan.advance(until);
    if (!scan.isDone) yield;
  }
  return scan.result;
}

/** Scanner that finds the brackets and commas of a text. Other characters are skipped, except for the ends of strings. */
class ContainerScan {
  readonly #source: JsonSource;
  readonly #sliceLength: number;
  readonly #maxDepth: number;
  #index = 0;
  /** Number of open containers. */
  #depth = 0;
  #isDone = false;
  #result: LongContainer | undefined;
  // State of each open container by its depth. One object per container would cost more than the search.
  readonly #brackets: number[] = [];
  readonly #opens: number[] = [];
  /** Index of the separator before the current member. */
  readonly #members: number[] = [];
  /** Index of the separator before the current part. */
  readonly #starts: number[] = [];
  readonly #segments: (Segment[] | undefined)[] = [];
  /** Long container in the current member. */
  readonly #inner: (LongContainer | undefined)[] = [];

  constructor(source: JsonSource, sliceLength: number, maxDepth: number) {
    this.#source = source;
    this.#sliceLength = sliceLength;
    this.#maxDepth = maxDepth;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  get result(): LongContainer | undefined {
    return this.#result;
  }

  /** Continues to an index. @throws SyntaxError @throws NestedTooDeeply */
  advance(until: number): void {
    const source = this.#source;
    const end = Math.min(until, source.length);
    let index = this.#index;
    for (; index < end && !this.#isDone; index += 1) {
      const character = source.codeAt(index);
      if (character === QUOTE) index = source.endOfString(index);
      else if (character === OPEN_OBJECT || character === OPEN_LIST) this.#open(character, index);
      else if (character === COMMA) this.#separate(index);
      else if (character === OPEN_OBJECT + TO_CLOSING || character === OPEN_LIST + TO_CLOSING) this.#close(character, index);
    }
    this.#index = index;
    if (index < source.length) return;
    if (this.#depth > 0) throw new SyntaxError('An array or object is not closed.');
    this.#isDone = true;
  }

  #open(bracket: number, index: number): void {
    if (this.#depth === 0) requireSpace(this.#source, 0, index);
    const depth = this.#depth;
    this.#depth += 1;
    if (this.#depth > this.#maxDepth) throw new NestedTooDeeply();
    this.#brackets[depth] = bracket;
    this.#opens[depth] = index;
    this.#members[depth] = index;
    this.#starts[depth] = index;
    this.#segments[depth] = undefined;
    this.#inner[depth] = undefined;
  }

  #close(bracket: number, index: number): void {
    const depth = this.#depth - 1;
    if (this.#brackets[depth] !== bracket - TO_CLOSING || depth < 0) throw new SyntaxError('A closing bracket has no opening bracket.');
    const open = this.#opens[depth] ?? 0;
    const isLong = index - open >= this.#sliceLength;
    if (isLong) this.#separate(index);
    if (isLong && this.#starts[depth] !== index) this.#addPart(depth, { from: this.#starts[depth] ?? 0, to: index });
    const container = isLong
      ? { isList: bracket !== OPEN_OBJECT + TO_CLOSING, open, close: index, segments: this.#segments[depth] ?? [] }
      : undefined;
    this.#depth = depth;
    if (depth === 0) {
      requireSpace(this.#source, index + 1, this.#source.length);
      this.#result = container;
      this.#isDone = true;
    } else if (container !== undefined) {
      if (this.#inner[depth - 1] !== undefined) throw new SyntaxError('A comma is missing between two values.');
      this.#inner[depth - 1] = container;
    }
  }

  /** Ends a member of the innermost container. */
  #separate(index: number): void {
    const depth = this.#depth - 1;
    if (depth < 0) throw new SyntaxError('A comma is outside of arrays and objects.');
    const start = this.#starts[depth] ?? 0;
    const member = this.#members[depth] ?? 0;
    const container = this.#inner[depth];
    if (container !== undefined) {
      if (start !== member) this.#addPart(depth, { from: start, to: member });
      this.#addPart(depth, { from: member, to: index, container });
      this.#inner[depth] = undefined;
      this.#starts[depth] = index;
    } else if (index - start >= this.#sliceLength) {
      this.#addPart(depth, { from: start, to: index });
      this.#starts[depth] = index;
    }
    this.#members[depth] = index;
  }

  #addPart(depth: number, segment: Segment): void {
    const segments = this.#segments[depth];
    if (segments === undefined) this.#segments[depth] = [segment];
    else segments.push(segment);
  }
}

/** Checks that there is only white space between two indices (RFC 8259, section 2). @throws SyntaxError */
function requireSpace(source: JsonSource, from: number, to: number): void {
  for (let index = from; index < to; index += 1) {
    if (!SPACES.has(source.codeAt(index))) throw new SyntaxError('Unexpected text. Only white space is allowed here.');
  }
}

/** Codes of space, tab, line feed and carriage return. */
const SPACES: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Container whose first values have been parsed. */
interface Building {
  readonly container: LongContainer;
  readonly value: unknown[] | Record<string, unknown>;
  /** Number of values that have been parsed. */
  count: number;
}

function startBuilding(container: LongContainer): Building {
  return { container, value: container.isList ? [] : {}, count: 0 };
}

function parseWhole(text: string, forbidden: ForbiddenKeys | undefined): unknown {
  return forbidden === undefined ? JSON.parse(text) : secureJson.parse(text, null, forbidden);
}

/** Parses adjacent members, and adds them to their array or object. */
function addMembers({ container, value: target }: Building, text: string, forbidden: ForbiddenKeys | undefined): void {
  // A part next to a comma must contain at least one member.
  const mayBeEmpty = container.segments.length === 1;
  if (Array.isArray(target)) {
    const items = JSON.parse(`[${text}]`) as unknown[];
    if (items.length === 0 && !mayBeEmpty) throw new SyntaxError('A value is missing.');
    if (forbidden !== undefined) secureJson.scan(items, forbidden);
    for (const item of items) target.push(item);
    return;
  }
  const members = JSON.parse(`{${text}}`) as Record<string, unknown>;
  const keys = Object.keys(members);
  if (keys.length === 0 && !mayBeEmpty) throw new SyntaxError('A key is missing.');
  if (forbidden !== undefined) secureJson.scan(members, forbidden);
  for (const key of keys) {
    if (forbidden === undefined || Object.hasOwn(members, key)) target[key] = members[key];
  }
}

interface Built {
  readonly container: LongContainer;
  readonly value: object;
  readonly forbidden: ForbiddenKeys | undefined;
}

/** Adds a completed array or object to its parent, under the key before it. */
function addContainer(
  source: JsonSource,
  { container: { segments }, value: target, count }: Building,
  { container, value, forbidden }: Built,
): void {
  const segment = segments[count];
  if (segment === undefined) return;
  requireSpace(source, container.close + 1, segment.to);
  if (Array.isArray(target)) {
    requireSpace(source, segment.from + 1, container.open);
    target.push(value);
    return;
  }
  const [key, ...others] = Object.keys(JSON.parse(`{${source.slice(segment.from + 1, container.open)}null}`) as object);
  if (key === undefined || others.length > 0) throw new SyntaxError('A key is missing.');
  if (forbidden !== undefined && key === '__proto__') {
    if (forbidden.protoAction === 'error') throw new SyntaxError('The key "__proto__" is not allowed.');
    return;
  }
  if (forbidden?.constructorAction === 'error' && key === 'constructor' && Object.hasOwn(value, 'prototype')) {
    throw new SyntaxError('The key "constructor.prototype" is not allowed.');
  }
  target[key] = value;
}
