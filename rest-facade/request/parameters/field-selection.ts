import { defaultMask, type FieldMask, type FieldSelection, hasOptIn, type MutableMask } from '../../compile/result/field-mask.ts';
import type { Shape, ShapeField } from '../../compile/result/shape.ts';
import type { ValidationIssues } from './validation-issues.ts';

export interface FieldLimits {
  /** Maximum number of names in `fields`. @unit names */
  readonly maxFields: number;
  /** Maximum depth of a dotted name in `fields`. @unit levels */
  readonly maxFieldDepth: number;
}

/** Reads comma-separated dotted response names: `id,author.name`. A name that the resource does not show is an error. */
export function readFieldSelection(text: string, shape: Shape, limits: FieldLimits, issues: ValidationIssues): FieldSelection | undefined {
  const names = splitFields(text, limits.maxFields);
  if (names === undefined) {
    issues.add('INVALID_PARAMETER', 'fields', 'contains unbalanced parentheses');
    return undefined;
  }
  if (names.length > limits.maxFields) {
    issues.add('INVALID_PARAMETER', 'fields', `contains more than ${limits.maxFields} names`);
    return undefined;
  }
  const mask: MutableMask = new Map();
  for (const name of names) {
    const issue = addName(name, shape, limits, mask);
    if (issue === undefined) continue;
    issues.add('INVALID_PARAMETER', 'fields', issue);
    return undefined;
  }
  const unique = new Set(names);
  const key = [...unique].sort().join(',');
  unique.delete(EVERYTHING);
  return { mask, names: unique, key };
}

/** Name that selects all fields that are shown by default. */
const EVERYTHING = '*';

/** Returns the mask of a field that is named without subfields: its on-demand fields are not included. */
function wholeOf({ fields }: ShapeField): FieldMask | 'whole' {
  return fields !== undefined && hasOptIn(fields) ? defaultMask(fields) : 'whole';
}

/** Merges masks without removing fields, so that the order of the names is irrelevant. */
function addAll(mask: MutableMask, more: FieldMask): void {
  for (const [name, part] of more) {
    const known = mask.get(name);
    if (known === 'whole') continue;
    if (part === 'whole') {
      mask.set(name, part);
      continue;
    }
    const parts: MutableMask = known ?? new Map();
    mask.set(name, parts);
    addAll(parts, part);
  }
}

/** Adds one name to the mask. Returns the error for an invalid name. */
function addName(name: string, shape: Shape, { maxFieldDepth }: FieldLimits, mask: MutableMask): string | undefined {
  if (name === EVERYTHING) {
    addAll(mask, defaultMask(shape));
    return undefined;
  }
  const parts = name.split('.', maxFieldDepth + 1);
  if (parts.length > maxFieldDepth) return `contains a name with more than ${maxFieldDepth} levels`;
  let fields: Shape | undefined = shape;
  let current = mask;
  for (const [index, part] of parts.entries()) {
    const field: ShapeField | undefined = fields?.get(part);
    if (field === undefined)
      return fields === undefined
        ? 'contains a name with a subfield of a scalar field'
        : `contains an unknown field; the available fields are ${[...fields.keys()].join(', ')}`;
    const known = current.get(part);
    if (known === 'whole') return undefined;
    if (index === parts.length - 1) {
      addAll(current, new Map([[part, wholeOf(field)]]));
      return undefined;
    }
    const next: MutableMask = known ?? new Map();
    current.set(part, next);
    current = next;
    fields = field.fields;
  }
  return undefined;
}

/**
 * Expands a list of fields to dotted names: `id,orders(id,status)` becomes `id`, `orders.id` and `orders.status`. Reads iteratively, and
 * stops when there are too many names.
 *
 * @returns undefined if the parentheses are unbalanced or misplaced
 */
function splitFields(text: string, maxNames: number): readonly string[] | undefined {
  if (!text.includes('(') && !text.includes(')')) return text.split(',', maxNames + 1);
  const names: string[] = [];
  const prefixes: string[] = [''];
  let start = 0;
  let isClosed = false;
  for (let index = 0; index <= text.length && names.length <= maxNames; index += 1) {
    const character = text[index] ?? ',';
    const isEnd = character === ',' || character === ')';
    if (!isEnd && character !== '(') {
      if (isClosed) return undefined;
      continue;
    }
    const prefix = prefixes.at(-1) ?? '';
    const word = text.slice(start, index);
    start = index + 1;
    if (character === '(') {
      if (word === '' || isClosed) return undefined;
      prefixes.push(`${prefix}${word}.`);
      continue;
    }
    if (!isClosed) names.push(prefix + word);
    isClosed = character === ')';
    if (isClosed && prefixes.pop() !== undefined && prefixes.length === 0) return undefined;
  }
  return prefixes.length === 1 || names.length > maxNames ? names : undefined;
}
