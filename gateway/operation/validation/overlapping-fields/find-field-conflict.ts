import type { FieldNode, GraphQLOutputType } from 'graphql';
import { type FieldPiece, type FieldPieces, type FieldAtPath, directivesTextOf, requestTextOf, shapeTextOf } from './field-pieces.ts';
import { canMeet, createFieldPath, type FieldPath, getOrCreate, pathBelow } from './field-path.ts';

/** Two fields of one response path that cannot be merged. */
export interface FieldConflict {
  readonly responseKey: string;
  /** Continues the message after the word "because". */
  readonly reason: string;
  readonly nodes: readonly [FieldNode, FieldNode];
}

/** Checks an operation and reports its conflicts. Returns the reason if the check could not be completed. */
export type MergeFields = (root: FieldPiece) => 'too many fields' | 'too deep' | undefined;

/** A piece and the path to it. */
interface PieceOnPath {
  readonly piece: FieldPiece;
  readonly path: FieldPath;
}

/** A field and the path to it, including the type of the field. */
interface FieldOnPath {
  readonly field: FieldAtPath;
  readonly path: FieldPath;
}

interface Requested {
  readonly entry: FieldOnPath;
  /** Text of the field with its arguments and directives. */
  readonly request: string;
}

/** Selections at one response path. */
interface SetAtLevel {
  readonly set: readonly PieceOnPath[];
  readonly level: number;
}

/** Maximum depth, above the maximum of any limit. The steps after validation recurse. */
const MAX_LEVELS = 2_000;

/** Maximum number of visited fields and comparisons per document. Documents within the limits need only a small fraction of it. */
const MAX_WORK = 1_000_000;

/**
 * Creates a function that checks all response paths of operations. All fields at one path must have the same shape. Fields that can apply
 * to the same object (their paths do not have two different object types at one level) must be the same field with the same arguments.
 */
export function createFieldMerge(pieces: FieldPieces, report: (conflict: FieldConflict) => void): MergeFields {
  let work = 0;
  /** Sets of pieces that have been checked, where all pieces have the same path. The path itself is then irrelevant. */
  const done = new Set<string>();
  const requests = new Map<FieldAtPath, string>();
  const shapes = new Map<GraphQLOutputType, string>();

  function requestOf(field: FieldAtPath): string {
    const { name, arguments: given = [], directives = [] } = field.node;
    if (given.length === 0 && directives.length === 0) return name.value;
    return getOrCreate(requests, field, () => requestTextOf(field) + directivesTextOf(field));
  }

  /** Groups the fields of a path by response key, including those of spread fragments. */
  function fieldsOf(set: readonly PieceOnPath[]): ReadonlyMap<string, FieldOnPath[]> {
    const groups = new Map<string, FieldOnPath[]>();
    const seen = new Map<FieldPiece, FieldPath | Set<FieldPath>>();
    const pending = set.toReversed();
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { piece, path } = next;
      work += 1;
      if (!isFirst(seen, piece, path)) continue;
      for (const field of piece.fields) {
        const entry = { field, path: pathBelow(path, field) };
        const group = groups.get(field.responseKey);
        if (group === undefined) groups.set(field.responseKey, [entry]);
        else group.push(entry);
      }
      work += piece.fields.length;
      for (const name of piece.spreads) {
        const fragment = pieces.ofFragment(name);
        if (fragment !== undefined) pending.push({ piece: fragment, path });
      }
      if (work > MAX_WORK) break;
    }
    return groups;
  }

  function findConflict(group: readonly FieldOnPath[]): FieldConflict | undefined {
    const isAllOne = findOther(group, ({ field }) => requestOf(field)) === undefined;
    const pair = isAllOne ? undefined : findPair(group);
    if (pair !== undefined) {
      return conflictOf(pair, differenceOf(pair));
    }
    const shape = findOther(group, ({ field: { type } }) => (type === undefined ? undefined : getOrCreate(shapes, type, shapeTextOf)));
    if (shape === undefined) return undefined;
    const [one, other] = shape.map(({ field }) => String(field.type));
    return conflictOf(shape, `they return conflicting types "${one}" and "${other}"`);
  }

  /** Finds two fields that can apply to the same object and differ. */
  function findPair(group: readonly FieldOnPath[]): Pair | undefined {
    const byPath = new Map<FieldPath, Requested>();
    const byType = new Map<FieldPath['type'], Requested[]>();
    for (const entry of group) {
      const request = requestOf(entry.field);
      const same = byPath.get(entry.path);
      if (same !== undefined) {
        if (same.request !== request) return [same.entry, entry];
        continue;
      }
      const requested = { entry, request };
      byPath.set(entry.path, requested);
      getOrCreate(byType, entry.path.type, () => []).push(requested);
    }
    const ofAnyType = byType.get(undefined) ?? [];
    for (const paths of byType.values()) {
      const pair = findMeeting(paths, paths) ?? (paths === ofAnyType ? undefined : findMeeting(paths, ofAnyType));
      if (pair !== undefined) return pair;
    }
    return undefined;
  }

  function findMeeting(some: readonly Requested[], others: readonly Requested[]): Pair | undefined {
    for (const one of some) {
      work += others.length;
      if (work > MAX_WORK) return undefined;
      const other = others.find(({ request, entry }) => request !== one.request && canMeet(entry.path, one.entry.path));
      if (other !== undefined) return [one.entry, other.entry];
    }
    return undefined;
  }

  function isDone(set: readonly PieceOnPath[]): boolean {
    const [first] = set;
    if (first === undefined) return true;
    if (set.some(({ path }) => path !== first.path)) return false;
    const key = set
      .map(({ piece: { id } }) => id)
      .sort((a, b) => a - b)
      .join(' ');
    if (done.has(key)) return true;
    done.add(key);
    return false;
  }

  return (root) => {
    const pending: SetAtLevel[] = [{ set: [{ piece: root, path: createFieldPath() }], level: 1 }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { set, level } = next;
      if (work > MAX_WORK) return 'too many fields';
      if (level > MAX_LEVELS) return 'too deep';
      if (isDone(set)) continue;
      for (const group of fieldsOf(set).values()) {
        const conflict = group.length === 1 ? undefined : findConflict(group);
        if (conflict !== undefined) {
          report(conflict);
          continue;
        }
        const below = setBelow(pieces, group);
        if (below.length > 0) pending.push({ set: below, level: level + 1 });
      }
    }
    return work > MAX_WORK ? 'too many fields' : undefined;
  };
}

