import { type DataObject, isDataObject, readKey } from '../../data/own-properties.ts';
import { inOnePiece } from '../../data/print-json.ts';
import type { ValueShape } from '../shape/response-shape.ts';
import { hasPlaceholder } from './long-lists.ts';
import { objectShapeOf, printValue } from './print-value.ts';
import { type PrintRun, findPrinted } from './print-run.ts';

/** Lists with fewer items are not printed ahead, but the long lists inside their items are. */
const LONG_LIST = 64;

/** Length of the text that one step prints: about a millisecond of work. @unit characters */
const TEXT_OF_STEP = 65_536;

/**
 * Prints the long lists of a large response ahead, in steps between which other requests are served. The texts are stored in `run.lists`,
 * where the printer finds them. The printer reports the errors of these lists before those of the other fields.
 */
export function* printLongLists(shape: ValueShape, value: unknown, depth: number, run: PrintRun): Generator<undefined, void, undefined> {
  if (shape.kind === 'list' && Array.isArray(value)) {
    if (value.length >= LONG_LIST) yield* printLongList(shape, value, depth, run);
    else if (shape.item !== undefined) yield* printInside(shape.item, value, depth, run);
  } else if (shape.kind === 'object' && isDataObject(value)) {
    yield* printInsideObject(shape, value, depth, run);
  }
}

function* printInside(item: ValueShape, items: readonly unknown[], depth: number, run: PrintRun): Generator<undefined, void, undefined> {
  for (const [index, value] of items.entries()) {
    run.path[depth] = index;
    yield* printLongLists(item, value, depth + 1, run);
  }
}

function* printInsideObject(shape: ValueShape, value: DataObject, depth: number, run: PrintRun): Generator<undefined, void, undefined> {
  const object = objectShapeOf(shape, value);
  // The printer decides whether the caller is permitted to see the object.
  if (object === undefined || object.owners !== undefined) return;
  for (const field of object.fields) {
    if (field.encoding !== 'other' || field.value.kind === 'leaf') continue;
    run.path[depth] = field.responseKey;
    yield* printLongLists(field.value, readKey(value, field.key), depth + 1, run);
  }
}

function* printLongList(shape: ValueShape, items: readonly unknown[], depth: number, run: PrintRun): Generator<undefined, void, undefined> {
  const { item } = shape;
  if (item === undefined || findPrinted(shape, items, depth, run) !== undefined) return;
  const pieces: string[] = [];
  let ofStep = '';
  let isNull = false;
  const { errorCount, objects } = run;
  let isLongItem = false;
  for (const [index, value] of items.entries()) {
    // Items are similar: when one was long, the lists inside the next one are printed ahead.
    run.path[depth] = index;
    if (isLongItem) yield* printLongLists(item, value, depth + 1, run);
    run.path[depth] = index;
    const printed = printValue(item, value, depth + 1, run);
    isLongItem = printed !== undefined && (printed.length > TEXT_OF_STEP || (isLongItem && hasPlaceholder(printed)));
    if (printed === undefined) isNull = true;
    else ofStep += index === 0 ? printed : `,${printed}`;
    if (ofStep.length >= TEXT_OF_STEP) {
      pieces.push(inOnePiece(ofStep));
      ofStep = '';
      yield;
    }
  }
  const printed = {
    text: isNull ? undefined : textOf(pieces, ofStep, run),
    path: run.errorCount === errorCount ? undefined : run.path.slice(0, depth),
    objects: run.objects - objects,
  };
  run.objects = objects; // They are counted when the printer finds the list.
  const known = run.lists?.get(shape);
  if (known === undefined) run.lists?.set(shape, new Map([[items, printed]]));
  else known.set(items, printed);
}

/** Returns the text of a list, or its placeholder if it is long. */
function textOf(pieces: readonly string[], last: string, run: PrintRun): string {
  if (pieces.length === 0 || run.longLists === undefined) return `[${pieces.join('')}${last}]`;
  return run.longLists.add(['[', ...pieces, `${last}]`]);
}
