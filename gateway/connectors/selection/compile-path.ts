import { compileJoinedList, slicedPropertyOf } from './compile-joined-list.ts';
import type { PropertyValue } from './generate-object.ts';
import type { WantedFields } from './compiled-mapping.ts';
import { jsonTypeOf, ownProperty, isJsonObject } from './json-values.ts';
import type { CompiledStep, LocalVariables, MappingCompilation, MethodScope } from './mapping-compilation.ts';
import { MAX_DATA_DEPTH } from './mapping-limits.ts';
import { type Evaluate, type MappingRun, placeBelow, reportProblem, type StaticPlace } from './mapping-run.ts';
import { declaredVariable, findArgumentMistake } from './mapping-methods.ts';
import { mapSelection } from './map-selection.ts';
import { compileMethod } from './methods/compile-method.ts';
import type { MethodNode, PathHead, PathNode, SelectionNode, SelectionStep } from './selection-node.ts';

/** Compiles a path with its steps and its selection. */
export function compilePath(
  node: PathNode,
  wanted: WantedFields | undefined,
  outerLocals: LocalVariables,
  compilation: MappingCompilation,
): Evaluate {
  const narrowed = node.selection === undefined ? narrowSteps(node, wanted) : new Map<number, WantedFields>();
  let locals = outerLocals;
  const { evaluate: head, place: start, key } = compileHead(node, narrowed.get(-1), locals, compilation);
  let place = start;
  const steps: CompiledStep[] = [];
  for (const [index, step] of node.steps.entries()) {
    if (step.kind === 'optional') {
      steps.push((value) => (value === null ? undefined : value));
      continue;
    }
    const isOptional = node.steps[index + 1]?.kind === 'optional';
    if (step.kind === 'key') {
      place = placeBelow(place, step.name);
      steps.push(compileKey(step.name, step.offset, place, isOptional));
      continue;
    }
    const next = placeBelow(place, `->${step.name}`);
    const mistake = findArgumentMistake(step);
    if (mistake !== undefined) {
      steps.push(compileMistake(step, mistake, next));
      place = next;
      continue;
    }
    const scope = { locals, compilation, place: next, wanted: narrowed.get(index) };
    if (step.name === 'as') {
      const declared = compileDeclaration(step, scope);
      locals = declared.locals;
      steps.push(declared.step);
    } else {
      steps.push(compileMethod(step, scope));
      place = next;
    }
  }
  const select = node.selection === undefined ? undefined : mapSelection(compilation.compileFields(node.selection, wanted, locals), place);
  const [first, ...others] = steps;
  const joined = compileJoinedList(node, (item) => compilation.compileNode(item, undefined, outerLocals));
  if (joined === undefined || first === undefined) return joinSteps({ evaluate: head, key }, steps, select);
  // Problems name the location of a step, so they are found without the shortcut.
  const reporting = joinSteps({ evaluate: head }, [first], undefined);
  const evaluate: Evaluate = (root, current, run) =>
    run.problems === undefined ? joined(root, current, run) : reporting(root, current, run);
  return joinSteps({ evaluate }, others, select);
}

/** Compiles a node whose value depends only on a property of `$` that is not ambiguous. @returns undefined for every other node */
export function compilePropertyValue(
  node: SelectionNode,
  locals: LocalVariables,
  compilation: MappingCompilation,
): PropertyValue | undefined {
  if (node.kind !== 'path' || node.selection !== undefined) return undefined;
  const text = slicedPropertyOf(node);
  if (text !== undefined) return isAmbiguous(text.key) ? undefined : { kind: 'text', ...text };
  const { head, steps } = node;
  if (head.kind !== 'key' || isAmbiguous(head.name)) return undefined;
  if (steps.length === 0) return { kind: 'property', key: head.name };
  if (!steps.every(isSimple)) return undefined;
  const rest: PathNode = { ...node, head: { kind: 'current', offset: head.offset } };
  return { kind: 'steps', key: head.name, steps: compilePath(rest, undefined, locals, compilation) };
}

/** Returns whether the arguments of a step are literals, so that compiling it twice costs little. */
function isSimple(step: SelectionStep): boolean {
  if (step.kind !== 'method') return true;
  return step.name !== 'as' && step.args.every((node) => isLiteral(node) || (node.kind === 'list' && node.items.every(isLiteral)));
}

function isLiteral({ kind }: SelectionNode): boolean {
  return kind === 'literal';
}

/** Start of a path. */
interface CompiledHead {
  readonly evaluate: Evaluate;
  /** Name of a property of `$` that the path starts with, if it can be read from every object. */
  readonly key?: string | undefined;
}

function joinSteps(
  { evaluate: head, key }: CompiledHead,
  steps: readonly CompiledStep[],
  select: ((value: unknown, run: MappingRun) => unknown) | undefined,
): Evaluate {
  const [first, second, ...rest] = steps;
  if (first === undefined) {
    return select === undefined ? head : (root, current, run) => select(head(root, current, run), run);
  }
  if (second === undefined && select === undefined) {
    // Most paths are a property and one method.
    if (key !== undefined) {
      return (root, current, run) => {
        const own: unknown = typeof root === 'object' && root !== null ? root[key as never] : undefined;
        const value = own === undefined ? head(root, current, run) : own;
        return value === undefined ? undefined : first(value, root, run);
      };
    }
    return (root, current, run) => {
      const value = head(root, current, run);
      return value === undefined ? undefined : first(value, root, run);
    };
  }
  if (second !== undefined && rest.length === 0 && select === undefined) {
    return (root, current, run) => {
      const value = head(root, current, run);
      const next = value === undefined ? undefined : first(value, root, run);
      return next === undefined ? undefined : second(next, root, run);
    };
  }
  return (root, current, run) => {
    let value = head(root, current, run);
    for (const step of steps) {
      if (value === undefined) return undefined;
      value = step(value, root, run);
    }
    return select === undefined || value === undefined ? value : select(value, run);
  };
}

