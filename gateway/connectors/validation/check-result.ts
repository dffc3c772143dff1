import type { ReportProblem } from '../definition/report-problem.ts';
import { inferShape } from '../selection/infer-shape.ts';
import type { MappingShape } from '../selection/mapping-shape.ts';
import type { SelectionNode } from '../selection/selection-node.ts';
import type { ReadableTypes } from './check-reads.ts';
import type { MappingResult, PositionedMapping } from './connector-mappings.ts';
import { variableShapesOf } from './variable-shapes.ts';

type Kind = MappingShape['kind'];

/** Kinds that are wrong for a result. */
const WRONG: Readonly<Record<MappingResult, readonly Kind[]>> = {
  anything: [],
  scalar: ['object', 'list'],
  string: ['object', 'list', 'number', 'boolean'],
  boolean: ['object', 'list', 'number', 'string'],
  object: ['list', 'string', 'number', 'boolean'],
  list: ['object', 'string', 'number', 'boolean'],
};

const EXPECTED: Readonly<Record<MappingResult, string>> = {
  anything: '',
  scalar: 'a string, a number or a boolean',
  string: 'a string',
  boolean: 'a boolean',
  object: 'an object',
  list: 'a list',
};

/** Names of kinds in messages. */
const FOUND: Readonly<Record<Kind, string>> = {
  unknown: 'another value',
  union: 'another value',
  nothing: 'no value',
  boolean: 'a boolean',
  list: 'a list',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

/**
 * Checks that methods have arguments and inputs that they accept, and that a mapping does not result in a value of a wrong kind, as far as
 * this is known without data.
 */
export function checkResult(positioned: PositionedMapping, types: ReadableTypes, report: ReportProblem): void {
  const { mapping, text, start, where, code, result } = positioned;
  const variables = variableShapesOf(types);
  const { shape, problems } = inferShape(mapping, variables);
  for (const { message, offset } of problems) report(code, `${where}: ${message}.`, { text, offset: start + (offset ?? mapping.offset) });
  const wrong = kindsOf(shape).find((kind) => WRONG[result].includes(kind));
  if (wrong !== undefined) {
    const hint = result === 'scalar' ? ' Convert it with ->joinNotNull(",") or ->jsonStringify, or select one item with ->first.' : '';
    const message = `${where} must result in ${EXPECTED[result]}, but can result in ${FOUND[wrong]}.${hint}`;
    report(code, message, { text, offset: start + mapping.offset });
  }
  if (result !== 'list') return;
  for (const item of itemsOf(mapping)) {
    const invalid = kindsOf(inferShape(item, variables).shape).find((kind) => kind === 'null' || WRONG.scalar.includes(kind));
    if (invalid === undefined) continue;
    const message = `${where} must contain strings, numbers or booleans, but contains ${FOUND[invalid]}.`;
    report(code, message, { text, offset: start + item.offset });
  }
}

function kindsOf(shape: MappingShape): readonly Kind[] {
  return shape.kind === 'union' ? shape.members.map(({ kind }) => kind) : [shape.kind];
}

/** Returns the items of a mapping that is a list: `$(["a", $args.b])`. */
function itemsOf(mapping: SelectionNode): readonly SelectionNode[] {
  const list = mapping.kind === 'path' && mapping.head.kind === 'expression' ? mapping.head.value : mapping;
  return list.kind === 'list' ? list.items : [];
}
