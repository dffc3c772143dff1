import type { Schema } from '@apollo/federation-internals';
import type { QueryPlanSelectionNode } from '@apollo/query-planner';
import { FieldFailure } from './field-failure.ts';
import { mergeFields } from './merge-entities.ts';
import { type DataObject, isDataObject, readOwn, toDataKey, writeOwn } from './own-properties.ts';
import { typesMatching } from './type-matching.ts';

/**
 * Reads a representation from an entity as an object: the general way, for selections with several fragments or on
 * interfaces. A fragment of which something is missing counts as absent.
 */
export function selectRepresentation(
  schema: Schema,
  source: Readonly<DataObject>,
  selections: readonly QueryPlanSelectionNode[],
): DataObject | undefined {
  const result: DataObject = {};
  for (const node of selections) {
    if (node.kind === 'Field') {
      const key = node.alias ?? node.name;
      const value = readOwn(source, key);
      if (value === undefined || value instanceof FieldFailure) return undefined;
      writeOwn(result, key, node.selections === undefined ? value : selectValue(schema, value, node.selections));
    } else {
      const typename = readOwn(source, '__typename');
      const applies =
        node.typeCondition === undefined || (typeof typename === 'string' && typesMatching(schema, node.typeCondition).has(typename));
      const part = applies ? selectRepresentation(schema, source, node.selections) : undefined;
      if (part !== undefined) mergeFields(result, part, Object.keys(part).map(toDataKey), false);
    }
  }
  return result;
}

function selectValue(schema: Schema, value: unknown, selections: readonly QueryPlanSelectionNode[]): unknown {
  if (Array.isArray(value)) return value.map((item) => selectValue(schema, item, selections));
  return isDataObject(value) ? (selectRepresentation(schema, value, selections) ?? null) : null;
}
