import { type DataKey, toDataKey } from '../data/own-properties.ts';
import type { PlanSelection, PlanVariable } from '../../planning/operation-plan.ts';
import type { MergeField } from './compiled-plan.ts';

/** Selections as GraphQL text, braces included, and the fragments that the text refers to. */
export interface PrintedSelections {
  readonly text: string;
  /** Definitions of fragments; empty where there are none. */
  readonly fragments: string;
}

/** Selections that several fields share become a fragment where they are longer than this. @unit characters */
const MIN_FRAGMENT_LENGTH = 40;

/**
 * Prints selections. What several fields share is printed once, as a named fragment: fields of unions are asked for type by type, and the
 * text would grow exponentially with their depth.
 *
 * @param prefix of the names of fragments, which are unique in one request
 */
export function printSelections(selections: readonly PlanSelection[], prefix = 'shared'): PrintedSelections {
  const uses = countUses(selections);
  const texts = new Map<string, string>();
  const fragments: string[] = [];
  const printAll = (nodes: readonly PlanSelection[]): string => `{${nodes.map(printOne).join(' ')}}`;
  const printInside = (nodes: readonly PlanSelection[], type: string | undefined): string => {
    // Values of several types can share one array of selections, and a fragment is on one type.
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

/** How often an array of selections is printed inside of fields whose values have one type. */
interface Use {
  readonly id: string;
  count: number;
}

interface Uses {
  of(nodes: readonly PlanSelection[], type: string): Use | undefined;
}

/** Counts how often the text would have each array of selections, if each field that is printed twice were a fragment. */
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

/** The client's variables in selections, each once. */
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
 * What is read from an answer to the selections, whatever the types: one data key is one field on all of them.
 *
 * @param isInterface whether a `__typename` is the name of an interface
 */
export function compileMergeFields(
  selections: readonly PlanSelection[],
  isInterface: (typename: string) => boolean,
): readonly MergeField[] {
  return createMergeCompiler(isInterface)([selections]);
}

type MergeCompiler = (merged: Iterable<readonly PlanSelection[]>) => readonly MergeField[];

/** Compiles each combination of arrays once: fields with keys of their own may share one array at each level, and the ways to it multiply. */
function createMergeCompiler(isInterface: (typename: string) => boolean): MergeCompiler {
  const saysLess = (name: unknown): boolean => typeof name === 'string' && isInterface(name);
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

/** Selections inside of each field, by data key; undefined in a leaf. */
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

/** The data keys of merged fields. */
export function keysOf(fields: readonly MergeField[]): readonly DataKey[] {
  return fields.map(({ key }) => key);
}
