import { INTEGER_PATTERN } from '../compile/integer-id.ts';
import type { FieldMask } from '../compile/result/field-mask.ts';
import type { Shape, ShapeField } from '../compile/result/shape.ts';
import type { OmittedFields } from './classify-errors.ts';
import { isResultObject } from './result-data.ts';
import type { WriteLinks } from './write-links.ts';

const INTEGER = new RegExp(`^${INTEGER_PATTERN}$`);

/** How much of a resource is shown. */
export interface ResourceView {
  /** What the caller may not see. */
  readonly omitted: OmittedFields;
  /** What the caller asked for; undefined where that is everything. */
  readonly mask: FieldMask | undefined;
  /** Absent where links are not shown. */
  readonly writeLinks?: WriteLinks;
}

/** Under which name an object shows where one can go from it. */
export const LINKS_MEMBER = '_links';

/** The JSON of one resource: what its shape shows, in the order of the document, as far as the mask and the caller's rights go. */
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

/** The same where nothing is left out, as for most answers: nothing is put together that says what is. */
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

/** An id that is not a number stays the text it is: it still names something. */
function toInteger(id: unknown): unknown {
  return typeof id === 'string' && INTEGER.test(id) ? Number(id) : id;
}
