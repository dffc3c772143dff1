import type { SelectionProblem } from './compiled-mapping.ts';
import { findArgumentMistake } from './mapping-methods.ts';
import type { FieldNode, MethodNode, PathHead, PathNode, SelectionNode } from './selection-node.ts';
import type { MappingShape } from './mapping-shape.ts';
import { describeShape, fieldShape, itemShape, NOTHING_SHAPE, unionShape, UNKNOWN_SHAPE } from './shapes.ts';
import { methodShape } from './method-shapes.ts';

type Problems = SelectionProblem[];

/** Shapes of `$`, `@`, and of variables by name with dollar sign. */
interface ShapeScope {
  readonly root: MappingShape;
  readonly current: MappingShape;
  readonly variables: ReadonlyMap<string, MappingShape>;
}

/**
 * Computes what is statically known of the result of a mapping.
 *
 * @param known shapes of variables by name with dollar sign, and of the data as `$`. Others are unknown.
 * @returns problems that occur whatever the data is: properties that an object cannot have, and methods with wrong arguments or inputs
 */
export function inferShape(
  node: SelectionNode,
  known: ReadonlyMap<string, MappingShape>,
): { readonly shape: MappingShape; readonly problems: readonly SelectionProblem[] } {
  const problems: Problems = [];
  const data = known.get('$') ?? UNKNOWN_SHAPE;
  const scope: ShapeScope = { root: data, current: data, variables: known };
  const shape =
    node.kind === 'object' && node.isSelection ? selectionShape(node.fields, data, scope, problems) : shapeOf(node, scope, problems);
  return { shape, problems };
}

function shapeOf(node: SelectionNode, scope: ShapeScope, problems: Problems): MappingShape {
  switch (node.kind) {
    case 'literal': {
      const { value } = node;
      return { kind: value === null ? 'null' : (typeof value as 'string' | 'number' | 'boolean') };
    }
    case 'list':
      return { kind: 'list', items: unionShape(node.items.map((item) => shapeOf(item, scope, problems))) };
    case 'object':
      return fieldsShape(node.fields, scope, problems);
    case 'fallback': {
      // Operands before the last one are allowed to be missing.
      const shapes = node.operands.map((operand, index) => shapeOf(operand, scope, index + 1 < node.operands.length ? [] : problems));
      return unionShape(shapes.filter((shape, index) => shape.kind !== 'nothing' || index + 1 === shapes.length));
    }
    case 'path':
      break;
  }
  return pathShape(node, scope, problems);
}

function fieldsShape(fields: readonly FieldNode[], scope: ShapeScope, problems: Problems): MappingShape {
  const [first] = fields;
  const isBare = first?.name === undefined && first?.value.kind === 'path' && first.value.selection === undefined && !first.isSpread;
  if (fields.length === 1 && first !== undefined && isBare) return shapeOf(first.value, scope, problems);
  const shapes = new Map<string, MappingShape>();
  let open = false;
  for (const { name, value } of fields) {
    const shape = shapeOf(value, scope, problems);
    if (name !== undefined) {
      shapes.set(name, shape);
    } else if (shape.kind === 'object') {
      for (const [key, inner] of shape.fields) shapes.set(key, inner);
      open ||= shape.open;
    } else {
      open = true;
    }
  }
  return { kind: 'object', fields: shapes, open };
}

function selectionShape(fields: readonly FieldNode[], data: MappingShape, scope: ShapeScope, problems: Problems): MappingShape {
  if (data.kind === 'list') return { kind: 'list', items: selectionShape(fields, data.items, scope, problems) };
  if (data.kind === 'null' || data.kind === 'nothing') return data;
  if (data.kind === 'union') return unionShape(data.members.map((member) => selectionShape(fields, member, scope, problems)));
  const shape = fieldsShape(fields, { ...scope, root: data, current: data }, problems);
  // A value of an unknown shape can be an object, a list, or null.
  return data.kind === 'unknown' ? data : shape;
}

function pathShape({ head, steps, selection }: PathNode, scope: ShapeScope, problems: Problems): MappingShape {
  let { variables } = scope;
  let shape = headShape(head, scope, problems);
  const path: string[] = head.kind === 'variable' || head.kind === 'key' ? [head.name] : [];
  for (const [index, step] of steps.entries()) {
    if (shape.kind === 'nothing') return shape;
    if (step.kind === 'optional') continue;
    path.push(step.kind === 'method' ? `->${step.name}` : step.name);
    if (step.kind === 'key') {
      const input = shape;
      shape = fieldShape(shape, step.name);
      if (shape.kind === 'nothing' && steps[index + 1]?.kind !== 'optional') {
        problems.push({
          message: `${describeShape(input)} has no property ${JSON.stringify(step.name)}`,
          path: [...path],
          offset: step.offset,
        });
      }
      continue;
    }
    const call = callShape({ call: step, path }, shape, { ...scope, variables }, problems);
    shape = call.shape;
    variables = call.variables;
  }
  return selection === undefined ? shape : selectionShape(selection.fields, shape, { ...scope, variables }, problems);
}

function headShape(head: PathHead, { root, current, variables }: ShapeScope, problems: Problems): MappingShape {
  switch (head.kind) {
    case 'root':
      return root;
    case 'current':
      return current;
    case 'variable':
      return variables.get(head.name) ?? UNKNOWN_SHAPE;
    case 'expression':
      return shapeOf(head.value, { root, current, variables }, problems);
    case 'key':
      break;
  }
  const shape = fieldShape(root, head.name);
  if (shape.kind === 'nothing') {
    const message = `${describeShape(root)} has no property ${JSON.stringify(head.name)}`;
    problems.push({ message, path: [head.name], offset: head.offset });
  }
  return shape;
}

function callShape(
  { call, path }: { readonly call: MethodNode; readonly path: readonly string[] },
  input: MappingShape,
  scope: ShapeScope,
  problems: Problems,
): { readonly shape: MappingShape; readonly variables: ShapeScope['variables'] } {
  const { variables } = scope;
  const mistake = findArgumentMistake(call);
  if (mistake !== undefined) {
    problems.push({ message: mistake, path: [...path], offset: call.offset });
    return { shape: call.name === 'as' ? input : NOTHING_SHAPE, variables };
  }
  const evaluate = (node: SelectionNode, current: MappingShape): MappingShape => shapeOf(node, { ...scope, current }, problems);
  const [first, second] = call.args;
  if (call.name === 'as') {
    const name = first?.kind === 'path' && first.head.kind === 'variable' ? first.head.name : '';
    const value = second === undefined ? input : evaluate(second, input);
    return { shape: input, variables: new Map([...variables, [name, value]]) };
  }
  const isPerItem = call.name === 'map' || call.name === 'filter' || call.name === 'find';
  const current = isPerItem ? itemShape(input) : input;
  const isPairs = call.name === 'match' || call.name === 'matchIf';
  const args = isPairs
    ? // Candidates and conditions are checked as well; only the results of the pairs are arguments.
      call.args.flatMap((pair) => (pair.kind === 'list' ? pair.items.map((item) => evaluate(item, input)).slice(-1) : []))
    : call.args.map((argument) => evaluate(argument, current));
  const { shape, problem } = methodShape(call.name, input, args);
  if (problem !== undefined) problems.push({ message: problem, path: [...path], offset: call.offset });
  return { shape, variables };
}
