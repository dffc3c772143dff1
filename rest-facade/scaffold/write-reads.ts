import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { isList, readConnection } from './select-fields.ts';

/** One operation of a drafted document. */
export interface DraftedOperation {
  readonly name: string;
  /** Type of the resource. Operations on one type are in one file. */
  readonly subject: string;
  readonly text: string;
}

type RootField = GraphQLField<unknown, unknown>;

/** Arguments with a special meaning in REST. */
const OWN = new Set([
  'first',
  'last',
  'limit',
  'after',
  'before',
  'offset',
  'page',
  'size',
  'sort',
  'fields',
  'version',
  'count',
  'filter',
  'orderBy',
]);

/** Drafts a route for each root field of the query type that is a resource or a collection. */
export function writeReads(query: GraphQLObjectType, pathOf: (type: string) => string): readonly DraftedOperation[] {
  return Object.values(query.getFields()).flatMap((field): readonly DraftedOperation[] => {
    const connection = readConnection(field.type);
    if (connection !== undefined) return [writePage(field, connection, pathOf)];
    const type = getNamedType(field.type);
    if (!isObjectType(type)) return [];
    return isList(field.type) ? [writeList(field, type, pathOf)] : writeResource(field, type, pathOf);
  });
}

function writePage(
  field: RootField,
  { item, isOfEdges, hasTotal }: NonNullable<ReturnType<typeof readConnection>>,
  pathOf: (type: string) => string,
): DraftedOperation {
  const has = (name: string): boolean => field.args.some((arg) => arg.name === name);
  const byNumber = has('offset') && hasTotal;
  const variables = [
    '$size: Int! @page(role: SIZE)',
    ...(byNumber ? ['$offset: Int @page(role: OFFSET)'] : []),
    ...(has('after') ? ['$after: String @page(role: CURSOR)'] : []),
  ];
  const given = ['first: $size', ...(byNumber ? ['offset: $offset'] : []), ...(has('after') ? ['after: $after'] : [])];
  const filters = filtersOf(field);
  const items = isOfEdges ? `edges { node { ...${item.name} } }` : `nodes { ...${item.name} }`;
  const body = `${items}${hasTotal ? ' totalCount' : ''} pageInfo { hasNextPage endCursor }`;
  const selection = `${field.name}(${[...given, ...filters.map(argumentNamed)].join(', ')}) @result(shape: PAGE) { ${body} }`;
  return draft({
    name: `List${plural(item.name)}`,
    subject: item.name,
    variables: [...variables, ...filters.map(variableOf)],
    method: 'GET',
    path: pathOf(item.name),
    selection,
  });
}

function writeList(field: RootField, item: GraphQLObjectType, pathOf: (type: string) => string): DraftedOperation {
  const filters = filtersOf(field);
  const cut = field.args.find(({ name }) => name === 'first' || name === 'limit');
  const given = [...(cut === undefined ? [] : [`${cut.name}: 20`]), ...filters.map(argumentNamed)];
  const selection = `${field.name}${given.length === 0 ? '' : `(${given.join(', ')})`} @result(shape: LIST) { ...${item.name} }`;
  return draft({
    name: `List${capital(field.name)}`,
    subject: item.name,
    variables: filters.map(variableOf),
    method: 'GET',
    path: pathOf(item.name),
    selection,
  });
}

function writeResource(field: RootField, type: GraphQLObjectType, pathOf: (type: string) => string): readonly DraftedOperation[] {
  const required = field.args.filter(isRequiredArgument);
  const [key, ...others] = required;
  if (others.length > 0 || (key !== undefined && !isPlain(key))) return [];
  const about = { name: `Get${capital(field.name)}`, subject: type.name, method: 'GET' };
  if (key === undefined)
    return [draft({ ...about, variables: [], path: `/${field.name}`, selection: `${field.name} @result { ...${type.name} }` })];
  const variable = `$${key.name}: ${String(key.type)} @in(path: "${key.name}")`;
  const selection = `${field.name}(${argumentNamed(key)}) @result { ...${type.name} }`;
  return [draft({ ...about, variables: [variable], path: `${pathOf(type.name)}/{${key.name}}`, selection })];
}

/** Returns the scalar arguments of a collection, which become filters. */
function filtersOf({ args }: RootField): readonly GraphQLArgument[] {
  return args.filter((arg) => isPlain(arg) && !OWN.has(arg.name));
}

function isPlain({ type }: GraphQLArgument): boolean {
  return isLeafType(isNonNullType(type) ? type.ofType : type);
}

export const argumentNamed = ({ name }: GraphQLArgument): string => `${name}: $${name}`;

const variableOf = ({ name, type }: GraphQLArgument): string => `$${name}: ${String(type)} @in(query: "${name}")`;

/** The parts of an operation. */
interface Draft {
  readonly name: string;
  readonly subject: string;
  readonly variables: readonly string[];
  readonly method: string;
  readonly path: string;
  readonly selection: string;
  /** Further arguments of `@endpoint`. */
  readonly more?: string;
}

export function draft({ name, subject, variables, method, path, selection, more = '' }: Draft): DraftedOperation {
  const kind = method === 'GET' ? 'query' : 'mutation';
  const head = `${kind} ${name}${variables.length === 0 ? '' : `(${variables.join(', ')})`}`;
  return { name, subject, text: `${head} @endpoint(method: ${method}, path: "${path}"${more}) { ${selection} }` };
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Returns the plural: `Story` becomes `Stories`, `Film` becomes `Films`. */
export function plural(name: string): string {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}