type Pair = readonly [FieldOnPath, FieldOnPath];

/** Describes how two fields differ. */
function differenceOf([{ field: one }, { field: other }]: Pair): string {
  const names = [one.node.name.value, other.node.name.value] as const;
  if (names[0] !== names[1]) return `"${names[0]}" and "${names[1]}" are different fields`;
  if (requestTextOf(one) !== requestTextOf(other)) return 'they have differing arguments';
  const [first, second] = [directivesTextOf(one), directivesTextOf(other)].map((text) => (text === '' ? 'no directive' : `"${text}"`));
  return `a subgraph executes their directives, which differ: ${first} and ${second}`;
}

function conflictOf([one, other]: Pair, reason: string): FieldConflict {
  return { responseKey: one.field.responseKey, reason, nodes: [one.field.node, other.field.node] };
}

/** Returns the first entry, and the first entry with a different value. An undefined value is compatible with any value. */
function findOther(group: readonly FieldOnPath[], valueOf: (entry: FieldOnPath) => string | undefined): Pair | undefined {
  let first: FieldOnPath | undefined;
  let value: string | undefined;
  for (const entry of group) {
    const here = valueOf(entry);
    if (here === undefined) continue;
    if (first === undefined) [first, value] = [entry, here];
    else if (here !== value) return [first, entry];
  }
  return undefined;
}

/**
 * Returns the selections below the fields of a path. If all have the same path, the path is replaced by a new one, because it can no longer
 * distinguish them.
 */
function setBelow(pieces: FieldPieces, group: readonly FieldOnPath[]): readonly PieceOnPath[] {
  const set: PieceOnPath[] = [];
  for (const { field, path } of group) {
    const piece = pieces.below(field);
    if (piece !== undefined) set.push({ piece, path });
  }
  const [first] = set;
  if (first === undefined || set.some(({ path }) => path !== first.path)) return set;
  const path = createFieldPath();
  return set.map(({ piece }) => ({ piece, path }));
}

function isFirst(seen: Map<FieldPiece, FieldPath | Set<FieldPath>>, piece: FieldPiece, path: FieldPath): boolean {
  const paths = seen.get(piece);
  if (paths === undefined) {
    seen.set(piece, path);
  } else if (paths instanceof Set) {
    if (paths.has(path)) return false;
    paths.add(path);
  } else {
    if (paths === path) return false;
    seen.set(piece, new Set([paths, path]));
  }
  return true;
}
