import { INTEGER_PATTERN } from '../compile/integer-id.ts';
import type { FieldMask } from '../compile/result/field-mask.ts';
import type { Shape, ShapeField } from '../compile/result/shape.ts';
import type { OmittedFields } from './classify-errors.ts';
import { isResultObject } from './result-data.ts';
import type { WriteLinks } from './write-links.ts';

const INTEGER = new RegExp(`^${INTEGER_PATTERN}$`);

/** The visible part of a resource. */
export interface ResourceView {
  /** Fields that the caller may not see. */
  readonly omitted: OmittedFields;
  /** Fields that the caller requested. Undefined for all fields. */
  readonly mask: FieldMask | undefined;
  /** Absent if links are not shown. */
  readonly writeLinks?: WriteLinks;
}

/** Name of the member that contains the links of an object. */
export const LINKS_MEMBER = '_links';

/** Shapes one resource: the fields of its shape, in the order of the document, reduced by the mask and by the permissions of the caller. */
export function shapeResource(value: unknown, shape: Shape, view: ResourceView): unknown {
  if (view.mask === undefined && view.omitted.size === 0 && view.writeLinks === undefined) return shapeWhole(value, shape);
  if (Array.isArray(value)) return value.map((item) => shapeResource(item, shape, view));
  if (!isResultObject(value)) return value;
  const { omitted, mask, writeLinks } = view;
  const gaps = omitted.get(value);
  const shaped: Record<string, unknown> = {};
  for (const [name, field] of shape) {
    const part = mask === undefined ? 'whole' : mask.get(name);
    if (part === undefined || gaps?.has(name) === true || !Object.hasOwn(value, name)) continue;
    shaped[name] = shapeField(value[name], field, { ...view, mask: part === 'whole' ? undefined : part });
  }
  if (writeLinks !== undefined && shape.links !== undefined) shaped[LINKS_MEMBER] = writeLinks(value, shape.links);
  return shaped;
}

/** Shapes a resource without omitted fields, which is the most common case. It avoids the cost of the view. */
function shapeWhole(value: unknown, shape: Shape): unknown {
  if (Array.isArray(value)) return value.map((item) => shapeWhole(item, shape));
  if (!isResultObject(value)) return value;
  const shaped: Record<string, unknown> = {};
  for (const [name, { fields, isInteger }] of shape) {
    const part = value[name];
    if (part === undefined) continue;
    if (fields !== undefined) shaped[name] = shapeWhole(part, fields);
    else if (isInteger) shaped[name] = Array.isArray(part) ? part.map(toInteger) : toInteger(part);
    else shaped[name] = part;
  }
  return shaped;
}

function shapeField(value: unknown, field: ShapeField, view: ResourceView): unknown {
  if (field.fields !== undefined) return shapeResource(value, field.fields, view);
  if (!field.isInteger) return value;
  return Array.isArray(value) ? value.map(toInteger) : toInteger(value);
}

/** Converts an id to an integer. An id that is not a number remains text. */
function toInteger(id: unknown): unknown {
  return typeof id === 'string' && INTEGER.test(id) ? Number(id) : id;
}
