import { compilePath, compilePropertyValue } from './compile-path.ts';
import type { CompiledMapping, WantedFields } from './compiled-mapping.ts';
import { generateObject } from './generate-object.ts';
import type { LocalVariables, MappingCompilation } from './mapping-compilation.ts';
import { isJsonObject, jsonTypeOf, setOwnProperty } from './json-values.ts';
import { type Evaluate, type MappingRun, newMappingRun, reportProblem, type StaticPlace } from './mapping-run.ts';
import { mapNothing, mapSelection } from './map-selection.ts';
import type { FallbackNode, FieldNode, ObjectNode, SelectionNode } from './selection-node.ts';

/** Location of `$`. */
const ROOT: StaticPlace = { base: 'root', keys: [] };

/**
 * Compiles a mapping to a plain function. Data that is undefined is that of a response without a body.
 *
 * @param wanted output fields that are needed. Other fields of selections, named groups and literals are not computed. Values that are
 * taken from the data as a whole are not changed.
 */
export function compileSelection(node: SelectionNode, wanted?: WantedFields): CompiledMapping {
  const compilation: MappingCompilation = {
    declarations: 0,
    compileNode: (child, fields, locals) => compileNode(child, fields, locals, compilation),
    compileFields: (child, fields, locals) => {
      const select = compileObject(child, fields, locals, compilation);
      const selectAll = fields === undefined ? select : compileObject(child, undefined, locals, compilation);
      return { select, selectAll, wanted: fields };
    },
  };
  if (node.kind === 'object' && node.isSelection) {
    const fields = compilation.compileFields(node, wanted, new Map());
    const select = mapSelection(fields, ROOT);
    return (data, variables, problems) => {
      const run = newMappingRun(variables, problems);
      return data === undefined ? mapNothing(fields, run) : select(data, run);
    };
  }
  const evaluate = compileNode(node, wanted, new Map(), compilation);
  return (data, variables, problems) => evaluate(data, data, newMappingRun(variables, problems));
}

/** Compiles one node of a mapping. */
function compileNode(
  node: SelectionNode,
  wanted: WantedFields | undefined,
  locals: LocalVariables,
  compilation: MappingCompilation,
): Evaluate {
  switch (node.kind) {
    case 'literal': {
      const { value } = node;
      return () => value;
    }
    case 'list': {
      const items = node.items.map((item) => compileNode(item, wanted, locals, compilation));
      return (root, current, run) => {
        const list: unknown[] = [];
        for (const item of items) list.push(item(root, current, run) ?? null);
        return list;
      };
    }
    case 'object':
      return compileObject(node, wanted, locals, compilation);
    case 'fallback':
      return compileFallback(node, wanted, locals, compilation);
    case 'path':
      break;
  }
  return compilePath(node, wanted, locals, compilation);
}

/** Compiles the fields of an object, without the loop over lists of a selection. */
function compileObject(
  { fields }: ObjectNode,
  wanted: WantedFields | undefined,
  locals: LocalVariables,
  compilation: MappingCompilation,
): Evaluate {
  const [first] = fields;
  if (fields.length === 1 && first !== undefined && first.name === undefined && !first.isSpread && isBarePath(first)) {
    return compileNode(first.value, wanted, locals, compilation);
  }
  const needed = fields.filter(({ name }) => name === undefined || wanted === undefined || wanted.has(name));
  const named = needed.flatMap(({ name, value }) => (name === undefined || name === '__proto__' ? [] : [{ name, value }]));
  if (named.length === needed.length) return compileNamedFields(named, wanted, locals, compilation);
  const setters = needed.map((field) => compileField(field, wanted, locals, compilation));
  return (root, current, run) => {
    const output: Record<string, unknown> = {};
    for (const set of setters) {
      if (!set(output, root, current, run)) return null;
    }
    return output;
  };
}

/** Compiles an object without merged fields, which is the usual one. */
function compileNamedFields(
  fields: readonly { readonly name: string; readonly value: SelectionNode }[],
  wanted: WantedFields | undefined,
  locals: LocalVariables,
  compilation: MappingCompilation,
): Evaluate {
  const compiled = fields.map(({ name, value }) => ({
    name,
    evaluate: compileNode(value, wanted?.get(name), locals, compilation),
    usual: compilePropertyValue(value, locals, compilation),
  }));
  return generateObject(compiled, (root, current, run) => {
    const output: Record<string, unknown> = {};
    for (const { name, evaluate } of compiled) {
      const value = evaluate(root, current, run);
      if (value !== undefined) output[name] = value;
    }
    return output;
  });
}

function isBarePath({ value }: FieldNode): boolean {
  return value.kind === 'path' && value.selection === undefined;
}

/** Sets a field of an output object. Returns `false` if the whole object is null, because it spreads null. */
type SetField = (output: Record<string, unknown>, root: unknown, current: unknown, run: MappingRun) => boolean;

function compileField(
  field: FieldNode,
  wanted: WantedFields | undefined,
  locals: LocalVariables,
  compilation: MappingCompilation,
): SetField {
  const { name } = field;
  if (name === undefined) return compileMerge(field, wanted, locals, compilation);
  const evaluate = compileNode(field.value, wanted?.get(name), locals, compilation);
  return (output, root, current, run) => {
    const value = evaluate(root, current, run);
    if (value !== undefined) setOwnProperty(output, name, value);
    return true;
  };
}

function compileMerge(
  { value: node, offset, isSpread }: FieldNode,
  wanted: WantedFields | undefined,
  locals: LocalVariables,
  compilation: MappingCompilation,
): SetField {
  const evaluate = compileNode(node, wanted, locals, compilation);
  return (output, root, current, run) => {
    const value = evaluate(root, current, run);
    if (isJsonObject(value)) {
      for (const name of Object.keys(value)) {
        if (wanted === undefined || wanted.has(name)) setOwnProperty(output, name, value[name]);
      }
    } else if (value !== null) {
      const found = value === undefined ? 'no value' : `a value of type ${jsonTypeOf(value)}`;
      reportProblem(run, `The path is merged into its object, but has ${found} instead of an object`, offset, { place: ROOT });
    }
    return !(isSpread && value === null);
  };
}

function compileFallback(
  { operands, operator }: FallbackNode,
  wanted: WantedFields | undefined,
  locals: LocalVariables,
  compilation: MappingCompilation,
): Evaluate {
  const evaluators = operands.map((operand) => compileNode(operand, wanted, locals, compilation));
  const last = evaluators.length - 1;
  const skipsNull = operator === '??';
  return (root, current, run) => {
    const recorded = run.problems?.length ?? 0;
    for (let index = 0; index < last; index += 1) {
      const value = evaluators[index]?.(root, current, run);
      if (value !== undefined && !(skipsNull && value === null)) return value;
    }
    // The operands before the last one are allowed to be missing.
    if (run.problems !== undefined) run.problems.length = recorded;
    return evaluators[last]?.(root, current, run);
  };
}
