import type { TextPiece } from './generate-object.ts';
import type { Evaluate } from './mapping-run.ts';
import type { PathHead, PathNode, SelectionNode } from './selection-node.ts';

/**
 * Compiles the start of a path that joins a list of the mapping, such as `$([day, "-", month])->joinNotNull("")`, without creating the list.
 * Mappings of dates consist of such paths. Problems are not recorded.
 *
 * @returns undefined for every other path
 */
export function compileJoinedList(node: PathNode, compileItem: (item: SelectionNode) => Evaluate): Evaluate | undefined {
  const list = joinedListOf(node);
  if (list === undefined) return undefined;
  const join = compileItems(list.items, list.glue, compileItem);
  const text = slicedTextOf(list);
  return text === undefined ? join : compileSlices(text, compileItem, join);
}

/** A list whose items are joined to a text. */
interface JoinedList {
  readonly items: readonly SelectionNode[];
  readonly glue: string;
}

function joinedListOf({ head, steps }: PathNode): JoinedList | undefined {
  const [step] = steps;
  if (head.kind !== 'expression' || head.value.kind !== 'list' || step?.kind !== 'method' || step.name !== 'joinNotNull') return undefined;
  const [separator, ...others] = step.args;
  if (separator?.kind !== 'literal' || typeof separator.value !== 'string' || others.length > 0) return undefined;
  return { items: head.value.items, glue: separator.value };
}

/** Returns the property of `$` that a path consists of, and its pieces, if the path joins literals and slices of this property only. */
export function slicedPropertyOf(node: PathNode): { readonly key: string; readonly pieces: readonly TextPiece[] } | undefined {
  const list = node.steps.length === 1 && node.selection === undefined ? joinedListOf(node) : undefined;
  const text = list === undefined ? undefined : slicedTextOf(list);
  return text?.sliced.head.kind === 'key' ? { key: text.sliced.head.name, pieces: text.pieces } : undefined;
}

function compileItems(items: readonly SelectionNode[], glue: string, compileItem: (item: SelectionNode) => Evaluate): Evaluate {
  const parts = items.map((item) => (item.kind === 'literal' && typeof item.value === 'string' ? item.value : compileItem(item)));
  return (root, current, run) => {
    let text: string | undefined;
    for (const part of parts) {
      const value = typeof part === 'string' ? part : (part(root, current, run) ?? null);
      if (value === null) continue;
      if (typeof value === 'object') return undefined;
      const piece = typeof value === 'string' ? value : JSON.stringify(value);
      text = text === undefined ? piece : glue === '' ? text + piece : text + glue + piece;
    }
    return text ?? '';
  };
}

/** A text that consists of literals and of slices of one value, such as `[ts->slice(6, 10), "-", ts->slice(3, 5)]`. */
interface SlicedText {
  /** Path of one slice. All have the same start. */
  readonly sliced: PathNode;
  readonly pieces: readonly TextPiece[];
}

function slicedTextOf({ items, glue }: JoinedList): SlicedText | undefined {
  const pieces: TextPiece[] = [];
  let sliced: PathNode | undefined;
  for (const [index, item] of items.entries()) {
    if (index > 0) addText(pieces, glue);
    if (item.kind === 'literal' && typeof item.value === 'string') {
      addText(pieces, item.value);
      continue;
    }
    const slice = sliceOf(item);
    if (slice === undefined || item.kind !== 'path' || (sliced !== undefined && !isSameHead(sliced.head, item.head))) return undefined;
    sliced = item;
    pieces.push(slice);
  }
  return sliced === undefined ? undefined : { sliced, pieces };
}

/** Compiles a text of slices so that their value is read once. @param join used for values that are not texts */
function compileSlices({ sliced, pieces }: SlicedText, compileItem: (item: SelectionNode) => Evaluate, join: Evaluate): Evaluate {
  const read = compileItem({ ...sliced, steps: [] });
  return (root, current, run) => {
    const value = read(root, current, run);
    if (typeof value !== 'string') return join(root, current, run);
    let text = '';
    for (const piece of pieces) text += typeof piece === 'string' ? piece : value.slice(piece.start, piece.end);
    return text;
  };
}

function addText(pieces: TextPiece[], text: string): void {
  const last = pieces.at(-1);
  if (typeof last === 'string') pieces[pieces.length - 1] = last + text;
  else if (text !== '') pieces.push(text);
}

/** Returns the slice if a node is a path with `->slice` of whole numbers as its only step. */
function sliceOf(node: SelectionNode): Exclude<TextPiece, string> | undefined {
  if (node.kind !== 'path' || node.selection !== undefined || node.steps.length !== 1) return undefined;
  const [step] = node.steps;
  if (step?.kind !== 'method' || step.name !== 'slice' || step.args.length > 2) return undefined;
  const [start, end] = step.args.map((argument) => (argument.kind === 'literal' ? argument.value : undefined));
  if (typeof start !== 'number' || (step.args.length === 2 && typeof end !== 'number')) return undefined;
  return { start, end: typeof end === 'number' ? end : undefined };
}

function isSameHead(one: PathHead, other: PathHead): boolean {
  if (one.kind === 'root' || one.kind === 'current') return one.kind === other.kind;
  return one.kind === 'key' && other.kind === 'key' && one.name === other.name;
}
