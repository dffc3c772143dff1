import type { FieldMask } from './field-mask.ts';
import type { Shape } from './shape.ts';

/** What is shown of an object where nobody asks for more: all but what is there on demand. */
export function defaultMask(shape: Shape): FieldMask {
  const shown = [...shape].filter(([, { isOnDemand }]) => isOnDemand !== true);
  return new Map(shown.map(([name, { fields }]) => [name, fields !== undefined && hasOnDemand(fields) ? defaultMask(fields) : 'whole']));
}

export function hasOnDemand(shape: Shape): boolean {
  return [...shape.values()].some(({ isOnDemand, fields }) => isOnDemand === true || (fields !== undefined && hasOnDemand(fields)));
}
