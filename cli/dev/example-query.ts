import {
  type GraphQLField,
  getNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';

/** Maximum number of leaf fields of one selection. */
const MAX_LEAVES = 3;
const DEPTH = 2;

/** Fields that explain themselves in an example, before others. */
const PREFERRED = ['id', 'name', 'title'];

/**
 * Makes a query of a schema for an example: a root field without required arguments other than ids and numbers, with a few fields of its type and of one type below it.
 * Of all root fields, the one with the longest selection is used.
 */
export function exampleQuery(schema: GraphQLSchema): string {
  const roots = Object.values(schema.getQueryType()?.getFields() ?? {}).filter((field) => argumentsOf(field) !== undefined);
  const drafts = roots.flatMap((field) => {
    const text = draft(field, DEPTH);
    return text === undefined ? [] : [text];
  });
  const longest = drafts.toSorted((one, other) => other.length - one.length)[0];
  return longest === undefined ? '{ __typename }' : `{ ${longest} }`;
}

/** Writes a field with its selection; undefined if its type has no fields that can be selected without arguments. */
function draft(field: GraphQLField<unknown, unknown>, depth: number): string | undefined {
  const type = getNamedType(field.type);
  const call = `${field.name}${argumentsOf(field) ?? ''}`;
  if (isLeafType(type)) return call;
  if (!isObjectType(type)) return undefined;
  const selection = selectionOf(type, depth);
  return selection === '' ? undefined : `${call} { ${selection} }`;
}

function selectionOf(type: GraphQLObjectType, depth: number): string {
  const fields = Object.values(type.getFields()).filter(isCallable);
  const leaves = fields
    .filter((field) => isLeafType(getNamedType(field.type)))
    .map(({ name }) => name)
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .slice(0, MAX_LEAVES);
  if (depth <= 1) return leaves.join(' ');
  const nested = fields.filter((field) => isObjectType(getNamedType(field.type))).flatMap((field) => draft(field, depth - 1) ?? []);
  return [...leaves, ...nested.slice(0, 1)].join(' ');
}

function rankOf(name: string): number {
  const index = PREFERRED.indexOf(name);
  return index === -1 ? PREFERRED.length : index;
}

/** Writes the required arguments of a field; undefined if one of them is neither an id nor a number. */
function argumentsOf({ args }: GraphQLField<unknown, unknown>): string | undefined {
  const written = args.filter(isRequiredArgument).map(({ name, type }) => {
    const text = String(type).replaceAll('!', '');
    return text === 'ID' ? `${name}: "1"` : text === 'Int' ? `${name}: 1` : undefined;
  });
  if (written.includes(undefined)) return undefined;
  return written.length === 0 ? '' : `(${written.join(', ')})`;
}

function isCallable({ args }: GraphQLField<unknown, unknown>): boolean {
  return !args.some(isRequiredArgument);
}
