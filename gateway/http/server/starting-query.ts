import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedOutputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isUnionType,
} from 'graphql';

type Field = GraphQLField<unknown, unknown>;

/** Decides whether an anonymous caller can send a document and receive all of it. */
export type IsOpen = (document: string) => boolean;

/** Maximum number of selected scalar fields. @unit fields */
const MAX_FIELDS = 6;
/** Maximum number of root fields that are checked. @unit fields */
const MAX_CANDIDATES = 30;
/** Depth at which no further objects are selected to find a scalar field. @unit levels */
const MAX_DEPTH = 3;
/** Requested number of items of a list. @unit items */
const PAGE_SIZE = 3;
/** Names of arguments that limit the number of items. */
const SLICING = ['first', 'limit', 'size', 'pageSize', 'take', 'last'];

/**
 * Writes a query with which a user can begin: a root field with scalar fields, if possible a short list. Required arguments have variables
 * with default values, so that the query runs without further input.
 *
 * @param isOpen fields that it rejects are omitted. If it rejects every root field, the query may need credentials.
 * @returns undefined if the schema has no query field that can be written
 */
export function writeStartingQuery(schema: GraphQLSchema, isOpen: IsOpen): string | undefined {
  const candidates = Object.values(schema.getQueryType()?.getFields() ?? {})
    .map((field) => ({ field, rank: rankOf(field) }))
    .filter(({ rank }) => Number.isFinite(rank))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MAX_CANDIDATES)
    .map(({ field }) => ({ field, selection: selectionOf(getNamedType(field.type)) }));
  for (const { field, selection } of candidates) {
    const whole = print(field, selection);
    if (isOpen(whole)) return whole;
    const leaves = selection?.leaves.filter((leaf) => isOpen(print(field, { ...selection, leaves: [leaf] }))) ?? [];
    if (selection !== undefined && leaves.length > 0) return print(field, { ...selection, leaves });
  }
  const [first] = candidates;
  return first && print(first.field, first.selection);
}

/** Returns the position of a root field among the candidates: the smaller, the better. Infinity for a field that cannot be written. */
function rankOf(field: Field): number {
  const required = field.args.filter(isRequiredArgument);
  if (field.name.startsWith('_') || required.some(({ type }) => sampleOf(type, '') === undefined)) return Number.POSITIVE_INFINITY;
  const type = getNamedType(field.type);
  const isList = isListType(getNullableType(field.type)) || pathToItems(type) !== undefined;
  const kind = isLeafType(type) ? 4 : isList ? 0 : 2;
  return kind + (required.length === 0 ? 0 : isList ? 3 : 1) + (field.deprecationReason === undefined ? 0 : 10);
}

/** Fields that a query selects of an object. */
interface Selection {
  /** Fields between the object and its leaves, outermost first. */
  readonly path: readonly string[];
  /** Selected leaves, each with its selection set. */
  readonly leaves: readonly string[];
}

