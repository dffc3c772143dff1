import { FieldFailure } from './field-failure.ts';
import { type DataKey, isDataObject, readKey } from './own-properties.ts';
import { type InlineLeaf, reportUnusable } from './print-leaf.ts';
import { type PrintRun, type ValuePrinter, currentPath } from './print-run.ts';
import { printText } from './print-text.ts';

/** One field of an object as the client wants it. */
export interface FieldShape {
  /** Where the merged data have the value. */
  readonly key: DataKey;
  /** Where the client has it. */
  readonly responseKey: string;
  /** JSON text up to the value: brace or comma, key, colon. */
  readonly opening: string;
  readonly inline: InlineLeaf;
  readonly print: ValuePrinter;
}

/** All fields of one object, for one type of the value and one set of conditions. */
export interface ObjectShape {
  /** Not empty; an object without fields is a printer of its own. */
  readonly fields: readonly FieldShape[];
}

/** Prints an object's fields. The hot loop: what is well-formed and common is printed here, the rest by the field's printer. */
export function printFields(shape: ObjectShape, data: Readonly<Record<string, unknown>>, depth: number, run: PrintRun): string | undefined {
  const { fields } = shape;
  let text = '';
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index] as FieldShape;
    const value = readKey(data, field.key);
    if (typeof value === 'string' && field.inline === 'text') {
      text += field.opening + printText(value);
    } else if (
      typeof value === 'number' &&
      ((field.inline === 'int' && (value | 0) === value) || (field.inline === 'float' && Number.isFinite(value)))
    ) {
      text += field.opening + value;
    } else if (typeof value === 'boolean' && field.inline === 'boolean') {
      text += field.opening + (value ? 'true' : 'false');
    } else {
      run.path[depth] = field.responseKey;
      const printed = field.print(value, depth + 1, run);
      if (printed === undefined) return undefined;
      text += field.opening + printed;
    }
  }
  return `${text}}`;
}

/** A printer for a place that may be null: whatever went wrong inside ends here. */
export function nullable(print: ValuePrinter): ValuePrinter {
  return (value, depth, run) => (value === null || value === undefined ? 'null' : (print(value, depth, run) ?? 'null'));
}

/**
 * A printer for a place that must not be null (GraphQL specification, 6.4.4). A null that no error at this path or below
 * explains gets an error of its own.
 */
export function nonNull(print: ValuePrinter, owner: string): ValuePrinter {
  return (value, depth, run) => (value === null || value === undefined ? reportNull(owner, depth, run) : print(value, depth, run));
}

/** Reports the null of a field that must not be null, unless an error at its path or below explains it. */
export function reportNull(owner: string, depth: number, run: PrintRun): undefined {
  const path = currentPath(run, depth);
  if (!run.isExplained(path, depth)) {
    run.report({ message: `Cannot return null for non-nullable field ${owner}.`, code: 'SUBGRAPH_INVALID_RESPONSE', path });
  }
  return undefined;
}

/** A printer of lists. All items are printed even when one must not be null and is: each gets its error. */
export function list(printItem: ValuePrinter, owner: string): ValuePrinter {
  return (value, depth, run) => {
    if (!Array.isArray(value)) return reportUnusable(value, owner, depth, run);
    let text = '[';
    let isNull = false;
    for (let index = 0; index < value.length; index += 1) {
      run.path[depth] = index;
      const printed = printItem(value[index], depth + 1, run);
      if (printed === undefined) isNull = true;
      else if (!isNull) text += index === 0 ? printed : `,${printed}`;
    }
    return isNull ? undefined : `${text}]`;
  };
}

/** A printer of objects whose type is known from the schema alone. */
export function objectOf(compileShape: () => ValuePrinter, owner: string): ValuePrinter {
  let print: ValuePrinter | undefined;
  return (value, depth, run) => {
    if (!isDataObject(value) || value instanceof FieldFailure) return reportUnusable(value, owner, depth, run);
    // Compiled when the first value comes: operations can name more than any answer has.
    print ??= compileShape();
    return print(value, depth, run);
  };
}

/**
 * A printer of objects of an interface or union, told apart by `__typename`.
 *
 * @param compileShape the printer for one `__typename`, or for none; `undefined` when there is no such value here
 */
export function abstractOf(compileShape: (typename: string | undefined) => ValuePrinter | undefined, owner: string): ValuePrinter {
  const printers = new Map<string | undefined, ValuePrinter>();
  return (value, depth, run) => {
    if (!isDataObject(value) || value instanceof FieldFailure) return reportUnusable(value, owner, depth, run);
    const typename = value['__typename'] ?? undefined;
    if (typeof typename !== 'string' && typename !== undefined) return reportUnusable(value, owner, depth, run);
    let print = printers.get(typename);
    if (print === undefined) {
      print = compileShape(typename);
      if (print === undefined) return reportUnusable(value, owner, depth, run);
      printers.set(typename, print);
    }
    return print(value, depth, run);
  };
}