function compileHead(
  { head, steps }: PathNode,
  wanted: WantedFields | undefined,
  locals: LocalVariables,
  compilation: MappingCompilation,
): CompiledHead & { readonly place: StaticPlace } {
  switch (head.kind) {
    case 'key': {
      const { name } = head;
      const place: StaticPlace = { base: 'root', keys: [name] };
      const read = compileKey(name, head.offset, place, steps[0]?.kind === 'optional');
      if (isAmbiguous(name)) return { evaluate: (root, _current, run) => (root === undefined ? undefined : read(root, root, run)), place };
      const evaluate: Evaluate = (root, _current, run) => {
        const value: unknown = typeof root === 'object' && root !== null ? root[name as never] : undefined;
        return value !== undefined || root === undefined ? value : read(root, root, run);
      };
      return { evaluate, place, key: name };
    }
    case 'root':
      return { evaluate: (root) => root, place: { base: 'root', keys: [] } };
    case 'current':
      return { evaluate: (_root, current) => current, place: { base: 'current', keys: [] } };
    case 'variable':
      return { evaluate: compileVariable(head, locals), place: { base: 'none', keys: [head.name] } };
    case 'expression':
      break;
  }
  return { evaluate: compilation.compileNode(head.value, wanted, locals), place: { base: 'none', keys: [] } };
}

function compileVariable({ name, offset }: Extract<PathHead, { kind: 'variable' }>, locals: LocalVariables): Evaluate {
  const local = locals.get(name);
  if (local !== undefined) return (_root, _current, run) => run.locals[local];
  const place: StaticPlace = { base: 'none', keys: [name] };
  return (_root, _current, run) => {
    const value = ownProperty(run.variables, name);
    if (value === undefined) reportProblem(run, `The variable ${name} has no value here`, offset, { place });
    return value;
  };
}

/** Returns whether a name can be that of a property of every list or object, or of an item of a list. */
function isAmbiguous(name: string): boolean {
  return name in Array.prototype || /^\d+$/.test(name);
}

/** Reads a property, of each item if the value is a list. */
function compileKey(name: string, offset: number, place: StaticPlace, isOptional: boolean): CompiledStep {
  function readOther(value: unknown, run: MappingRun): unknown {
    if (Array.isArray(value)) return readItems(value, run, []);
    const found = isJsonObject(value) ? ownProperty(value, name) : undefined;
    if (found === undefined) report(value, run);
    return found;
  }

  function readItems(list: readonly unknown[], run: MappingRun, indexes: readonly number[]): unknown {
    if (indexes.length > MAX_DATA_DEPTH) return null;
    return list.map((item, index) => {
      if (Array.isArray(item)) return readItems(item, run, [...indexes, index]);
      const found = isJsonObject(item) ? ownProperty(item, name) : undefined;
      if (found === undefined) report(item, run, [...indexes, index]);
      return found ?? null;
    });
  }

  function report(value: unknown, run: MappingRun, indexes?: readonly number[]): void {
    if (isOptional || run.problems === undefined) return;
    const type = jsonTypeOf(value);
    const found = type === 'object' ? 'The object has no' : `A value of type ${type} has no`;
    reportProblem(run, `${found} property ${JSON.stringify(name)}`, offset, { place, indexes });
  }

  if (isAmbiguous(name)) return (value, _root, run) => readOther(value, run);
  return (value, _root, run) => {
    const found: unknown = typeof value === 'object' && value !== null ? value[name as never] : undefined;
    return found === undefined ? readOther(value, run) : found;
  };
}

/** Compiles a call with wrong arguments. */
function compileMistake({ name, offset }: MethodNode, mistake: string, place: StaticPlace): CompiledStep {
  return (value, _root, run) => {
    reportProblem(run, mistake, offset, { place });
    return name === 'as' ? value : undefined;
  };
}

/** Names needed of the results of steps, by index of the step; -1 denotes the head. */
function narrowSteps({ head, steps }: PathNode, wanted: WantedFields | undefined): ReadonlyMap<number, WantedFields> {
  const narrowed = new Map<number, WantedFields>();
  if (wanted === undefined) return narrowed;
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    const step = steps[index];
    if (step === undefined || step.kind === 'key') return narrowed;
    if (step.kind === 'optional' || PASSING.has(step.name)) continue;
    narrowed.set(index, wanted);
    return narrowed;
  }
  if (head.kind === 'expression') narrowed.set(-1, wanted);
  return narrowed;
}

/** Methods whose results are parts of their input, which they do not inspect. */
const PASSING: ReadonlySet<string> = new Set(['first', 'last', 'slice']);

/** Compiles `->as($name)` or `->as($name, value)`, which declares a variable for the rest of the path and returns its input. */
function compileDeclaration(
  { args: [variable, value] }: MethodNode,
  { locals, compilation }: MethodScope,
): { readonly step: CompiledStep; readonly locals: LocalVariables } {
  const name = declaredVariable(variable) ?? '';
  const number = compilation.declarations;
  compilation.declarations += 1;
  const evaluate = value === undefined ? undefined : compilation.compileNode(value, undefined, locals);
  return {
    locals: new Map([...locals, [name, number]]),
    step: (input, root, run) => {
      run.locals[number] = evaluate === undefined ? input : evaluate(root, input, run);
      return input;
    },
  };
}
