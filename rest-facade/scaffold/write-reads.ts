import { type GraphQLArgument, getNamedType, type GraphQLSchema, isCompositeType, isRequiredArgument } from 'graphql';
import { sortKeysOf } from '../compile/bindings/sort.ts';
import { isParameterName } from '../compile/bindings/variables.ts';
import {
  commentOnArguments,
  type RouteDraft,
  type DraftedVariable,
  isSingleValue,
  isQueryable,
  nullableType,
  type OmittedField,
  writeArguments,
  writeDraft,
} from './draft-operation.ts';
import { capital, isSameName, type UsedPaths, withoutReadVerb, pathOfName, plural } from './names.ts';
import {
  type CompositeType,
  type ConnectionFields,
  isFlatList,
  isList,
  type OutputField,
  readConnection,
  SLICING_ARGUMENTS,
} from './select-fields.ts';

/** Paths of the resources that are drafted. */
export interface ResourcePaths {
  /** Returns the path of the collection of a type. */
  readonly collectionOf: (type: string) => string;
  readonly used: UsedPaths;
  /** Parameters of the paths with which a resource is read, by type: `Film` has `id` for `/films/{id}`. */
  readonly keys: Map<string, string>;
}

/** Drafts a route for each root field of the query type that returns an object or a collection. */
export function writeReads(schema: GraphQLSchema, paths: ResourcePaths): readonly RouteDraft[] {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
  // Fields with the name of their type, and then fields without a verb, have the shortest paths.
  const drafts = new Map(fields.toSorted((a, b) => rankOf(a) - rankOf(b)).map((field) => [field, writeRead(field, paths)]));
  return fields.flatMap((field) => drafts.get(field) ?? []);
}

function rankOf({ name, type }: OutputField): number {
  if (isSameName(name, getNamedType(type).name)) return 0;
  return withoutReadVerb(name) === name ? 1 : 2;
}

function writeRead(field: OutputField, paths: ResourcePaths): RouteDraft {
  const omit = (reason: string): OmittedField => ({ field: `Query.${field.name}`, reason });
  if (typeof field.deprecationReason === 'string') return omit('deprecated');
  const connection = readConnection(field.type);
  if (connection !== undefined) return writeCollection(field, connection.item, connection, paths);
  const type = getNamedType(field.type);
  if (!isCompositeType(type)) return omit(`no object in the result, which is ${field.type.toString()}`);
  if (!isList(field.type)) return writeResource(field, type, paths);
  return isFlatList(field.type) ? writeCollection(field, type, undefined, paths) : omit('a list of lists is not a collection');
}

function writeCollection(
  field: OutputField,
  item: CompositeType,
  connection: ConnectionFields | undefined,
  paths: ResourcePaths,
): RouteDraft {
  const paging = connection && readPaging(field, connection);
  const limit = paging === undefined ? limitOf(field) : undefined;
  const others = field.args.filter((arg) => paging?.given.includes(arg) !== true && arg !== limit);
  const placed = placeInQuery(others);
  const reason = reasonIn(limit, placed);
  if ('reason' in placed || reason !== undefined) return { field: `Query.${field.name}`, reason: reason ?? '' };
  const sort = connection === undefined ? undefined : others.find((arg) => !isRequiredArgument(arg) && sortKeysOf(arg.type).length > 0);
  const sorted = sort === undefined ? [] : [sortVariable(sort)];
  const variables = [...(paging?.variables ?? []), ...sorted, ...placed.variables];
  const given = writeArguments([...constantLimit(limit), ...variables.map(({ name }) => `${name}: $${name}`)]);
  const name = withoutReadVerb(field.name);
  const candidates = [pathOfName(name), pathOfName(field.name), pathOfName(`${field.name}Collection`)];
  const path = paths.used.take('GET', candidates);
  if (path === undefined) return { field: `Query.${field.name}`, reason: 'its path belongs to another field' };
  return writeDraft({
    field: `Query.${field.name}`,
    name: `List${capital(path === candidates[0] ? name : field.name)}`,
    subject: item.name,
    variables,
    method: 'GET',
    path,
    selection: `${field.name}${given} @result(shape: ${paging === undefined ? 'LIST' : 'PAGE'}) { ${itemsOf(item, connection)} }`,
    comments: commentOnArguments(placed.left.filter((arg) => arg !== sort)),
  });
}

