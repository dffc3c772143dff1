import type { SelectionSetNode } from 'graphql';
import { type DataKey, toDataKey } from '../../data/own-properties.ts';
import { type OpenedField, VARIANTS } from '../print/field-prefixes.ts';
import type { ObjectShapes } from './response-shape.ts';

/** Names lists of selection sets: equal for the same nodes in the same order. */
export type SelectionNames = (selectionSets: readonly SelectionSetNode[]) => string;

/** Numbers selection sets as they come. */
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

/** A place of the tree from which paths to shared objects lead on. */
interface SharedBranch {
  /** Tells branches apart. */
  readonly id: number;
  /** True when one object can be in several places here. */
  readonly isShared: boolean;
  /** By data key. */
  readonly inside: ReadonlyMap<string, SharedBranch>;
}

interface GrowingBranch {
  readonly id: number;
  isShared: boolean;
  readonly inside: Map<string, GrowingBranch>;
}

/**
 * Arranges paths of data keys as a tree. Places from which no path leads to a shared object are in no branch, and need not be told apart.
 *
 * @param paths joined by `/`
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

/** A place of the response, as far as the shapes of its values depend on it. */
export interface ShapePlace {
  /** True at the root of the response. */
  readonly isRoot: boolean;
  /** Branches of the paths to shared objects; undefined when there is none. */
  readonly branch: SharedBranch | undefined;
  /** True when the declared type, or one around it, is an interface or a union. */
  readonly isBeneathAbstract: boolean;
  /** Selection sets of the place. */
  readonly selectionSets: readonly SelectionSetNode[];
}

/** Shapes that the places of one compiled response share. Without it, shapes would grow with the number of types to the power of the depth. */
export interface ShapeTable {
  /** Returns the shapes of a place, which are those of all places that differ in nothing but the way to them. */
  objectsAt(types: string, place: ShapePlace, make: () => ObjectShapes): ObjectShapes;
  /** Returns the first slot of a field's openings. Fields with the same openings share their slots. */
  slotOf(field: Omit<OpenedField, 'slot'>): number;
  keyOf(name: string): DataKey;
  /** Returns the number of the next shape whose printed objects are kept. */
  nextMemo(): number;
  /** Counts the fields of a shape that was compiled. */
  add(fields: number): void;
}

/** Called with the number of all fields that shapes have, each time it has grown by a quarter: values of further types have come. */
export type ShapesGrown = (fields: number) => void;

/** Slots of the openings with one key: of the field that opens an object, and of others; -1 until there is one. */
interface Slots {
  first: number;
  further: number;
}

/** Fields that are not reported: nearly all operations have fewer. */
const FIRST_REPORT = 16;
const GROWTH = 1.25;

export function createShapeTable(onGrown?: ShapesGrown): ShapeTable {
  const nameOf = createSelectionNames();
  const objects = new Map<string, ObjectShapes>();
  const slots = new Map<string, Slots>();
  let slotCount = 0;
  const keys = new Map<string, DataKey>();
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
      const place = isFirst ? 'first' : 'further';
      if (known[place] < 0) {
        known[place] = slotCount;
        slotCount += VARIANTS;
      }
      return known[place];
    },
    keyOf(name) {
      let key = keys.get(name);
      if (key === undefined) keys.set(name, (key = toDataKey(name)));
      return key;
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
