import type { Schema } from '@apollo/federation-internals';
import type { QueryPlanSelectionNode } from '@apollo/query-planner';
import { findFailure } from './field-failure.ts';
import { type DataObject, isDataObject, readOwn, writeOwn } from './own-properties.ts';
import { typesMatching } from './type-matching.ts';

/** What representations are read by. */
export interface SelectionRules {
  readonly schema: Schema;
  /** Response keys that a condition can leave out: what is not there of them is passed over. */
  readonly conditionalKeys: ReadonlySet<string>;
}

/**
 * Reads a representation from an entity as an object: the general way, for selections with several fragments or on
 * interfaces. A fragment of which something is missing counts as absent.
 */
export function selectRepresentation(
  rules: SelectionRules,
  source: Readonly<DataObject>,
  selections: readonly QueryPlanSelectionNode[],
): DataObject | undefined {
  if (findFailure(source, selections) !== undefined) return undefined;
  const result: DataObject = {};
  for (const node of selections) {
    if (node.kind === 'Field') {
      const key = node.alias ?? node.name;
      const value = readOwn(source, key);
      if (value === undefined && rules.conditionalKeys.has(key)) continue;
      if (value === undefined) return undefined;
      writeOwn(result, key, node.selections === undefined ? value : selectValue(rules, value, node.selections));
    } else {
      const typename = readOwn(source, '__typename');
      const applies =
        node.typeCondition === undefined || (typeof typename === 'string' && typesMatching(rules.schema, node.typeCondition).has(typename));
      const part = applies ? selectRepresentation(rules, source, node.selections) : undefined;
      if (part !== undefined) join(result, part);
    }
  }
  return result;
}

function selectValue(rules: SelectionRules, value: unknown, selections: readonly QueryPlanSelectionNode[]): unknown {
  if (Array.isArray(value)) return value.map((item) => selectValue(rules, item, selections));
  return isDataObject(value) ? (selectRepresentation(rules, value, selections) ?? null) : null;
}

/**
 * Joins what two fragments read from one value. Where they differ in null, one of them lacked something, as when the
 * client skipped it: then the other stands.
 */
function join(one: unknown, other: unknown): unknown {
  if (isDataObject(one) && isDataObject(other)) {
    for (const key of Object.keys(other)) writeOwn(one, key, join(readOwn(one, key), readOwn(other, key)));
    return one;
  }
  if (Array.isArray(one) && Array.isArray(other)) return one.map((item, index) => join(item, other[index]));
  return other ?? one ?? null;
}