/** Returns the argument that limits the length of a list. The facade requires a value for it. */
function limitOf({ args }: OutputField): GraphQLArgument | undefined {
  const slicing = args.filter(({ name }) => SLICING_ARGUMENTS.includes(name));
  return slicing.find(isRequiredArgument) ?? slicing.find(isInt) ?? slicing[0];
}

/** Writes the limit of a list that is not paginated. */
function constantLimit(limit: GraphQLArgument | undefined): readonly string[] {
  return limit === undefined ? [] : [`${limit.name}: 20`];
}

function reasonIn(limit: GraphQLArgument | undefined, placed: ReturnType<typeof placeInQuery>): string | undefined {
  if (limit !== undefined && !isInt(limit)) return `the argument ${limit.name} is ${limit.type.toString()}, not an Int`;
  return 'reason' in placed ? placed.reason : undefined;
}

function itemsOf({ name }: CompositeType, connection: ConnectionFields | undefined): string {
  if (connection === undefined) return `...${name}`;
  const items = connection.isOfEdges ? `edges { node { ...${name} } }` : `nodes { ...${name} }`;
  return `${items}${connection.hasTotal ? ' totalCount' : ''} pageInfo { hasNextPage endCursor }`;
}

const SIZES = ['first', 'limit', 'size', 'pageSize', 'perPage', 'take', 'count'];
const CURSORS = ['after', 'cursor'];
const OFFSETS = ['offset', 'skip'];

interface Paging {
  /** Arguments that select the page. */
  readonly given: readonly GraphQLArgument[];
  readonly variables: readonly DraftedVariable[];
}

/** Returns the arguments of a connection that select a page, or undefined if they are not sufficient. */
function readPaging({ args }: OutputField, { hasTotal }: ConnectionFields): Paging | undefined {
  const find = (names: readonly string[], types: readonly string[]): GraphQLArgument | undefined =>
    args.find((arg) => names.includes(arg.name) && types.includes(nullableType(arg)));
  const size = find(SIZES, ['Int']);
  const cursor = find(CURSORS, ['String', 'ID']);
  const offset = hasTotal ? find(OFFSETS, ['Int']) : undefined;
  const starts = [cursor, offset].filter((arg) => arg !== undefined);
  if (size === undefined || starts.length === 0 || starts.some(isRequiredArgument)) return undefined;
  if (!SLICING_ARGUMENTS.includes(size.name) && args.some(({ name }) => SLICING_ARGUMENTS.includes(name))) return undefined;
  const variable = (arg: GraphQLArgument, type: string, role: string): DraftedVariable => ({
    name: arg.name,
    type,
    source: `@page(role: ${role})`,
  });
  return {
    given: [size, ...starts],
    variables: [
      variable(size, 'Int!', 'SIZE'),
      ...(offset === undefined ? [] : [variable(offset, 'Int', 'OFFSET')]),
      ...(cursor === undefined ? [] : [variable(cursor, nullableType(cursor), 'CURSOR')]),
    ],
  };
}

function isInt(arg: GraphQLArgument): boolean {
  return nullableType(arg) === 'Int';
}

function sortVariable({ name, type }: GraphQLArgument): DraftedVariable {
  const keys = sortKeysOf(type).map((key) => JSON.stringify(key));
  return { name, type: String(type), source: `@sort(allow: [${keys.join(', ')}])` };
}

/** Arguments with variables, and arguments without. */
interface PlacedArguments {
  readonly variables: readonly DraftedVariable[];
  readonly left: readonly GraphQLArgument[];
}

/** Reads arguments from the query string. Returns the reason if a required argument cannot be read from it. */
function placeInQuery(args: readonly GraphQLArgument[]): PlacedArguments | { readonly reason: string } {
  const canBeRead = (arg: GraphQLArgument): boolean => isQueryable(arg) && isParameterName(arg.name);
  const unread = args.find((arg) => isRequiredArgument(arg) && !canBeRead(arg));
  if (unread !== undefined) {
    const why = isQueryable(unread) ? `a query parameter cannot have the name "${unread.name}"` : 'a GET request has no body';
    return { reason: `the argument ${unread.name}: ${unread.type.toString()} is required, and ${why}` };
  }
  return {
    variables: args.filter(canBeRead).map((arg) => ({ name: arg.name, type: typeInQuery(arg), source: `@in(query: "${arg.name}")` })),
    left: args.filter((arg) => !canBeRead(arg)),
  };
}

