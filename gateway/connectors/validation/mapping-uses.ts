import type { MethodNode, PathNode, SelectionStep, SelectionNode } from '../selection/selection-node.ts';

/** Properties that a mapping reads, as a tree. */
export type ReadTree = Map<string, ReadProperty>;

/** A property that a mapping reads. */
export interface ReadProperty {
  /** Position of the name in the mapping. */
  readonly offset: number;
  /** Properties below it. Empty if the whole value is read. */
  readonly below: ReadTree;
}

/** A use of a variable. */
export interface MappingUse {
  /** Name with the dollar sign. */
  readonly variable: string;
  readonly offset: number;
  /** Properties of the variable that are read. Empty if the whole value is read. */
  readonly reads: ReadTree;
}

/** Variables and input that a mapping reads. */
export interface MappingUses {
  readonly variables: readonly MappingUse[];
  /** Positions at which the mapping reads its input: a key, `$` or `@`, outside of selections of other values. */
  readonly inputs: readonly { readonly offset: number; readonly text: string }[];
}

interface Collector {
  readonly variables: MappingUse[];
  readonly inputs: { offset: number; text: string }[];
}

/** Variables that `->as` declared, and what `$` is. */
interface Scope {
  readonly locals: ReadonlySet<string>;
  /** Properties that `$` has, if it is a property of a variable. */
  readonly data: ReadTree | 'input' | 'other';
  /** Whether the node is in an argument of a method, so that `@` has a value. */
  readonly isInMethod: boolean;
}

/** Lists the variables and the input that a mapping reads. */
export function mappingUsesOf(node: SelectionNode): MappingUses {
  const collector: Collector = { variables: [], inputs: [] };
  walk(node, { locals: new Set(), data: 'input', isInMethod: false }, collector);
  return collector;
}

function walk(node: SelectionNode, scope: Scope, collector: Collector): void {
  if (node.kind === 'literal') return;
  if (node.kind === 'list') for (const item of node.items) walk(item, scope, collector);
  else if (node.kind === 'fallback') for (const operand of node.operands) walk(operand, scope, collector);
  else if (node.kind === 'object') for (const field of node.fields) walk(field.value, scope, collector);
  else walkPath(node, scope, collector);
}

function walkPath({ head, steps, selection }: PathNode, scope: Scope, collector: Collector): void {
  let reads = readHead(head, scope, collector);
  const locals = new Set(scope.locals);
  for (const step of steps) {
    if (step.kind === 'key') reads = readKey(reads, step.name, step.offset);
    else if (step.kind === 'method') {
      walkArguments(step, { locals, data: scope.data, isInMethod: true }, collector);
      const [declared] = step.args;
      if (step.name === 'as' && declared?.kind === 'path' && declared.head.kind === 'variable') locals.add(declared.head.name);
      else if (!KEEPING.has(step.name)) reads = 'other';
    }
  }
  if (selection === undefined) return;
  const data = reads === 'input' ? 'other' : reads;
  for (const field of selection.fields) walk(field.value, { locals, data, isInMethod: scope.isInMethod }, collector);
}

/** Methods that return their input, or an item of it. */
const KEEPING: ReadonlySet<string> = new Set(['first', 'last', 'slice', 'filter', 'find', 'as']);

function walkArguments({ name, args }: MethodNode, scope: Scope, collector: Collector): void {
  for (const [index, argument] of args.entries()) {
    if (name === 'as' && index === 0) continue;
    walk(argument, scope, collector);
  }
}

function readHead(head: PathNode['head'], scope: Scope, collector: Collector): Scope['data'] {
  if (head.kind === 'expression') {
    walk(head.value, scope, collector);
    return expressionReads(head.value, collector) ?? 'other';
  }
  if (head.kind === 'variable') {
    if (scope.locals.has(head.name)) return 'other';
    const reads: ReadTree = new Map();
    collector.variables.push({ variable: head.name, offset: head.offset, reads });
    return reads;
  }
  if (head.kind === 'current') {
    if (!scope.isInMethod) collector.inputs.push({ offset: head.offset, text: '@' });
    return 'other';
  }
  if (scope.data === 'input') collector.inputs.push({ offset: head.offset, text: head.kind === 'key' ? head.name : '$' });
  return head.kind === 'key' ? readKey(scope.data, head.name, head.offset) : scope.data;
}

/** `$($batch.a)` reads what `$batch.a` reads, so keys after it are properties of the variable. */
function expressionReads(node: SelectionNode, { variables }: Collector): ReadTree | undefined {
  if (node.kind !== 'path' || node.head.kind !== 'variable' || node.selection !== undefined) return undefined;
  if (!node.steps.every(isPlain)) return undefined;
  let reads = variables.at(-1)?.reads;
  for (const step of node.steps) if (step.kind === 'key') reads = reads?.get(step.name)?.below;
  return reads;
}

function isPlain(step: SelectionStep): boolean {
  return step.kind !== 'method';
}

function readKey(reads: Scope['data'], name: string, offset: number): Scope['data'] {
  if (typeof reads === 'string') return reads === 'input' ? 'other' : reads;
  const known = reads.get(name);
  if (known !== undefined) return known.below;
  const below: ReadTree = new Map();
  reads.set(name, { offset, below });
  return below;
}

/** Adds the properties of a tree to another one. */
export function mergeReads(to: ReadTree, from: ReadTree): void {
  for (const [name, { offset, below }] of from) {
    const known = to.get(name) ?? { offset, below: new Map() };
    to.set(name, known);
    mergeReads(known.below, below);
  }
}

/** Writes a tree as a selection set: `id store { id }`. Fields are sorted. */
export function printReads(reads: ReadTree): string {
  return [...reads]
    .map(([name, { below }]) => (below.size === 0 ? name : `${name} { ${printReads(below)} }`))
    .toSorted()
    .join(' ');
}
