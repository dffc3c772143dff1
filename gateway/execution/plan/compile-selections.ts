import { type DataKey, toDataKey } from '../data/own-properties.ts';
import type { PlanSelection, PlanVariable } from '../../planning/operation-plan.ts';
import type { MergeField } from './compiled-plan.ts';

/** Selections as GraphQL text, including braces, and the fragments that the text spreads. */
export interface PrintedSelections {
  readonly text: string;
  /** Fragment definitions, or an empty string. */
  readonly fragments: string;
}

/** Selections that several fields share are printed as a fragment when their text is longer than this. @unit characters */
const MIN_FRAGMENT_LENGTH = 40;

/**
 * Prints selections. Selections that several fields share are printed once, as a named fragment. Without fragments, the text would grow
 * exponentially with the depth, because fields of unions are selected separately for each type.
 *
 * @param prefix Prefix of the fragment names. It must be unique within one request.
 */
export function printSelections(selections: readonly PlanSelection[], prefix = 'shared'): PrintedSelections {
  const uses = countUses(selections);
  const texts = new Map<string, string>();
  const fragments: string[] = [];
  const printAll = (nodes: readonly PlanSelection[]): string => `{${nodes.map(printOne).join(' ')}}`;
  const printInside = (nodes: readonly PlanSelection[], type: string | undefined): string => {
    // Values of several types can share one array of selections, but a fragment has exactly one type condition.
    const use = type === undefined ? undefined : uses.of(nodes, type);
    if (use === undefined || use.count < 2) return printAll(nodes);
    let text = texts.get(use.id);
    if (text !== undefined) return text;
    text = printAll(nodes);
    if (text.length > MIN_FRAGMENT_LENGTH) {
      const name = `${prefix}_${fragments.length}`;
      fragments.push(`fragment ${name} on ${type}${text}`);
      text = `{...${name}}`;
    }
    texts.set(use.id, text);
    return text;
  };
  const printOne = (selection: PlanSelection): string => {
    if (selection.kind === 'fragment') return `...on ${selection.type}${printAll(selection.selections)}`;
    const { name, key, arguments: given = '', directives = '', selections: inside, valueType } = selection;
    const own = (key === name ? name : `${key}:${name}`) + given + directives;
    return inside === undefined ? own : own + printInside(inside, valueType);
  };
  return { text: printAll(selections), fragments: fragments.join('') };
}

/** Number of times an array of selections is printed for values of one type. */
interface Use {
  readonly id: string;
  count: number;
}

interface Uses {
  of(nodes: readonly PlanSelection[], type: string): Use | undefined;
}

/** Counts the uses of each array of selections. A shared array is entered once, as if it were printed as a fragment. */
function countUses(selections: readonly PlanSelection[]): Uses {
  const uses = new Map<readonly PlanSelection[], Map<string, Use>>();
  let total = 0;
  const count = (nodes: readonly PlanSelection[]): void => {
    for (const node of nodes) {
      if (node.kind === 'fragment') count(node.selections);
      else if (node.selections !== undefined) {
        const type = node.valueType ?? '';
        const byType = uses.get(node.selections) ?? new Map<string, Use>();
        uses.set(node.selections, byType);
        const known = byType.get(type);
        if (known === undefined) {
          byType.set(type, { id: String((total += 1)), count: 1 });
          count(node.selections);
        } else known.count += 1;
      }
    }
  };
  count(selections);
  return { of: (nodes, type) => uses.get(nodes)?.get(type) };
}

/** Lists the client variables that selections use, without duplicates. */
export function variablesOfSelections(selections: readonly PlanSelection[]): readonly PlanVariable[] {
  const found = new Map<string, PlanVariable>();
  const visited = new Set<readonly PlanSelection[]>();
  const collect = (nodes: readonly PlanSelection[]): void => {
    if (visited.has(nodes)) return;
    visited.add(nodes);
    for (const node of nodes) {
      if (node.kind === 'field') for (const variable of node.variables ?? []) found.set(variable.name, variable);
      if (node.selections !== undefined) collect(node.selections);
    }
  };
  collect(selections);
  return [...found.values()];
}

/**
 * Compiles the fields to read from a response to these selections. The types do not matter, because a data key identifies the same field on
 * all of them.
 *
 * @param isInterface Whether a `__typename` is the name of an interface.
 */
export function compileMergeFields(
  selections: readonly PlanSelection[],
  isInterface: (typename: string) => boolean,
): readonly MergeField[] {
  return createMergeCompiler(compileSaysLess(isInterface))([selections]);
}

/** Compiles `MergeField.saysLess`. The compiled plan retains the function, but not the selections. */
function compileSaysLess(isInterface: (typename: string) => boolean): NonNullable<MergeField['saysLess']> {
  return (name) => typeof name === 'string' && isInterface(name);
}

type MergeCompiler = (merged: Iterable<readonly PlanSelection[]>) => readonly MergeField[];

/**
 * Compiles each combination of selection arrays once. Fields with different keys can share one array at every level, so the number of paths
 * grows exponentially with the depth.
 */
function createMergeCompiler(saysLess: MergeField['saysLess']): MergeCompiler {
  const compiled = new Map<string, readonly MergeField[]>();
  const numbers = new Map<readonly PlanSelection[], number>();
  const numberOf = (nodes: readonly PlanSelection[]): number => {
    const number = numbers.get(nodes) ?? numbers.size;
    numbers.set(nodes, number);
    return number;
  };
  const compile: MergeCompiler = (merged) => {
    const name = [...merged].map(numberOf).join(' ');
    let fields = compiled.get(name);
    if (fields === undefined) compiled.set(name, (fields = merge(merged)));
    return fields;
  };
  const merge: MergeCompiler = (merged) =>
    [...fieldsInside(merged)].map(([key, nodes]) => ({
      key: toDataKey(key),
      fields: nodes === undefined ? undefined : compile(nodes),
      saysLess: key === '__typename' ? saysLess : undefined,
    }));
  return compile;
}

/** Returns the selections inside each field by data key; undefined for leaf fields. */
function fieldsInside(merged: Iterable<readonly PlanSelection[]>): ReadonlyMap<string, Set<readonly PlanSelection[]> | undefined> {
  const inside = new Map<string, Set<readonly PlanSelection[]> | undefined>();
  const visited = new Set<readonly PlanSelection[]>();
  const collect = (nodes: readonly PlanSelection[]): void => {
    if (visited.has(nodes)) return;
    visited.add(nodes);
    for (const node of nodes) {
      if (node.kind === 'fragment') collect(node.selections);
      else if (node.selections === undefined) inside.set(node.key, inside.get(node.key));
      else inside.set(node.key, (inside.get(node.key) ?? new Set()).add(node.selections));
    }
  };
  for (const selections of merged) collect(selections);
  return inside;
}

/** Returns the data keys of merge fields. */
export function keysOf(fields: readonly MergeField[]): readonly DataKey[] {
  return fields.map(({ key }) => key);
}
