import type { ReportProblem } from '../definition/report-problem.ts';
import type { ReadableTypes } from './check-reads.ts';
import type { MappingResult, PositionedMapping } from './connector-mappings.ts';
import { kindsOf, type ResultKind } from './result-kinds.ts';

/** Kinds that are wrong for a result. A scalar of the schema, such as an ID, can be any scalar. */
const WRONG: Readonly<Record<MappingResult, readonly ResultKind[]>> = {
  anything: [],
  scalar: ['object', 'list'],
  string: ['object', 'list', 'number', 'boolean'],
  boolean: ['object', 'list', 'number', 'string'],
  object: ['list', 'string', 'number', 'boolean', 'scalar'],
  list: ['object', 'string', 'number', 'boolean', 'scalar'],
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
const FOUND: Readonly<Record<ResultKind, string>> = {
  any: 'another value',
  boolean: 'a boolean',
  list: 'a list',
  null: 'null',
  number: 'a number',
  object: 'an object',
  scalar: 'a scalar',
  string: 'a string',
};

/** Checks that a mapping does not result in a value of a wrong kind, as far as this is known without data. */
export function checkResult(positioned: PositionedMapping, types: ReadableTypes, report: ReportProblem): void {
  const { mapping, text, start, where, code, result } = positioned;
  const wrong = [...kindsOf(mapping, types)].find((kind) => WRONG[result].includes(kind));
  if (wrong !== undefined) {
    const hint = result === 'scalar' ? ' Convert it with ->joinNotNull(",") or ->jsonStringify, or select one item with ->first.' : '';
    const message = `${where} must result in ${EXPECTED[result]}, but can result in ${FOUND[wrong]}.${hint}`;
    report(code, message, { text, offset: start + mapping.offset });
  }
  const items = result === 'list' && mapping.kind === 'path' && mapping.head.kind === 'expression' ? mapping.head.value : mapping;
  if (result !== 'list' || items.kind !== 'list') return;
  for (const item of items.items) {
    const invalid = [...kindsOf(item, types)].find((kind) => kind === 'null' || WRONG.scalar.includes(kind));
    if (invalid === undefined) continue;
    const message = `${where} must contain strings, numbers or booleans, but contains ${FOUND[invalid]}.`;
    report(code, message, { text, offset: start + item.offset });
  }
}
