import { type DataKey, toDataKey } from '../data/own-properties.ts';
import type { PlanSelection, PlanVariable } from '../../planning/operation-plan.ts';
import type { MergeField } from './compiled-plan.ts';

/** Selections as GraphQL text, braces included. */
export function printSelections(selections: readonly PlanSelection[]): string {
  return `{${selections.map(printSelection).join(' ')}}`;
}

function printSelection(selection: PlanSelection): string {
  if (selection.kind === 'fragment') return `...on ${selection.type}${printSelections(selection.selections)}`;
  const { name, key, arguments: given = '', directives = '', selections } = selection;
  const inside = selections === undefined ? '' : printSelections(selections);
  return (key === name ? name : `${key}:${name}`) + given + directives + inside;
}

/** The client's variables in selections, each once. */
export function variablesIn(selections: readonly PlanSelection[]): readonly PlanVariable[] {
  const found = new Map<string, PlanVariable>();
  const collect = (nodes: readonly PlanSelection[]): void => {
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
  const inside = new Map<string, PlanSelection[] | undefined>();
  const collect = (nodes: readonly PlanSelection[]): void => {
    for (const node of nodes) {
      if (node.kind === 'fragment') collect(node.selections);
      else if (node.selections === undefined) inside.set(node.key, inside.get(node.key));
      else inside.set(node.key, [...(inside.get(node.key) ?? []), ...node.selections]);
    }
  };
  collect(selections);
  const saysLess = (name: unknown): boolean => typeof name === 'string' && isInterface(name);
  return [...inside].map(([key, nodes]) => ({
    key: toDataKey(key),
    fields: nodes === undefined ? undefined : compileMergeFields(nodes, isInterface),
    saysLess: key === '__typename' ? saysLess : undefined,
  }));
}

/** The data keys of merged fields. */
export function keysOf(fields: readonly MergeField[]): readonly DataKey[] {
  return fields.map(({ key }) => key);
}
