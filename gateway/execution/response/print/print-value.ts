import { countJsonObjects } from '../../../platform/count-json-objects.ts';
import { FieldFailure } from '../../data/field-failure.ts';
import { type DataObject, readKey, readOwn } from '../../data/own-properties.ts';
import { inOnePiece, mustBeEscaped } from '../../data/print-json.ts';
import { AFTER_TEXT, BEFORE_TEXT, makeFieldPrefix } from './field-prefixes.ts';
import { mayOwnerSee, printDenied } from './print-guarded.ts';
import { type PrintRun, type PrintedObject, findPrinted, reportNull, reportUnusable } from './print-run.ts';
import type { FieldShape, ObjectShape, ValueShape } from '../shape/response-shape.ts';

/**
 * Prints one value as JSON text. Returns `undefined` when the value, or a value inside it, is null but must not be. The nearest nullable
 * enclosing value then becomes `null` (GraphQL specification, 6.4.4). The reason has already been reported.
 *
 * @param depth Number of elements of `run.path` that lead to the value.
 */
export function printValue(shape: ValueShape, value: unknown, depth: number, run: PrintRun): string | undefined {
  if (value === null || value === undefined) return shape.isNonNull ? reportNull(shape.owner, depth, run) : 'null';
  const { objects } = run;
  const text = printPresent(shape, value, depth, run);
  if (text !== undefined || shape.isNonNull) return text;
  run.objects = objects;
  run.removed?.push(run.path.slice(0, depth));
  return 'null';
}

/** Prints a value that is not null. */
function printPresent(shape: ValueShape, value: unknown, depth: number, run: PrintRun): string | undefined {
  const { kind } = shape;
  if (typeof value === 'object' && value instanceof FieldFailure) return reportUnusable(value, shape.owner, depth, run);
  if (kind === 'leaf') return shape.toJson?.(value) ?? reportUnusable(value, shape.owner, depth, run);
  if (typeof value !== 'object' || Array.isArray(value) !== (kind === 'list')) return reportUnusable(value, shape.owner, depth, run);
  if (kind === 'list') return printList(shape, value as readonly unknown[], depth, run);
  const object = objectShapeOf(shape, value as DataObject);
  if (object === undefined) return reportUnknownType(shape, value as DataObject, depth, run);
  if (object.owners !== undefined && !mayOwnerSee(object.owners, value as DataObject, { owner: shape.owner, depth }, run)) return undefined;
  return printObject(object, value as DataObject, depth, run);
}

/** Reports an object of unknown type. When `__typename` could not be fetched, its failure explains why the object is not printed. */
function reportUnknownType({ owner }: ValueShape, value: DataObject, depth: number, run: PrintRun): undefined {
  const typename = value['__typename'];
  return reportUnusable(typename instanceof FieldFailure ? typename : value, owner, depth, run);
}

/** Returns the shape for the type of an object; undefined when the type is not possible at this position. */
export function objectShapeOf({ objects }: ValueShape, value: DataObject): ObjectShape | undefined {
  if (objects === undefined) return undefined;
  if (!objects.isAbstract) return (objects.only ??= objects.shapeOf(undefined));
  const typename = value['__typename'] ?? undefined;
  return typename === undefined || typeof typename === 'string' ? objects.shapeOf(typename) : undefined;
}

/** Prints all items, even when one is null and must not be, so that each invalid item is reported. */
function printList(list: ValueShape, items: readonly unknown[], depth: number, run: PrintRun): string | undefined {
  if (run.lists !== undefined) {
    const known = findPrinted(list, items, depth, run);
    if (known !== undefined) {
      run.objects += known.objects;
      return known.text;
    }
  }
  const { item: shape } = list;
  let text = '[';
  let isNull = false;
  for (let index = 0; index < items.length; index += 1) {
    run.path[depth] = index;
    const printed = shape && printValue(shape, items[index], depth + 1, run);
    if (printed === undefined) isNull = true;
    else text += index === 0 ? printed : `,${printed}`;
  }
  return isNull ? undefined : `${text}]`;
}

/** Prints an object. The text of an object without errors is the same at every position and is reused. */
function printObject(shape: ObjectShape, object: DataObject, depth: number, run: PrintRun): string | undefined {
  if (shape.memo < 0) return printFields(shape.fields, object, depth, run);
  const memo = (run.memos[shape.memo] ??= new Map<DataObject, PrintedObject>());
  const known = memo.get(object);
  if (known !== undefined) {
    run.objects += known.objects;
    return known.text;
  }
  const { errorCount, objects } = run;
  const text = printFields(shape.fields, object, depth, run);
  if (text !== undefined && run.errorCount === errorCount) memo.set(object, { text: inOnePiece(text), objects: run.objects - objects });
  return text;
}

/** Prints the fields of an object. This is the hot loop: common valid values are printed inline and all others by `printValue`. */
function printFields(fields: readonly FieldShape[], object: DataObject, depth: number, run: PrintRun): string | undefined {
  run.objects += 1;
  if (fields.length === 0) return '{}';
  let text = '';
  let after = 0;
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index] as FieldShape;
    const { encoding, slot, key } = field;
    const value = key.isInherited ? readOwn(object, key.name) : object[key.name];
    if (encoding === 'text' && typeof value === 'string' && (run.needsNoEscape || !mustBeEscaped(value))) {
      text += (run.fieldPrefixes[slot + after + BEFORE_TEXT] ?? makeFieldPrefix(run, field, after + BEFORE_TEXT)) + value;
      after = AFTER_TEXT;
    } else {
      const printed =
        printInline(field, value) ??
        (field.owners === undefined ? printOther(field, value, depth, run) : printOwned(field, object, depth, run));
      if (printed === undefined) return undefined;
      text += (run.fieldPrefixes[slot + after] ?? makeFieldPrefix(run, field, after)) + printed;
      after = 0;
    }
  }
  return text + (after === 0 ? '}' : '"}');
}

/** Prints valid values of the built-in scalars. The text of a constant is part of the field prefix. */
function printInline({ encoding }: FieldShape, value: unknown): string | undefined {
  switch (encoding) {
    case 'constant':
      return '';
    case 'int':
      return typeof value === 'number' && (value | 0) === value ? `${value}` : undefined;
    case 'float':
      return typeof value === 'number' && Number.isFinite(value) ? `${value}` : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? (value ? 'true' : 'false') : undefined;
    case 'text':
    case 'local':
    case 'owned':
    case 'other':
      break;
  }
  return undefined;
}

/** Prints a field that only the owners of the object are permitted to see. */
function printOwned(field: FieldShape, object: DataObject, depth: number, run: PrintRun): string | undefined {
  run.path[depth] = field.responseKey;
  const { owner, isNonNull } = field.value;
  if (!mayOwnerSee(field.owners ?? [], object, { owner, depth: depth + 1 }, run)) return printDenied(isNonNull, depth + 1, run);
  return printOther(field, readKey(object, field.key), depth, run);
}

function printOther(field: FieldShape, value: unknown, depth: number, run: PrintRun): string | undefined {
  run.path[depth] = field.responseKey;
  if (field.local === undefined) return printValue(field.value, value, depth + 1, run);
  const text = field.local(depth + 1, run);
  if (text !== undefined) run.objects += countJsonObjects(text);
  return text;
}
