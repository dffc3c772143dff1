import type { SelectionSetNode } from 'graphql';
import { type OpenedField, VARIANTS } from '../print/field-prefixes.ts';
import type { ObjectShapes } from './response-shape.ts';

/** Returns a name for a list of selection sets. Lists of the same nodes in the same order have the same name. */
export type SelectionNames = (selectionSets: readonly SelectionSetNode[]) => string;

/** Creates names by numbering selection sets in order of appearance. */
export function createSelectionNames(): SelectionNames {
  const numbers = new Map<SelectionSetNode, number>();
  return (selectionSets) => {
    let name = '';
    for (const selectionSet of selectionSets) {
      const number = numbers.get(selectionSet) ?? numbers.size;
      numbers.set(selectionSet, number);
      name += ` ${number}`;
    }
    return name;
  };
}

/** A node in the tree of paths that lead to shared objects. */
interface SharedBranch {
  /** Identifier of the branch. */
  readonly id: number;
  /** Whether one object can occur at several positions here. */
  readonly isShared: boolean;
  /** Inner branches, by data key. */
  readonly inside: ReadonlyMap<string, SharedBranch>;
}

interface GrowingBranch {
  readonly id: number;
  isShared: boolean;
  readonly inside: Map<string, GrowingBranch>;
}

/**
 * Builds a tree from paths of data keys. Positions outside the tree lead to no shared object and need not be distinguished.
 *
 * @param paths Paths of data keys, joined by `/`.
 */
export function branchShared(paths: ReadonlySet<string>): SharedBranch | undefined {
  if (paths.size === 0) return undefined;
  let count = 0;
  const open = (): GrowingBranch => ({ id: (count += 1), isShared: false, inside: new Map() });
  const root = open();
  for (const path of paths) {
    let branch = root;
    for (const key of path === '' ? [] : path.split('/')) {
      const known = branch.inside.get(key) ?? open();
      branch.inside.set(key, known);
      branch = known;
    }
    branch.isShared = true;
  }
  return root;
}

/** A position of the response, with the properties that the shapes of its values depend on. */
export interface ShapePosition {
  /** Whether this is the root of the response. */
  readonly isRoot: boolean;
  /** Branch of the paths to shared objects; undefined when the position leads to none. */
  readonly branch: SharedBranch | undefined;
  /** Whether the declared type, or the type of an enclosing value, is an interface or a union. */
  readonly isBeneathAbstract: boolean;
  /** Selection sets at this position. */
  readonly selectionSets: readonly SelectionSetNode[];
}

/**
 * Table of the shapes that positions of one compiled response share. Without it, the number of shapes would grow with the number of types
 * to the power of the depth.
 */
export interface ShapeTable {
  /** Returns the shapes of a position. Positions that differ only in their path share their shapes. */
  objectsAt(types: string, position: ShapePosition, make: () => ObjectShapes): ObjectShapes;
  /** Returns the first slot of a field's prefixes. Fields with the same prefixes share their slots. */
  slotOf(field: Omit<OpenedField, 'slot'>): number;
  /** Returns the index of the next cache for printed objects. */
  nextMemo(): number;
  /** Adds the number of fields of a compiled shape to the total. */
  add(fields: number): void;
}

/**
 * Called with the total number of fields in all shapes, each time the total has grown by a quarter because values of further types arrived.
 */
export type ShapesGrown = (fields: number) => void;

/** Slots of the prefixes for one key, for the first field of an object and for other fields; -1 until assigned. */
interface Slots {
  first: number;
  further: number;
}

/** Number of fields that are not reported. Nearly all operations have fewer. */
const FIRST_REPORT = 16;
const GROWTH = 1.25;

export function createShapeTable(onGrown?: ShapesGrown): ShapeTable {
  const nameOf = createSelectionNames();
  const objects = new Map<string, ObjectShapes>();
  const slots = new Map<string, Slots>();
  let slotCount = 0;
  let memos = 0;
  let total = 0;
  let nextReport = FIRST_REPORT;

  return {
    objectsAt(types, { isRoot, branch, isBeneathAbstract, selectionSets }, make) {
      const name = `${types} ${isRoot ? 'r' : ''}${isBeneathAbstract ? 'a' : ''}${branch?.id ?? ''}:${nameOf(selectionSets)}`;
      let found = objects.get(name);
      if (found === undefined) objects.set(name, (found = make()));
      return found;
    },
    slotOf({ isFirst, responseKey, constant }) {
      const name = constant === '' ? responseKey : `${responseKey}:${constant}`;
      let known = slots.get(name);
      if (known === undefined) slots.set(name, (known = { first: -1, further: -1 }));
      const position = isFirst ? 'first' : 'further';
      if (known[position] < 0) {
        known[position] = slotCount;
        slotCount += VARIANTS;
      }
      return known[position];
    },
    nextMemo() {
      memos += 1;
      return memos - 1;
    },
    add(fields) {
      total += fields;
      if (onGrown === undefined || total < nextReport) return;
      nextReport = total * GROWTH;
      onGrown(total);
    },
  };
}
