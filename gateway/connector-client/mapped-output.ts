import type { SelectionNode as FieldOrFragment } from 'graphql';
import type { ObjectNode, SelectionNode } from '../connectors/selection/selection-node.ts';
import { collectOutputFields, type OutputContext, type OutputPosition, selectionsOf } from './output-fields.ts';
import { wantedOutput } from './wanted-output.ts';

/** Completes a value in place, and returns it. */
type Complete = (value: unknown) => unknown;

/**
 * Compiles a position whose mapped value already is what an operation selects: the mapping creates each of its objects, with no other
 * fields than the selected ones, under their names. Such a value need not be copied. The fields for which the mapping found no value are
 * set to null, because a representation that lacks a field cannot be sent.
 *
 * @returns undefined if the fields have to be selected
 */
export function compileMappedOutput({ selections, type = '', mapping }: OutputPosition, context: OutputContext): Complete | undefined {
  const object = objectOf(mapping);
  if (object === undefined || context.types.isAbstract(type)) return undefined;
  if (object.fields.some(({ name }) => name === undefined || name === '__typename')) return undefined;
  const fields = collectOutputFields(selections, type, context);
  if (hasOtherFields(fields, selections, context)) return undefined;
  const leaves: string[] = [];
  const composites: { readonly name: string; readonly complete: Complete }[] = [];
  for (const [key, nodes] of fields) {
    const name = nodes[0].name.value;
    // Every object inherits properties such as `constructor`.
    if (key !== name || name === '__typename' || name in Object.prototype) return undefined;
    const position = { selections: selectionsOf(nodes), type: context.types.fieldType(type, name), mapping: mappingOfField(object, name) };
    if (position.selections.length > 0) {
      const complete = compileMappedOutput(position, context);
      if (complete === undefined) return undefined;
      composites.push({ name, complete });
      continue;
    }
    // Numeric IDs are converted to strings.
    if (position.type === 'ID') return undefined;
    leaves.push(name);
  }
  return completeWith((mapped) => {
    for (const name of leaves) {
      if (mapped[name] === undefined) mapped[name] = null;
    }
    for (const { name, complete } of composites) {
      if (mapped[name] === undefined) mapped[name] = null;
      else complete(mapped[name]);
    }
  });
}

/** Completes an object, or each object of a list. A mapping without a result, such as a method of null, has the value null. */
function completeWith(completeObject: (mapped: Record<string, unknown>) => void): Complete {
  const complete: Complete = (value) => {
    if (Array.isArray(value)) for (const item of value) complete(item);
    else if (typeof value === 'object' && value !== null) completeObject(value as Record<string, unknown>);
    return value ?? null;
  };
  return complete;
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