/** An argument with a default is optional, so its variable is nullable. */
function typeInQuery(arg: GraphQLArgument): string {
  return isRequiredArgument(arg) ? String(arg.type) : nullableType(arg);
}

const SECRET = /token|key|password|secret|authorization/i;

function writeResource(field: OutputField, type: CompositeType, paths: ResourcePaths): RouteDraft {
  const key = keyOf(field);
  // The path contains the key, and required arguments whose name the query string cannot contain.
  const inPath = field.args.filter(
    (arg) =>
      arg === key || (isRequiredArgument(arg) && isSingleValue(arg) && !isParameterName(arg.name) && !SLICING_ARGUMENTS.includes(arg.name)),
  );
  const secret = inPath.find(({ name }) => SECRET.test(name) && !isParameterName(name));
  const limit = limitOf(field);
  const placed = placeInQuery(field.args.filter((arg) => !inPath.includes(arg) && arg !== limit));
  const reason = secret ? `the argument ${secret.name} is required, and a URL must not contain a secret` : reasonIn(limit, placed);
  if ('reason' in placed || reason !== undefined) return { field: `Query.${field.name}`, reason: reason ?? '' };
  const parameters = inPath.map(({ name }) => `/{${name}}`).join('');
  const name = withoutReadVerb(field.name);
  const isOfType = inPath.length === 1 && new RegExp(`^${type.name}(?:By|With|For|From)?`, 'i').test(name);
  const collection = paths.collectionOf(type.name);
  const candidates = [pathOfName(name), pathOfName(field.name), pathOfName(`${field.name}Resource`)].map((path) => path + parameters);
  const path = paths.used.take('GET', isOfType ? [collection + parameters, ...candidates] : candidates);
  if (path === undefined) return { field: `Query.${field.name}`, reason: 'its path belongs to another field' };
  if (key !== undefined && path === collection + parameters) paths.keys.set(type.name, key.name);
  const variables = [
    ...inPath.map((arg) => ({ name: arg.name, type: `${nullableType(arg)}!`, source: `@in(path: "${arg.name}")` })),
    ...placed.variables,
  ];
  const given = writeArguments([...constantLimit(limit), ...variables.map((variable) => `${variable.name}: $${variable.name}`)]);
  return writeDraft({
    field: `Query.${field.name}`,
    name: `Get${capital(path === candidates[1] ? field.name : name)}`,
    subject: type.name,
    variables,
    method: 'GET',
    path,
    selection: `${field.name}${given} @result { ...${type.name} }`,
    comments: commentOnArguments(placed.left),
  });
}

/** Returns the argument that identifies the object: `id`, another ID, or the only required argument. */
function keyOf({ args }: OutputField): GraphQLArgument | undefined {
  const plain = args.filter((arg) => isSingleValue(arg) && !SLICING_ARGUMENTS.includes(arg.name));
  const required = plain.filter(isRequiredArgument);
  const isId = (arg: GraphQLArgument): boolean => getNamedType(arg.type).name === 'ID';
  const id = plain.find(({ name }) => name === 'id');
  if (id !== undefined && (isRequiredArgument(id) || required.length === 0)) return id;
  const [only, ...more] = plain.filter(isId);
  const isByValues = required.length > 1 && required.every(({ name }) => isParameterName(name));
  return required.find(isId) ?? (isByValues ? undefined : required[0]) ?? (required.length === 0 && more.length === 0 ? only : undefined);
}

/** Maps each type to the path of its collection, which is named after a root field, or else after the type. */
export function collectionPaths(schema: GraphQLSchema): (type: string) => string {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(
    ({ deprecationReason, type }) => typeof deprecationReason !== 'string' && (readConnection(type) !== undefined || isFlatList(type)),
  );
  const found = new Map<string, string>();
  const itemOf = ({ type }: OutputField): string => (readConnection(type)?.item ?? getNamedType(type)).name;
  const isPlural = (field: OutputField): boolean => isSameName(withoutReadVerb(field.name), plural(itemOf(field)));
  for (const field of [...fields.filter(isPlural), ...fields.filter(({ args }) => !args.some(isRequiredArgument)), ...fields]) {
    const type = itemOf(field);
    if (!found.has(type)) found.set(type, pathOfName(withoutReadVerb(field.name)));
  }
  return (type) => found.get(type) ?? pathOfName(plural(type));
}
