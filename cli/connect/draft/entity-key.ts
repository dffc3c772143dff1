import type { ApiOperation } from '../openapi/read-operations.ts';
import type { DraftedField, DraftedObject } from './drafted-subgraph.ts';
import { camelCase, wordsOf } from './graphql-names.ts';
import { singular } from './english-nouns.ts';

/** Scalars that can identify an object. */
const KEY_SCALARS: ReadonlySet<string> = new Set(['ID', 'String', 'Int', 'BigInt', 'UUID']);

/**
 * Finds the field of an object for each parameter of a path that identifies it: `User.id` for `{id}`, `{userId}` and `{user}` in
 * `/users/{…}`. Returns undefined if a parameter has no field.
 */
export function keyFieldsOf(
  object: DraftedObject,
  { segments, pathParameters }: Pick<ApiOperation, 'segments' | 'pathParameters'>,
): ReadonlyMap<string, DraftedField> | undefined {
  const fields = new Map<string, DraftedField>();
  for (const { name } of pathParameters) {
    const index = segments.findIndex(({ parameters }) => parameters.includes(name));
    const noun = segments.slice(0, index).findLast(({ parameters }) => parameters.length === 0)?.text ?? '';
    const isLast = segments.slice(index + 1).every(({ parameters }) => parameters.length === 0);
    const field = fieldFor(object, name, noun, isLast);
    if (field === undefined || [...fields.values()].includes(field)) return undefined;
    fields.set(name, field);
  }
  return fields.size === 0 ? undefined : fields;
}

function fieldFor(object: DraftedObject, parameter: string, noun: string, isLast: boolean): DraftedField | undefined {
  const find = (...names: readonly string[]) => {
    const wanted = new Set(names.map(comparable));
    return object.fields.find((field) => wanted.has(comparable(field.jsonName)) && isKeyField(field));
  };
  const one = singular(camelCase(noun, ''));
  const owners = new Set([one, object.name].flatMap((owner) => [owner, `${owner}id`, `${owner}uuid`]).map(comparable));
  if (!isLast) return find(parameter === 'id' ? `${one}Id` : parameter, ...(owners.has(comparable(parameter)) ? [`${one}Id`] : []));
  const exact = find(parameter);
  if (exact !== undefined) return exact;
  const isOwn = owners.has(comparable(parameter)) || comparable(parameter) === 'id';
  return isOwn ? find('id', 'uuid', '_id', `${one}Id`, `${object.name}Id`) : undefined;
}

function isKeyField({ type, connector }: DraftedField): boolean {
  return connector === undefined && type.levels.length === 1 && type.enumeration === undefined && KEY_SCALARS.has(type.name);
}

function comparable(name: string): string {
  return wordsOf(name).join('').toLowerCase();
}

/** Makes a field the key of an entity. */
export function markKey(object: DraftedObject, field: DraftedField): void {
  object.key = field;
  field.type = { name: 'ID', levels: ['required'] };
}
