import type { FieldMask } from '../mapping/field-mask.ts';
import type { Shape, ShapeField } from '../mapping/shape.ts';
import type { OmittedFields } from './denied-fields.ts';
import { type DataObject, isDataObject } from './result-values.ts';

const INTEGER = /^(?:0|-?[1-9]\d*)$/;

/** The JSON of one resource: what its shape shows, in the order of the document, as far as the mask and the caller's rights go. */
export function shapeResource(value: unknown, shape: Shape, omitted: OmittedFields, mask: FieldMask | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => shapeResource(item, shape, omitted, mask));
  if (!isDataObject(value)) return value;
  const gaps = omitted.get(value);
  const shaped: Record<string, unknown> = {};
  for (const [name, field] of shape) {
    const part = mask === undefined ? 'whole' : mask.get(name);
    if (part === undefined || gaps?.has(name) === true || !Object.hasOwn(value, name)) continue;
    shaped[name] = shapeField(value, name, { field, omitted, mask: part === 'whole' ? undefined : part });
  }
  return shaped;
}

interface FieldContext {
  readonly field: ShapeField;
  readonly omitted: OmittedFields;
  readonly mask: FieldMask | undefined;
}

function shapeField(owner: DataObject, name: string, { field, omitted, mask }: FieldContext): unknown {
  const value = owner[name];
  if (field.fields !== undefined) return shapeResource(value, field.fields, omitted, mask);
  if (!field.isInteger) return value;
  return Array.isArray(value) ? value.map(toInteger) : toInteger(value);
}

/** An id that is not a number stays the text it is: it still names something. */
function toInteger(id: unknown): unknown {
  return typeof id === 'string' && INTEGER.test(id) && Number.isSafeInteger(Number(id)) ? Number(id) : id;
}