/** Selects the leaves of a type; for a page, the leaves of its items. */
function selectionOf(type: GraphQLNamedOutputType, depth = 0): Selection | undefined {
  if (isLeafType(type)) return undefined;
  if (isUnionType(type)) {
    const [member] = type.getTypes();
    const inside = member === undefined ? undefined : selectionOf(member, depth + 1);
    const fragment = inside === undefined || inside.path.length > 0 ? [] : [`... on ${member?.name} { ${inside.leaves.join(' ')} }`];
    return { path: [], leaves: ['__typename', ...fragment] };
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return undefined;
  const items = pathToItems(type);
  if (items !== undefined) {
    const inside = selectionOf(items.type, depth + 1);
    return inside && { path: [...items.path, ...inside.path], leaves: inside.leaves };
  }
  const fields = Object.values(type.getFields()).filter((field) => isUsable(field));
  const leaves = fields.filter((field) => isLeafType(getNamedType(field.type))).map(({ name }) => name);
  if (leaves.length > 0) return { path: [], leaves: leaves.slice(0, MAX_FIELDS) };
  const [child] = depth < MAX_DEPTH ? fields : [];
  const inside = child && selectionOf(getNamedType(child.type), depth + 1);
  return inside === undefined ? { path: [], leaves: ['__typename'] } : { path: [child?.name ?? '', ...inside.path], leaves: inside.leaves };
}

function isUsable({ args, deprecationReason }: Field): boolean {
  return deprecationReason === undefined && !args.some(isRequiredArgument);
}

/** Finds the items of a page, by the names that connections and pages commonly have. Undefined for a type that is not a page. */
function pathToItems(
  type: GraphQLNamedOutputType,
): { readonly path: readonly string[]; readonly type: GraphQLNamedOutputType } | undefined {
  if (!isObjectType(type) && !isInterfaceType(type)) return undefined;
  const fields = type.getFields();
  for (const name of ['nodes', 'items', 'results', 'edges']) {
    const field = fields[name];
    if (field === undefined || !isUsable(field) || !isList(field.type)) continue;
    const item = getNamedType(field.type);
    if (name !== 'edges') return isLeafType(item) ? undefined : { path: [name], type: item };
    const node = isObjectType(item) ? item.getFields()['node'] : undefined;
    if (node !== undefined) return { path: ['edges', 'node'], type: getNamedType(node.type) };
  }
  return undefined;
}

function isList(type: GraphQLOutputType): boolean {
  return isListType(getNullableType(type));
}

/** Prints a query for one root field. */
function print(field: Field, selection: Selection | undefined): string {
  const variables: string[] = [];
  const values: string[] = [];
  for (const argument of field.args) {
    if (isRequiredArgument(argument)) {
      variables.push(`$${argument.name}: ${String(argument.type)} = ${sampleOf(argument.type, argument.name)}`);
      values.push(`${argument.name}: $${argument.name}`);
    }
  }
  const slicing = slicingArgument(field);
  if (slicing !== undefined) values.push(`${slicing.name}: ${PAGE_SIZE}`);
  const name = field.name.charAt(0).toUpperCase() + field.name.slice(1);
  const lines = [`query ${name}${variables.length === 0 ? '' : `(${variables.join(', ')})`} {`];
  const names = [`${field.name}${values.length === 0 ? '' : `(${values.join(', ')})`}`, ...(selection?.path ?? [])];
  for (const [index, part] of names.entries()) {
    const isLast = index === names.length - 1 && selection === undefined;
    lines.push(`${indent(index + 1)}${part}${isLast ? '' : ' {'}`);
  }
  if (selection !== undefined) {
    lines.push(...selection.leaves.map((leaf) => indent(names.length + 1) + leaf));
    lines.push(...names.map((_, index) => `${indent(names.length - index)}}`));
  }
  return `${[...lines, '}'].join('\n')}\n`;
}

function indent(level: number): string {
  return '  '.repeat(level);
}

/** Returns an optional argument that limits the number of items. */
function slicingArgument({ args }: Field): GraphQLArgument | undefined {
  return SLICING.map((wanted) => args.find(({ name }) => name === wanted)).find(
    (found) => found !== undefined && !isRequiredArgument(found) && getNamedType(found.type).name === 'Int' && !isListType(found.type),
  );
}

/** Sample values of scalars, by type name. */
const SAMPLES: Readonly<Record<string, string>> = {
  Boolean: 'true',
  Float: '1.0',
  ID: '"1"',
  Int: '1',
  String: '"a"',
  Date: '"2026-01-01"',
  DateTime: '"2026-01-01T00:00:00Z"',
  UUID: '"00000000-0000-4000-8000-000000000000"',
};

/** Returns a literal of an input type. Undefined if no value is known, as for custom scalars and recursive input objects. */
function sampleOf(type: GraphQLInputType, name: string, depth = 0): string | undefined {
  if (isNonNullType(type)) return sampleOf(type.ofType, name, depth);
  if (isListType(type)) {
    const item = sampleOf(type.ofType, name, depth);
    return item === undefined ? undefined : `[${item}]`;
  }
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) {
    if (depth === MAX_DEPTH) return undefined;
    const required = Object.values(type.getFields()).filter((field) => isRequiredInputField(field));
    const members = required.map((field) => [field.name, sampleOf(field.type, field.name, depth + 1)] as const);
    if (type.isOneOf || members.some(([, value]) => value === undefined)) return undefined;
    return `{${members.map(([member, value]) => `${member}: ${value}`).join(', ')}}`;
  }
  if (type.name === 'Int' && SLICING.includes(name)) return String(PAGE_SIZE);
  return SAMPLES[type.name];
}
