import type { TypeNode } from 'graphql';
import type { MethodNode, PathNode, SelectionNode } from '../selection/selection-node.ts';
import type { ReadableTypes } from './check-reads.ts';
import { isComposite, isListType, namedTypeOf, type SchemaType } from './schema-types.ts';

/** Kind of a value. `any` is a value of which nothing is known. */
export type ResultKind = 'string' | 'number' | 'boolean' | 'null' | 'scalar' | 'object' | 'list' | 'any';

type Kinds = ReadonlySet<ResultKind>;

const METHODS: ReadonlyMap<string, ResultKind> = new Map<string, ResultKind>([
  ...['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'and', 'or', 'not', 'in', 'contains', 'has'].map((name) => [name, 'boolean'] as const),
  ...['size', 'add', 'sub', 'mul', 'div', 'mod', 'parseInt'].map((name) => [name, 'number'] as const),
  ...['jsonStringify', 'joinNotNull', 'toString', 'typeof', 'trim', 'trimStart', 'trimEnd'].map((name) => [name, 'string'] as const),
  ...['map', 'filter', 'entries', 'keys', 'values', 'split'].map((name) => [name, 'list'] as const),
]);

const BUILT_IN: ReadonlyMap<string, ResultKind> = new Map<string, ResultKind>([
  ['String', 'string'],
  ['Int', 'number'],
  ['Float', 'number'],
  ['Boolean', 'boolean'],
  ['ID', 'scalar'],
]);

/** Determines the kinds of values in which a mapping can result. */
export function kindsOf(node: SelectionNode, types: ReadableTypes): Kinds {
  switch (node.kind) {
    case 'literal':
      return kind(node.value === null ? 'null' : (typeof node.value as ResultKind));
    case 'object':
      return kind('object');
    case 'list':
      return kind('list');
    case 'fallback':
      return new Set(node.operands.flatMap((operand) => [...kindsOf(operand, types)]));
    case 'path':
      break;
  }
  return kindsOfPath(node, types);
}

function kind(one: ResultKind): Kinds {
  return new Set([one]);
}

function kindsOfPath({ head, steps, selection }: PathNode, types: ReadableTypes): Kinds {
  const last = steps.findLastIndex((step) => step.kind === 'method');
  const method = steps[last];
  const keys = steps.slice(last + 1).flatMap((step) => (step.kind === 'key' ? [step.name] : []));
  let kinds: Kinds;
  if (method?.kind === 'method') kinds = keys.length === 0 ? kindsOfMethod(method, types) : kind('any');
  else if (head.kind === 'variable') kinds = kindsOfVariable(head.name, keys, types);
  else kinds = head.kind === 'expression' && keys.length === 0 ? kindsOf(head.value, types) : kind('any');
  if (selection === undefined) return kinds;
  return kind(kinds.has('list') ? 'list' : kinds.has('any') ? 'any' : 'object');
}

function kindsOfMethod({ name, args }: MethodNode, types: ReadableTypes): Kinds {
  const [first] = args;
  if (name === 'echo' && first !== undefined) return kindsOf(first, types);
  if (name !== 'match' && name !== 'matchIf') return kind(METHODS.get(name) ?? 'any');
  return new Set(
    args.flatMap((argument) => {
      const result = argument.kind === 'list' ? argument.items[1] : undefined;
      return result === undefined ? (['any'] as const) : [...kindsOf(result, types)];
    }),
  );
}

function kindsOfVariable(name: string, keys: readonly string[], types: ReadableTypes): Kinds {
  const [first, ...more] = keys;
  switch (name) {
    case '$status':
      return kind('number');
    case '$env':
      return kind(first === undefined ? 'object' : 'string');
    case '$request':
    case '$response':
      return kind(keys.length < 2 ? 'object' : 'list');
    case '$batch':
      return kind('list');
    case '$args': {
      if (first === undefined) return kind('object');
      const argument = types.field?.arguments?.find((one) => one.name.value === first);
      return argument === undefined ? kind('any') : kindsOfType(argument.type, more, types);
    }
    case '$this': {
      if (first === undefined) return kind('object');
      const field = types.parent?.fields.get(first);
      return field === undefined ? kind('any') : kindsOfType(field.type, more, types);
    }
    default:
      return kind('any');
  }
}

function kindsOfType(node: TypeNode, keys: readonly string[], types: ReadableTypes): Kinds {
  if (isListType(node)) return kind('list');
  const type = types.schema.get(namedTypeOf(node));
  if (type === undefined) return kind('any');
  const [first, ...more] = keys;
  if (first === undefined) return kind(kindOfType(type));
  const field = type.inputFields.get(first) ?? type.fields.get(first);
  return field === undefined ? kind('any') : kindsOfType(field.type, more, types);
}

function kindOfType(type: SchemaType): ResultKind {
  if (type.kind === 'input' || isComposite(type)) return 'object';
  if (type.kind === 'enum') return 'string';
  return BUILT_IN.get(type.name) ?? 'any';
}
