import type { SelectedField } from './selected-field.ts';
import type { FieldNode, MethodNode, PathHead, PathNode, SelectionNode } from './selection-node.ts';
import type { VariableUse } from './variable-use.ts';

/** Properties that are read of a value. */
interface ReadNode {
  readonly name: string;
  readonly offset: number;
  readonly children: Map<string, ReadNode>;
}

/** Values of `$`, `@` and declared variables: a value that is read of a variable, or `undefined` for other values. */
interface Bindings {
  readonly root: ReadNode | undefined;
  readonly current: ReadNode | undefined;
  readonly locals: ReadonlyMap<string, ReadNode | undefined>;
}

/** A use, and what is read of it. */
interface RecordedUse {
  readonly variable: string;
  readonly offset: number;
  readonly path: readonly ReadNode[];
  readonly end: ReadNode;
}

/** Methods that return their input, an item of it, or a part of it. */
const PASSING: ReadonlySet<string> = new Set(['first', 'last', 'slice', 'filter', 'find', 'as', 'get']);

/** Lists the locations of a mapping that read a variable, without those that `->as` declares. */
export function variableUsesOf(node: SelectionNode): readonly VariableUse[] {
  const uses: RecordedUse[] = [];
  walk(node, { root: undefined, current: undefined, locals: new Map() }, uses);
  return uses.map(({ variable, offset, path, end }) => {
    const subtree = fieldsOf(end);
    const steps = path.map(({ name, offset: position }) => ({ name, offset: position }));
    return subtree.length === 0 ? { variable, path: steps, offset } : { variable, path: steps, subtree, offset };
  });
}

function fieldsOf({ children }: ReadNode): readonly SelectedField[] {
  return [...children.values()].map((child) => {
    const { name, offset } = child;
    return child.children.size === 0 ? { name, offset, isLeaf: undefined } : { name, offset, isLeaf: false, children: fieldsOf(child) };
  });
}

function walk(node: SelectionNode, bindings: Bindings, uses: RecordedUse[]): void {
  switch (node.kind) {
    case 'literal':
      return;
    case 'list':
      for (const item of node.items) walk(item, bindings, uses);
      return;
    case 'fallback':
      for (const operand of node.operands) walk(operand, bindings, uses);
      return;
    case 'object':
      walkFields(node.fields, bindings, uses);
      return;
    case 'path':
      walkPath(node, bindings, uses);
  }
}

function walkFields(fields: readonly FieldNode[], bindings: Bindings, uses: RecordedUse[]): void {
  for (const { value } of fields) walk(value, bindings, uses);
}

function walkPath({ head, steps, selection }: PathNode, outer: Bindings, uses: RecordedUse[]): void {
  if (head.kind === 'expression') walk(head.value, outer, uses);
  let locals = outer.locals;
  let value = valueOf(head, outer);
  const isUse = head.kind === 'variable' && !locals.has(head.name);
  const path: ReadNode[] = [];
  let isLeading = isUse;
  for (const step of steps) {
    if (step.kind === 'optional') continue;
    if (step.kind === 'key') {
      value = value === undefined ? undefined : readOf(value, step);
      if (isLeading && value !== undefined) path.push(value);
      continue;
    }
    if (isLeading) recordUse(head, path, value, uses);
    isLeading = false;
    locals = walkMethod(step, value, { ...outer, locals }, uses);
    if (!PASSING.has(step.name)) value = undefined;
  }
  if (isLeading) recordUse(head, path, value, uses);
  if (selection !== undefined) walkFields(selection.fields, { root: value, current: value, locals }, uses);
}

function valueOf(head: PathHead, { root, current, locals }: Bindings): ReadNode | undefined {
  switch (head.kind) {
    case 'key':
      return root === undefined ? undefined : readOf(root, head);
    case 'root':
      return root;
    case 'current':
      return current;
    case 'variable':
      return locals.has(head.name) ? locals.get(head.name) : { name: head.name, offset: head.offset, children: new Map() };
    case 'expression':
      break;
  }
  return undefined;
}

function readOf({ children }: ReadNode, { name, offset }: { readonly name: string; readonly offset: number }): ReadNode {
  const known = children.get(name);
  if (known !== undefined) return known;
  const child: ReadNode = { name, offset, children: new Map() };
  children.set(name, child);
  return child;
}

function recordUse(head: PathHead, path: readonly ReadNode[], end: ReadNode | undefined, uses: RecordedUse[]): void {
  if (head.kind === 'variable' && end !== undefined) uses.push({ variable: head.name, offset: head.offset, path: [...path], end });
}

/** Walks the arguments of a call, and returns the variables that are visible after it. */
function walkMethod({ name, args }: MethodNode, input: ReadNode | undefined, bindings: Bindings, uses: RecordedUse[]): Bindings['locals'] {
  const inner = { ...bindings, current: input };
  if (name !== 'as') {
    for (const argument of args) walk(argument, inner, uses);
    return bindings.locals;
  }
  const [variable, value] = args;
  if (value !== undefined) walk(value, inner, uses);
  if (variable?.kind !== 'path' || variable.head.kind !== 'variable') return bindings.locals;
  return new Map([...bindings.locals, [variable.head.name, value === undefined ? input : undefined]]);
}
