import { getNamedType, isCompositeType, isInterfaceType, isLeafType, isObjectType, isScalarType, isUnionType } from 'graphql';
import { ERROR_FIELDS } from '../compile/result/user-errors.ts';
import { type CompositeType, fieldsOf, isFlatList, isList, isPlainField, type OutputField, plainLeaf } from './select-fields.ts';

/** Response of a mutation in REST. */
export interface DraftedResult {
  /** Type of the resource. Absent for a response without a body. */
  readonly type?: CompositeType;
  /** Whether the result is one object of the type, so that it can have a location. */
  readonly isObject: boolean;
  /** Selection of the root field, with its directives. */
  readonly selection: string;
}

/** The mutation whose result is selected. */
export interface ResultRequest {
  readonly field: OutputField;
  /** Name of the type that the mutation is named after. */
  readonly subject: string | undefined;
  /** Whether the mutation deletes the object, so that the response has no body. */
  readonly isDeletion: boolean;
}

/** Selects the result of a mutation. Returns the reason if a REST response cannot show it. */
export function writeResult(request: ResultRequest): DraftedResult | { readonly reason: string } {
  const { field, isDeletion } = request;
  const type = getNamedType(field.type);
  if (isLeafType(type)) {
    if (isBoolean(field) || (isDeletion && !isList(field.type))) return { isObject: false, selection: '@result(shape: NONE)' };
    return { reason: `no object in the result, which is ${field.type.toString()}` };
  }
  if (isUnionType(type)) return { reason: 'the result is a union, and a response of a member that is an error would have status 200' };
  if (!isList(field.type)) return writePayload(type, request);
  if (!isFlatList(field.type)) return { reason: 'a list of lists is not a collection' };
  return { type, isObject: false, selection: `@result(shape: LIST) { ...${type.name} }` };
}

function writePayload(type: CompositeType, { subject, isDeletion }: ResultRequest): DraftedResult | { readonly reason: string } {
  const errors = readErrors(type);
  if (errors !== undefined && 'reason' in errors) return errors;
  const reported = errors === undefined ? '' : ` ${errors.selection}`;
  const found = findObject(type, { subject, errors: errors?.field });
  if (found !== undefined) {
    const { field, type: inner, values } = found;
    if (isList(field.type))
      return { type: inner, isObject: false, selection: `{ ${field.name} @result(shape: LIST) { ...${inner.name} }${reported} }` };
    if (isDeletion) return { isObject: false, selection: `{ ${field.name} @result { __typename }${reported} }` };
    const hoisted = values.filter(({ name }) => fieldsOf(inner)[name] === undefined).map(({ name }) => ` ${name} @hoist`);
    return { type: inner, isObject: true, selection: `{ ${field.name} @result { ...${inner.name} }${hoisted.join('')}${reported} }` };
  }
  if (errors === undefined && isDeletion) return { isObject: false, selection: '@result { __typename }' };
  if (errors === undefined) return { type, isObject: true, selection: `@result { ...${type.name} }` };
  const leaves = Object.values(fieldsOf(type)).filter(({ name }) => plainLeaf(type, name) !== undefined);
  const flag = leaves.find(isBoolean) ?? (isDeletion ? leaves[0] : undefined);
  if (flag === undefined) return { reason: 'no object in the payload next to its errors' };
  return { isObject: false, selection: `{ ${flag.name} @result(shape: NONE)${reported} }` };
}

function isBoolean({ type }: OutputField): boolean {
  const named = getNamedType(type);
  return !isList(type) && isScalarType(named) && named.name === 'Boolean';
}

interface PayloadErrors {
  readonly field: OutputField;
  readonly selection: string;
}

/** Finds the business errors of a payload. Returns the reason if `@userErrors` cannot report them. */
function readErrors(type: CompositeType): PayloadErrors | { readonly reason: string } | undefined {
  const fields = Object.values(fieldsOf(type));
  const field =
    fields.find(({ name }) => ERROR_FIELDS.some((known) => known === name)) ??
    fields.find((inner) => isList(inner.type) && /Errors?$/.test(getNamedType(inner.type).name));
  if (field === undefined) return undefined;
  const error = getNamedType(field.type);
  const reason = `@userErrors cannot report \`${field.name}\`, which is ${field.type.toString()}`;
  if (!isFlatList(field.type) || !isPlainField(field) || !isCompositeType(error)) return { reason };
  const selection = selectError(error);
  if (selection === undefined) return { reason: `${reason}, because ${error.name} has no field \`message\`` };
  return { field, selection: `${field.name} @userErrors { ${selection} }` };
}

const FIELD_NAMES = ['field', 'fields', 'path'];
const CODE_NAMES = ['code', 'errorCode'];

function selectError(type: CompositeType): string | undefined {
  if (isUnionType(type)) {
    const members = type
      .getTypes()
      .map((member) => (plainLeaf(member, 'message') === undefined ? undefined : `... on ${member.name} { message }`));
    return members.includes(undefined) ? undefined : members.join(' ');
  }
  if (plainLeaf(type, 'message') === undefined) return undefined;
  const named = (names: readonly string[], as: string): readonly string[] => {
    const field = names.map((name) => fieldsOf(type)[name]).find((known) => known !== undefined && isPlainField(known) && isName(known));
    return field === undefined ? [] : [field.name === as ? as : `${as}: ${field.name}`];
  };
  return [...named(FIELD_NAMES, 'field'), 'message', ...named(CODE_NAMES, 'code')].join(' ');
}

/** Whether the value is a text, an enum, or a list of them. */
function isName({ type }: OutputField): boolean {
  return isLeafType(getNamedType(type)) && (!isList(type) || isFlatList(type));
}

/** Fields of payloads that repeat the status of the response, or a value that the client sent. */
const STATUS_FIELDS = new Set(['clientMutationId', 'success', 'ok', 'status', 'code', 'message']);

interface FoundObject {
  readonly field: OutputField;
  readonly type: CompositeType;
  /** Scalars and enums next to the object, such as a token. */
  readonly values: readonly OutputField[];
}

/**
 * Finds the object in a payload. A type with an id is the resource itself. So is a type without business errors that has other values next
 * to its object.
 */
function findObject(
  type: CompositeType,
  { subject, errors }: { readonly subject: string | undefined; readonly errors: OutputField | undefined },
): FoundObject | undefined {
  if (errors === undefined && plainLeaf(type, 'id') !== undefined) return undefined;
  const others = Object.values(fieldsOf(type)).filter((field) => field !== errors && isPlainField(field));
  const values = others.filter(({ name }) => plainLeaf(type, name) !== undefined && !STATUS_FIELDS.has(name));
  const objects = others.flatMap((field): readonly FoundObject[] => {
    const inner = getNamedType(field.type);
    const isResource = isObjectType(inner) || isInterfaceType(inner);
    return isResource && inner.name !== 'Query' && (!isList(field.type) || isFlatList(field.type)) ? [{ field, type: inner, values }] : [];
  });
  if (errors === undefined && (values.length > 0 || objects.length !== 1)) return undefined;
  const single = objects.find(({ field }) => !isList(field.type));
  return objects.find(({ type: { name } }) => name === subject) ?? single ?? objects[0];
}
