import type { Evaluate, MappingRun } from './mapping-run.ts';
import type { PathHead, PathNode, SelectionNode } from './selection-node.ts';

/**
 * Compiles the start of a path that joins a list of the mapping, such as `$([day, "-", month])->joinNotNull("")`, without creating the list.
 * Mappings of dates consist of such paths. Problems are not recorded.
 *
 * @returns undefined for every other path
 */
export function compileJoinedList({ head, steps }: PathNode, compileItem: (item: SelectionNode) => Evaluate): Evaluate | undefined {
  const [step] = steps;
  if (head.kind !== 'expression' || head.value.kind !== 'list' || step?.kind !== 'method' || step.name !== 'joinNotNull') return undefined;
  const [separator, ...others] = step.args;
  if (separator?.kind !== 'literal' || typeof separator.value !== 'string' || others.length > 0) return undefined;
  const { items } = head.value;
  const join = compileItems(items, separator.value, compileItem);
  return compileSlices(items, separator.value, { compileItem, join }) ?? join;
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

/** Section of a text. */
interface Slice {
  readonly start: number;
  readonly end: number | undefined;
}

/** A literal, with the separators around it, or a section of the text that is read. */
type Piece = string | Slice;

/**
 * Compiles a list of literals and of slices of one text, such as `[ts->slice(6, 10), "-", ts->slice(3, 5)]`, so that the text is read once.
 *
 * @param join used for values that are not texts
 * @returns undefined for every other list
 */
function compileSlices(
  items: readonly SelectionNode[],
  glue: string,
  { compileItem, join }: { readonly compileItem: (item: SelectionNode) => Evaluate; readonly join: Evaluate },
): Evaluate | undefined {
  const parts: Piece[] = [];
  let sliced: PathNode | undefined;
  for (const [index, item] of items.entries()) {
    if (index > 0) addText(parts, glue);
    if (item.kind === 'literal' && typeof item.value === 'string') {
      addText(parts, item.value);
      continue;
    }
    const slice = sliceOf(item);
    if (slice === undefined || item.kind !== 'path' || (sliced !== undefined && !isSameHead(sliced.head, item.head))) return undefined;
    sliced = item;
    parts.push(slice);
  }
  if (sliced === undefined) return undefined;
  const read = compileItem({ ...sliced, steps: [] });
  return (root: unknown, current: unknown, run: MappingRun) => {
    const value = read(root, current, run);
    if (typeof value !== 'string') return join(root, current, run);
    let text = '';
    for (const part of parts) text += typeof part === 'string' ? part : value.slice(part.start, part.end);
    return text;
  };
}

function addText(parts: Piece[], text: string): void {
  const last = parts.at(-1);
  if (typeof last === 'string') parts[parts.length - 1] = last + text;
  else if (text !== '') parts.push(text);
}

/** Returns the slice if a node is a path with `->slice` of whole numbers as its only step. */
function sliceOf(node: SelectionNode): Slice | undefined {
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
