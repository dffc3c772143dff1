import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isLeafType,
  isObjectType,
} from 'graphql';
import { isList } from './select-fields.ts';
import { type DraftedOperation, argumentNamed, draft } from './write-reads.ts';

const VERBS = {
  create: 'POST',
  add: 'POST',
  update: 'PATCH',
  change: 'PATCH',
  replace: 'PUT',
  delete: 'DELETE',
  remove: 'DELETE',
  cancel: 'DELETE',
} as const;
const NAME = new RegExp(`^(${Object.keys(VERBS).join('|')})([A-Z]\\w*)$`);

/** Drafts a route for each mutation whose name consists of a known verb and a type: `createFilm`, `removeFilm`. */
export function writeWrites(schema: GraphQLSchema, pathOf: (type: string) => string): readonly DraftedOperation[] {
  return Object.values(schema.getMutationType()?.getFields() ?? {}).flatMap((field): readonly DraftedOperation[] => {
    const [, verb, subject = ''] = NAME.exec(field.name) ?? [];
    const type = schema.getType(subject);
    if (verb === undefined || !isObjectType(type) || pathOf(subject) === '') return [];
    return writeMutation(field, VERBS[verb as keyof typeof VERBS], type, pathOf(subject));
  });
}

type Method = (typeof VERBS)[keyof typeof VERBS];

function writeMutation(
  field: GraphQLField<unknown, unknown>,
  method: Method,
  type: GraphQLObjectType,
  path: string,
): readonly DraftedOperation[] {
  const body = field.args.find(({ type: given }) => isInputObjectType(getNamedType(given)));
  const id = field.args.find(({ name }) => name === 'id');
  const key = field.args.find(({ name }) => name === 'idempotencyKey');
  const takesBody = method !== 'DELETE';
  const takesId = method !== 'POST';
  if ((takesBody && body === undefined) || (takesId && id === undefined)) return [];
  const given = [
    ...(takesId && id !== undefined ? [id] : []),
    ...(takesBody && body !== undefined ? [body] : []),
    ...(method === 'POST' && key !== undefined ? [key] : []),
  ];
  const selection = showResult(field, type, method);
  if (selection === undefined) return [];
  const variables = given.map((arg) => `$${arg.name}: ${requiredType(arg, arg === body)} ${sourceOf(arg, { body, key })}`);
  const more = method === 'POST' ? `, status: 201, location: "${path}/{id}"` : method === 'DELETE' ? ', status: 204' : '';
  const name = field.name.charAt(0).toUpperCase() + field.name.slice(1);
  const shown = `${field.name}(${given.map(argumentNamed).join(', ')}) ${selection}`;
  return [draft({ name, subject: type.name, variables, method, path: `${path}${takesId ? '/{id}' : ''}`, selection: shown, more })];
}

function requiredType({ type }: GraphQLArgument, isBody: boolean): string {
  const text = String(type);
  return isBody && !text.endsWith('!') ? `${text}!` : text;
}

function sourceOf(
  arg: GraphQLArgument,
  { body, key }: { readonly body: GraphQLArgument | undefined; readonly key: GraphQLArgument | undefined },
): string {
  if (arg === body) return '@body';
  return arg === key ? '@idempotencyKey' : `@in(path: "${arg.name}")`;
}

/** Selects the result: the object itself, or the object in a payload with its errors. A deletion with a scalar result shows nothing. */
function showResult({ type: result }: GraphQLField<unknown, unknown>, type: GraphQLObjectType, method: Method): string | undefined {
  const named = getNamedType(result);
  const shown = method === 'DELETE' ? '{ __typename }' : `{ ...${type.name} }`;
  if (isList(result)) return undefined;
  if (isLeafType(named)) return method === 'DELETE' ? '@result(shape: NONE)' : undefined;
  if (named === type) return `@result ${shown}`;
  if (!isObjectType(named)) return undefined;
  const own = Object.values(named.getFields()).find((field) => getNamedType(field.type) === type && !isList(field.type));
  if (own === undefined) return undefined;
  const errors = named.getFields()['errors'];
  const error = errors && getNamedType(errors.type);
  const isReported = isObjectType(error) && ['field', 'message', 'code'].every((name) => error.getFields()[name] !== undefined);
  return `{ ${own.name} @result ${shown}${isReported ? ' errors @userErrors { field message code }' : ''} }`;
}
