import type { SelectedField } from './selected-field.ts';
import type { FieldNode, MethodNode, PathNode, SelectionStep, SelectionNode } from './selection-node.ts';

/** Fields of a value, `undefined` if they are unknown, and whether it is a scalar. */
interface Output {
  readonly fields: readonly SelectedField[] | undefined;
  readonly isLeaf: boolean | undefined;
  /** Literal of its `__typename`, if it has one. */
  readonly typename?: string;
}

const UNKNOWN: Output = { fields: undefined, isLeaf: undefined };
const LEAF: Output = { fields: undefined, isLeaf: true };

/** Methods that return their input, an item of it, or a part of it with the same fields. */
const PASSING: ReadonlySet<string> = new Set(['first', 'last', 'slice', 'filter', 'find', 'as']);

/** Methods that return scalars. */
const SCALAR: ReadonlySet<string> = new Set(
  'size typeof has eq ne lt lte gt gte and or not in contains add sub mul div mod parseInt toString jsonStringify joinNotNull trim trimStart trimEnd split keys'.split(
    ' ',
  ),
);

/**
 * Lists the output fields of a mapping, with the fields below them. Fields of the same name are listed once, with the children of all, except
 * that the cases of `->match` have separate fields if they differ in `__typename`. A field without children is a scalar, or a value that is
 * taken from the data as a whole.
 */
export function selectedFieldsOf(node: SelectionNode): readonly SelectedField[] {
  return outputOf(node).fields ?? [];
}

function outputOf(node: SelectionNode): Output {
  switch (node.kind) {
    case 'literal':
      return LEAF;
    case 'list':
      return unionOf(node.items.map(outputOf));
    case 'fallback':
      return unionOf(node.operands.map(outputOf));
    case 'object':
      return outputOfFields(node.fields);
    case 'path':
      break;
  }
  return outputOfPath(node);
}

function outputOfFields(fields: readonly FieldNode[]): Output {
  const [first] = fields;
  if (fields.length === 1 && first?.name === undefined && first?.isSpread === false) return outputOf(first.value);
  const merged = fields.flatMap(({ name, offset, value }) => {
    const { fields: children, isLeaf } = outputOf(value);
    if (name === undefined) return children ?? [];
    return [children === undefined ? { name, offset, isLeaf } : { name, offset, isLeaf: false, children }];
  });
  const typename = fields.find(({ name }) => name === TYPENAME)?.value;
  const literal = typename?.kind === 'literal' ? typename.value : undefined;
  return { fields: mergeFields(merged), isLeaf: false, ...(typeof literal === 'string' ? { typename: literal } : {}) };
}

const TYPENAME = '__typename';

function outputOfPath({ head, steps, selection }: PathNode): Output {
  if (selection !== undefined) return outputOfFields(selection.fields);
  let output = head.kind === 'expression' ? outputOf(head.value) : UNKNOWN;
  for (const step of steps) output = outputAfter(step, output);
  return output;
}

function outputAfter(step: SelectionStep, input: Output): Output {
  if (step.kind === 'optional') return input;
  if (step.kind === 'method') return outputOfMethod(step, input);
  const field = input.fields?.find(({ name }) => name === step.name);
  return field === undefined ? UNKNOWN : { fields: field.children, isLeaf: field.isLeaf };
}

function outputOfMethod({ name, offset, args }: MethodNode, input: Output): Output {
  if (PASSING.has(name)) return input;
  if (SCALAR.has(name)) return LEAF;
  const [first] = args;
  if (name === 'echo' || name === 'map') return first === undefined ? UNKNOWN : outputOf(first);
  if (name === 'match' || name === 'matchIf') {
    return unionOf(
      args.flatMap((pair) => {
        const result = pair.kind === 'list' ? pair.items.at(-1) : undefined;
        return result === undefined ? [] : [outputOf(result)];
      }),
    );
  }
  if (name !== 'entries') return UNKNOWN;
  return {
    fields: [
      { name: 'key', offset, isLeaf: true },
      { name: 'value', offset, isLeaf: undefined },
    ],
    isLeaf: false,
  };
}

/** Joins the outputs of alternatives. Alternatives that are scalars, such as null, do not hide the fields of the others. */
function unionOf(outputs: readonly Output[]): Output {
  const known = outputs.flatMap(({ fields, typename }) => (fields ?? []).map((field) => ofType(field, typename)));
  if (outputs.some(({ fields }) => fields !== undefined)) return { fields: mergeFields(known), isLeaf: false };
  return outputs.length > 0 && outputs.every(({ isLeaf }) => isLeaf === true) ? LEAF : UNKNOWN;
}

/** Limits a field of an alternative to the type of the alternative. */
function ofType(field: SelectedField, typename: string | undefined): SelectedField {
  return typename === undefined || field.typename !== undefined || field.name === TYPENAME ? field : { ...field, typename };
}

function mergeFields(fields: readonly SelectedField[]): readonly SelectedField[] {
  const merged = new Map<string, SelectedField>();
  for (const field of fields) {
    const key = `${field.name} ${field.typename ?? ''}`;
    const earlier = merged.get(key);
    merged.set(key, earlier === undefined ? field : mergeField(earlier, field));
  }
  return [...merged.values()];
}

function mergeField(left: SelectedField, right: SelectedField): SelectedField {
  if (left.children === undefined) return right.children === undefined ? left : { ...right, offset: left.offset };
  return right.children === undefined ? left : { ...left, children: mergeFields([...left.children, ...right.children]) };
}
