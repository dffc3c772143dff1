import type { SelectionNode as FieldOrFragment } from 'graphql';
import type { ObjectNode, SelectionNode } from '../connectors/selection/selection-node.ts';
import { collectOutputFields, type OutputContext, type OutputPosition, selectionsOf } from './output-fields.ts';
import { wantedOutput } from './wanted-output.ts';

/**
 * Returns whether the mapped value of a position already is what an operation selects: a mapping creates each of its objects, with exactly
 * the selected fields under their names. Such a value need not be copied.
 */
export function isMappedAsSelected({ selections, type = '', mapping }: OutputPosition, context: OutputContext): boolean {
  const object = objectOf(mapping);
  if (object === undefined || context.types.isAbstract(type)) return false;
  if (object.fields.some(({ name }) => name === undefined || name === '__typename')) return false;
  const fields = collectOutputFields(selections, type, context);
  if (hasOtherFields(fields, selections, context)) return false;
  return [...fields].every(([key, nodes]) => {
    const name = nodes[0].name.value;
    if (key !== name || name === '__typename') return false;
    const position = { selections: selectionsOf(nodes), type: context.types.fieldType(type, name), mapping: mappingOfField(object, name) };
    // Numeric IDs are converted to strings.
    return position.selections.length === 0 ? position.type !== 'ID' : isMappedAsSelected(position, context);
  });
}

/** Returns whether the mapping computes fields for other types than the one of the position. */
function hasOtherFields(fields: ReadonlyMap<string, unknown>, selections: readonly FieldOrFragment[], context: OutputContext): boolean {
  return [...wantedOutput(selections, context).keys()].some((name) => name !== '__typename' && !fields.has(name));
}

/** Returns the mapping of a field of an output object; undefined if it is not known before the mapping runs. */
export function mappingOfField(mapping: SelectionNode | undefined, field: string): SelectionNode | undefined {
  const object = objectOf(mapping);
  if (object === undefined || object.fields.some(({ name }) => name === undefined)) return undefined;
  const [found, ...others] = object.fields.filter(({ name }) => name === field);
  return others.length === 0 ? found?.value : undefined;
}

/** Returns the output object of a mapping, or that of the items of a list. */
function objectOf(mapping: SelectionNode | undefined): ObjectNode | undefined {
  if (mapping?.kind === 'object') return mapping;
  return mapping?.kind === 'path' ? mapping.selection : undefined;
}
