import {
  getNullableType,
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLSchema,
  isCompositeType,
  isInputObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import { isParameterName } from '../compile/bindings/variables.ts';
import {
  commentOnArguments,
  type RouteDraft,
  type DraftedVariable,
  isSingleValue,
  isQueryable,
  nullableType,
  writeArguments,
  writeDraft,
} from './draft-operation.ts';
import { capital, isSameName, kebab, pathOfName, plural } from './names.ts';
import { type OutputField, plainLeaf } from './select-fields.ts';
import type { ResourcePaths } from './write-reads.ts';
import { type DraftedResult, writeResult } from './write-result.ts';

type Method = 'POST' | 'PATCH' | 'PUT' | 'DELETE';

const VERBS: Readonly<Record<string, Method>> = {
  create: 'POST',
  add: 'POST',
  register: 'POST',
  update: 'PATCH',
  edit: 'PATCH',
  change: 'PATCH',
  modify: 'PATCH',
  patch: 'PATCH',
  replace: 'PUT',
  put: 'PUT',
  delete: 'DELETE',
  remove: 'DELETE',
  destroy: 'DELETE',
  cancel: 'DELETE',
};
const NAME = new RegExp(`^(${Object.keys(VERBS).join('|')})(?:_(\\w+)|([A-Z]\\w*))$`);

const CHECK = 'Draft: check the method, the path and the status. Add `signedIn: true` to @endpoint if callers need credentials.';

/** Drafts a route for each mutation: a method of a resource if its name says so, and otherwise a POST to a path with its name. */
export function writeWrites(schema: GraphQLSchema, paths: ResourcePaths): readonly RouteDraft[] {
  return Object.values(schema.getMutationType()?.getFields() ?? {}).map((field) => writeWrite(field, schema, paths));
}

function writeWrite(field: OutputField, schema: GraphQLSchema, paths: ResourcePaths): RouteDraft {
  const about = { field: `Mutation.${field.name}` };
  if (typeof field.deprecationReason === 'string') return { ...about, reason: 'deprecated' };
  const named = nameOf(field, schema);
  const isDeletion = named?.method === 'DELETE';
  const result = writeResult({ field, subject: named?.subject, isDeletion });
  if ('reason' in result) return { ...about, reason: result.reason };
  const crud = named && writeMethod({ field, result, ...named }, schema, paths);
  return crud ?? writeAction({ field, result }, schema, paths);
}

/** The method and the type that the name of a mutation consists of. */
interface NamedMethod {
  readonly method: Method;
  /** Name of the type. */
  readonly subject: string;
}

/** Splits `createFilm` into the method POST and the type `Film`. Returns undefined for names that do not consist of a verb and a type. */
function nameOf({ name }: OutputField, schema: GraphQLSchema): NamedMethod | undefined {
  const [, verb = '', snake, camel] = NAME.exec(name) ?? [];
  const method = VERBS[verb];
  const word = snake ?? camel;
  if (method === undefined || word === undefined) return undefined;
  const type = Object.values(schema.getTypeMap()).find((candidate) => isCompositeType(candidate) && isSameName(candidate.name, word));
  return type === undefined ? undefined : { method, subject: type.name };
}

interface WriteParts {
  readonly field: OutputField;
  readonly result: DraftedResult;
}

/** Drafts POST to a collection, or PATCH, PUT or DELETE of a resource. Returns undefined if the arguments or the path do not allow it. */
function writeMethod({ field, result, method, subject }: WriteParts & NamedMethod, schema: GraphQLSchema, paths: ResourcePaths) {
  const collection = paths.collectionOf(subject);
  const options = { takesBody: method !== 'DELETE', acceptsKey: method === 'POST' || method === 'PATCH' };
  if (method === 'POST') {
    const values = valuesOf(field);
    const parent = findParent(values, schema);
    const placed = placeValues(values, { ...options, inPath: parent?.value });
    const nested = parent === undefined ? '' : `${paths.collectionOf(parent.type)}/{${parent.value.name}}`;
    const path = paths.used.take(method, [nested + collection]);
    if (path === undefined || placed === undefined) return undefined;
    return write({ field, result, method, path, placed, subject, more: locationOf(result, subject, paths) ?? statusOf(result) });
  }
  const found = findWithValue(field, ({ values }) => findKey(values, subject, paths));
  const placed = found && placeValues(found.values, { ...options, inPath: found.value });
  // PATCH and PUT have a body.
  if (placed === undefined || (options.takesBody && !placed.hasBody)) return undefined;
  const path = paths.used.take(method, [`${collection}/{${found?.value.name ?? ''}}`]);
  return path === undefined ? undefined : write({ field, result, method, path, placed, subject, more: statusOf(result) });
}

/** Drafts POST to a path with the name of the mutation: `/films/{id}/rate`, or `/sign-in`. */
function writeAction({ field, result }: WriteParts, schema: GraphQLSchema, paths: ResourcePaths): RouteDraft {
  const { name } = field;
  const found = findWithValue(field, ({ values }) => findTarget(values, { field, result, schema }));
  const target = found?.value;
  const placed = placeValues(found?.values ?? valuesOf(field), { inPath: target?.value, takesBody: true, acceptsKey: true });
  const own = pathOfName(name);
  const base = target && `${paths.collectionOf(target.type)}/{${target.value.name}}`;
  const candidates =
    target === undefined || base === undefined
      ? [own]
      : [`${base}/${kebab(withoutType(name, target.type))}`, `${base}/${kebab(name)}`, `${own}/{${target.value.name}}`];
  const path = paths.used.take('POST', candidates);
  if (path === undefined || placed === undefined) return { field: `Mutation.${name}`, reason: 'its path belongs to another mutation' };
  const subject = target?.type ?? result.type?.name ?? 'Action';
  return write({ field, result, method: 'POST', path, placed, subject, more: statusOf(result) });
}

interface WholeWrite extends WriteParts {
  readonly method: Method;
  readonly path: string;
  readonly subject: string;
  readonly placed: PlacedValues;
  readonly more: string;
}

function write({ field, result, method, path, subject, placed, more }: WholeWrite): RouteDraft {
  return writeDraft({
    field: `Mutation.${field.name}`,
    name: capital(field.name),
    subject,
    variables: placed.variables,
    method,
    path,
    more,
    selection: `${field.name}${writeArguments(placed.given)} ${result.selection}`,
    comments: [CHECK, ...commentOnArguments(placed.left)],
  });
}

function statusOf({ type }: DraftedResult): string {
  return type === undefined ? ', status: 204' : '';
}

/** Returns the arguments of 201, if the created object has the key with which a drafted route reads it. */
function locationOf({ type, isObject }: DraftedResult, subject: string, { keys, collectionOf }: ResourcePaths): string | undefined {
  const key = isObject && type?.name === subject ? keys.get(subject) : undefined;
  if (type === undefined || key === undefined) return undefined;
  const name = [key, 'id'].find((known) => {
    const leaf = plainLeaf(type, known);
    return leaf !== undefined && typeof leaf.deprecationReason !== 'string';
  });
  return name === undefined ? undefined : `, status: 201, location: "${collectionOf(subject)}/{${name}}"`;
}

/** A value that a mutation receives: an argument, or a field of its only argument. */
interface Value extends Pick<GraphQLArgument, 'name' | 'type'> {
  readonly isRequired: boolean;
}

/** The values of a mutation, and how they are passed. */
interface Values {
  readonly values: readonly Value[];
  /** Argument whose fields the values are. Absent if the values are the arguments. */
  readonly wrapper?: string;
}

function valuesOf({ args }: OutputField): Values {
  return { values: args.map((arg) => ({ name: arg.name, type: arg.type, isRequired: isRequiredArgument(arg) })) };
}

/** Returns the fields of the only argument, if it is an input object. */
function wrappedValuesOf({ args: [only, ...others] }: OutputField): Values | undefined {
  const type = only && getNullableType<GraphQLInputType>(only.type);
  if (only === undefined || others.length > 0 || !isInputObjectType(type) || type.isOneOf) return undefined;
  const values = Object.values(type.getFields()).map((field) => ({
    name: field.name,
    type: field.type,
    isRequired: isRequiredInputField(field),
  }));
  return { values, wrapper: only.name };
}

/**
 * Finds the value that identifies a resource among the arguments, or in the input object that is the only argument. The fields of the object
 * are then read separately, and that value from the path.
 */
function findWithValue<T>(
  field: OutputField,
  find: (values: Values) => T | undefined,
): { readonly values: Values; readonly value: T } | undefined {
  for (const values of [valuesOf(field), wrappedValuesOf(field)]) {
    const value = values && find(values);
    if (values !== undefined && value !== undefined) return { values, value };
  }
  return undefined;
}

function findKey(values: readonly Value[], subject: string, { keys }: ResourcePaths): Value | undefined {
  const plain = values.filter(isSingleValue);
  const find = (isKey: (name: string) => boolean): Value | undefined => plain.find(({ name }) => isKey(name));
  return (
    find((name) => name === 'id') ??
    find((name) => isSameName(name, `${subject}Id`)) ??
    find((name) => name === keys.get(subject) || name === '_id')
  );
}

/** A value that identifies an object of a type. */
interface Reference {
  readonly value: Value;
  readonly type: string;
}

/** Returns the type that a required value such as `filmId` refers to. */
function referenceOf(value: Value, schema: GraphQLSchema): Reference | undefined {
  if (!value.isRequired || !isSingleValue(value) || !/.Id$|.ID$|._id$/.test(value.name)) return undefined;
  const type = Object.values(schema.getTypeMap()).find(
    (candidate) => isCompositeType(candidate) && isSameName(`${candidate.name}Id`, value.name),
  );
  return type && { value, type: type.name };
}

/** Finds the resource that contains the new one: `addReview(filmId: ID!, input: ReviewInput!)` adds to `/films/{filmId}/reviews`. */
function findParent({ values }: Values, schema: GraphQLSchema): Reference | undefined {
  const required = values.filter(({ isRequired }) => isRequired);
  const references = required.flatMap((value) => referenceOf(value, schema) ?? []);
  const [body, ...more] = required.filter((value) => !references.some((reference) => reference.value === value));
  return references.length === 1 && more.length === 0 && body !== undefined && isObjectInput(body) ? references[0] : undefined;
}

interface Action extends WriteParts {
  readonly schema: GraphQLSchema;
}

/** Finds the resource that an action belongs to. */
function findTarget(values: readonly Value[], { field, result, schema }: Action): Reference | undefined {
  const id = values.find((value) => value.name === 'id' && value.isRequired && isSingleValue(value));
  const owner = typeInName(field.name, schema) ?? (result.isObject ? result.type?.name : undefined);
  if (id !== undefined && owner !== undefined) return { value: id, type: owner };
  return values.flatMap((value) => referenceOf(value, schema) ?? [])[0];
}

/** Returns the type at the end of the name of a mutation: `Film` for `publishFilm`. */
function typeInName(name: string, schema: GraphQLSchema): string | undefined {
  const types = Object.values(schema.getTypeMap()).filter((type) => isCompositeType(type) && name.endsWith(capital(type.name)));
  return types.toSorted((a, b) => b.name.length - a.name.length)[0]?.name;
}

/** Removes the type from the name of an action: `publishFilm` becomes `publish`. */
function withoutType(name: string, type: string): string {
  const words = [plural(type), type].map((word) => `[${word.charAt(0).toUpperCase()}${word.charAt(0).toLowerCase()}]${word.slice(1)}`);
  const rest = name.replace(new RegExp(`(?:${words.join('|')})(?![a-z])`), '');
  return /[A-Za-z0-9]/.test(rest) ? rest : name;
}

function isObjectInput({ type }: Pick<Value, 'type'>): boolean {
  return isInputObjectType(getNullableType<GraphQLInputType>(type));
}

interface PlacedValues {
  readonly variables: readonly DraftedVariable[];
  /** Arguments of the root field. */
  readonly given: readonly string[];
  readonly left: readonly Value[];
  readonly hasBody: boolean;
}

interface Placing {
  /** Value that is read from the path. */
  readonly inPath: Value | undefined;
  readonly takesBody: boolean;
  /** Whether the header `Idempotency-Key` has an effect. */
  readonly acceptsKey: boolean;
}

/** Values that a draft leaves out: `@ifMatch` needs a version in the GET operation, and the client mutation id has no use in HTTP. */
const LEFT_OUT = /^(?:expectedVersion|version|ifMatch|etag|clientMutationId)$/;

/** Chooses the source of each value. Returns undefined if a required value has none. */
function placeValues({ values, wrapper }: Values, { inPath, takesBody, acceptsKey }: Placing): PlacedValues | undefined {
  const rest = values.filter((value) => value !== inPath && (value.isRequired || !LEFT_OUT.test(value.name)));
  const key = rest.find(
    (value) => value.name === 'idempotencyKey' && ['String', 'ID'].includes(nullableType(value)) && (acceptsKey || value.isRequired),
  );
  const others = rest.filter((value) => value !== key && (value.name !== 'idempotencyKey' || value.isRequired));
  const [object, ...more] = others.filter(isObjectInput);
  const isWhole =
    takesBody &&
    wrapper === undefined &&
    object !== undefined &&
    more.length === 0 &&
    others.every((value) => value === object || !value.isRequired);
  const sources = new Map<Value, string>();
  for (const value of others) {
    if (isWhole && value === object) sources.set(value, '@body');
    else if (takesBody && !isWhole) sources.set(value, `@body(field: "${value.name}")`);
    else if (isQueryable(value) && isParameterName(value.name)) sources.set(value, `@in(query: "${value.name}")`);
    else if (value.isRequired) return undefined;
  }
  const variables = values.flatMap((value): readonly DraftedVariable[] => {
    const { name } = value;
    if (value === inPath) return [{ name, type: `${nullableType(value)}!`, source: `@in(path: "${name}")` }];
    const source = value === key ? '@idempotencyKey' : sources.get(value);
    if (source === undefined) return [];
    return [{ name, type: `${nullableType(value)}${value.isRequired || source === '@body' ? '!' : ''}`, source }];
  });
  const given = variables.map(({ name }) => `${name}: $${name}`);
  return {
    variables,
    given: wrapper === undefined ? given : [`${wrapper}: { ${given.join(', ')} }`],
    left: values.filter(({ name }) => !variables.some((variable) => variable.name === name)),
    hasBody: variables.some(({ source }) => source.startsWith('@body')),
  };
}
