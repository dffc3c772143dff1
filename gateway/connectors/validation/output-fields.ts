import type { FieldNode, PathNode, SelectionNode } from '../selection/selection-node.ts';

/** A field that a mapping writes. */
export interface WrittenField {
  readonly name: string;
  /** Position of the name in the mapping. */
  readonly offset: number;
  readonly value: Output;
  /** Whether the value comes from a variable such as `$context`, and not from the response. */
  readonly isFromVariable: boolean;
}

/** Result of a mapping, as far as it is known without data. */
export type Output =
  /** Objects with these fields, or lists of them. */
  | { readonly kind: 'object'; readonly fields: readonly WrittenField[]; readonly variants: readonly Variant[]; readonly offset: number }
  /** A value without selected fields: a scalar, or an object with unknown fields. */
  | { readonly kind: 'value'; readonly offset: number; readonly literal?: string | number | boolean | null };

/** Fields of one of several results, such as those of a case of `->match`. */
export interface Variant {
  /** Literal of `__typename`. Absent if the variant has none. */
  readonly typename?: string;
  readonly fields: readonly WrittenField[];
}

/** Determines the fields that a mapping writes. */
export function outputOf(node: SelectionNode): Output {
  if (node.kind === 'object') return outputOfFields(node.fields, node.offset);
  if (node.kind === 'path') return outputOfPath(node);
  if (node.kind === 'literal') return { kind: 'value', offset: node.offset, literal: node.value };
  const values = node.kind === 'list' ? node.items : node.operands;
  return unite(
    values.map((value) => outputOf(value)),
    node.offset,
  );
}

function outputOfFields(nodes: readonly FieldNode[], offset: number): Output {
  const fields: WrittenField[] = [];
  const variants: Variant[] = [];
  for (const { name, value, offset: start } of nodes) {
    const output = outputOf(value);
    if (name !== undefined) fields.push({ name, offset: start, value: output, isFromVariable: isVariable(value) });
    else if (output.kind === 'object') {
      fields.push(...output.fields);
      variants.push(...output.variants);
    }
  }
  return { kind: 'object', fields, variants, offset };
}

function outputOfPath(node: PathNode): Output {
  const { head, steps, selection, offset } = node;
  if (selection !== undefined) return outputOfFields(selection.fields, offset);
  const last = steps.findLast((step) => step.kind !== 'optional');
  if (last === undefined) return head.kind === 'expression' ? outputOf(head.value) : { kind: 'value', offset };
  if (last.kind === 'method') {
    const { name, args } = last;
    if (name === 'match' || name === 'matchIf') return asVariants(args.flatMap(caseOf), offset);
    if ((name === 'map' || name === 'echo') && args[0] !== undefined) return outputOf(args[0]);
    if (STEPPING.has(name)) return outputOfPath({ ...node, steps: steps.slice(0, steps.lastIndexOf(last)) });
  }
  return { kind: 'value', offset };
}

/** Methods whose result has the fields of their input. */
const STEPPING: ReadonlySet<string> = new Set(['first', 'last', 'slice', 'filter', 'find', 'as', 'get']);

/** Returns the output of a case of `->match`, which is a list of a value and a result. A null result selects nothing. */
function caseOf(node: SelectionNode): readonly Output[] {
  const result = node.kind === 'list' ? node.items[1] : undefined;
  if (result === undefined || (result.kind === 'literal' && result.value === null)) return [];
  return [outputOf(result)];
}

/** Unites the items of a list, or the operands of a fallback. */
function unite(outputs: readonly Output[], offset: number): Output {
  const [only, ...more] = outputs;
  return only?.kind === 'object' && more.length === 0 ? only : asVariants(outputs, offset);
}

function asVariants(outputs: readonly Output[], offset: number): Output {
  const objects = outputs.filter((output) => output.kind === 'object');
  if (objects.length === 0) return { kind: 'value', offset };
  const variants: Variant[] = [];
  for (const { fields, variants: nested } of objects) {
    const typename = typenameOf(fields);
    variants.push(typename === undefined ? { fields } : { typename, fields }, ...nested);
  }
  return { kind: 'object', fields: [], variants, offset };
}

function typenameOf(fields: readonly WrittenField[]): string | undefined {
  const value = fields.find(({ name }) => name === '__typename')?.value;
  return value?.kind === 'value' && typeof value.literal === 'string' ? value.literal : undefined;
}

function isVariable(node: SelectionNode): boolean {
  return node.kind === 'path' && node.head.kind === 'variable';
}
