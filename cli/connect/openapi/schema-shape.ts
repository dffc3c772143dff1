import { isApiObject, type ApiObject, listOf, objectOf, textOf, valueAt } from './api-value.ts';
import type { OpenApiDocument } from './openapi-document.ts';

/** A schema reduced to what GraphQL can express. */
export type SchemaShape = ScalarShape | EnumShape | ListShape | ObjectShape | UntypedShape | OmittedShape;

interface CommonShape {
  readonly isNullable: boolean;
  readonly description?: string;
  readonly isDeprecated: boolean;
  readonly isReadOnly: boolean;
  readonly isWriteOnly: boolean;
  /** Value of the keyword `default`. */
  readonly fallback?: unknown;
  /** Value of the keyword `maximum`. */
  readonly maximum?: number;
}

/** A value with a scalar type. */
export interface ScalarShape extends CommonShape {
  readonly kind: 'scalar';
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly format?: string;
}

/** A text out of a list. */
export interface EnumShape extends CommonShape {
  readonly kind: 'enum';
  readonly values: readonly string[];
  readonly name?: string;
  /** Identity: equal keys mean one type. */
  readonly key: unknown;
}

/** A list. */
export interface ListShape extends CommonShape {
  readonly kind: 'list';
  readonly items: SchemaShape;
  readonly maxItems?: number;
}

/** An object with known properties. */
export interface ObjectShape extends CommonShape {
  readonly kind: 'object';
  /** Name of the schema, or its title. */
  readonly name?: string;
  readonly key: unknown;
  /** Schemas of the properties, which are not read yet, because they may refer to this object. */
  readonly properties: ReadonlyMap<string, unknown>;
  readonly required: ReadonlySet<string>;
  /** Why other properties of the object are not described. */
  readonly remark?: string;
}

/** A value of any type, or an object whose keys are not known. */
export interface UntypedShape extends CommonShape {
  readonly kind: 'untyped';
  /** Why the schema has no type. Absent if it declares none. */
  readonly remark?: string;
}

/** A value that GraphQL cannot express. */
export interface OmittedShape extends CommonShape {
  readonly kind: 'omitted';
  readonly reason: string;
}

/** Reads schemas of a document. */
export type ReadShape = (schema: unknown) => SchemaShape;

const MAX_NESTING = 40;

/** Creates a function that reads a schema: it follows references, merges `allOf`, and finds out whether null is allowed. */
export function createShapeReader(document: OpenApiDocument): ReadShape {
  const known = new Map<unknown, SchemaShape>();
  const reading = new Set<ApiObject>();
  const mergedSchemas = new Map<ApiObject, ApiObject>();

  function read(schema: unknown, depth: number): SchemaShape {
    if (schema === true || schema === undefined) return { kind: 'untyped', ...commonOf({}) };
    if (schema === false) return omitted({}, 'its schema allows no value');
    if (!isApiObject(schema)) return { kind: 'untyped', ...commonOf({}), remark: 'its schema is not an object' };
    if (depth > MAX_NESTING) return { kind: 'untyped', ...commonOf(schema), remark: 'its schema is nested too deeply' };
    const memoized = known.get(schema);
    if (memoized !== undefined) return memoized;
    if (reading.has(schema))
      return { kind: 'untyped', ...commonOf(schema), remark: 'its schema contains itself without an object between' };
    reading.add(schema);
    const shape = readResolved(schema, depth);
    reading.delete(schema);
    known.set(schema, shape);
    return shape;
  }

  function readResolved(schema: ApiObject, depth: number): SchemaShape {
    const resolved = document.resolve(schema);
    if (resolved === undefined) {
      return { kind: 'untyped', ...commonOf(schema), remark: `its reference ${String(valueAt(schema, '$ref'))} has no target` };
    }
    if (resolved.value !== schema) return withSiblings(nameShape(read(resolved.value, depth + 1), resolved), schema);
    const merged = merge(schema, new Set());
    const single = singleReference(schema);
    if (single !== undefined) return withSiblings(read(single, depth + 1), schema);
    const alternatives = alternativesOf(merged);
    if (alternatives !== undefined) return readAlternatives(merged, alternatives, depth);
    return readTyped(merged, schema, depth);
  }

  /** Merges `allOf` into one schema. Later schemas add to former ones. */
  function merge(schema: ApiObject, merging: ReadonlySet<ApiObject>): ApiObject {
    const all = listOf(valueAt(schema, 'allOf'));
    if (all.length === 0 || merging.has(schema)) return schema;
    const memoized = mergedSchemas.get(schema);
    if (memoized !== undefined) return memoized;
    const inside = new Set([...merging, schema]);
    let result: ApiObject = {};
    for (const one of all) {
      const target = document.resolve(one)?.value;
      if (target !== undefined && inside.size < MAX_NESTING) result = combine(result, merge(target, inside));
    }
    const { allOf: _merged, ...rest } = schema;
    result = combine(result, rest);
    mergedSchemas.set(schema, result);
    return result;
  }

  function readAlternatives(schema: ApiObject, { present, isNullable, keyword }: Alternatives, depth: number): SchemaShape {
    const [only, ...more] = present;
    if (only !== undefined && more.length === 0) {
      const shape = withSiblings(read(only, depth + 1), schema);
      return isNullable ? { ...shape, isNullable: true } : shape;
    }
    const shapes = present.map((one) => read(one, depth + 1));
    const [first] = shapes;
    const type = first?.kind === 'scalar' ? first.type : 'string';
    const isText = (shape: SchemaShape) => shape.kind === 'scalar' || shape.kind === 'enum';
    if (shapes.length > 0 && shapes.every((shape) => isText(shape) && (shape.kind === 'scalar' ? shape.type : 'string') === type)) {
      return { kind: 'scalar', type, ...commonOf(schema), isNullable: isNullable || shapes.some((shape) => shape.isNullable) };
    }
    return omitted(schema, `its schema has several alternatives (${keyword})`);
  }

  function readTyped(merged: ApiObject, identity: ApiObject, depth: number): SchemaShape {
    const { type, isNullable } = typeOf(merged);
    const common = { ...commonOf(merged), isNullable: isNullable || valueAt(merged, 'nullable') === true };
    if (type === 'several') return { kind: 'untyped', ...common, remark: 'its schema has several types' };
    const values = listOf(valueAt(merged, 'enum'));
    const texts = values.filter((value) => typeof value === 'string');
    const allowsNull = values.includes(null);
    if (texts.length > 0 && texts.length === values.length - (allowsNull ? 1 : 0)) {
      const key = identity === merged && !Object.hasOwn(merged, 'title') ? JSON.stringify(texts) : identity;
      return { kind: 'enum', values: [...new Set(texts)], key, ...nameOf(merged), ...common, isNullable: common.isNullable || allowsNull };
    }
    if (type === 'array') return readList(merged, common, depth);
    if (type === 'object') return readObject(merged, common);
    if (type === 'null') return omitted(merged, 'its only value is null');
    if (type === undefined) return { kind: 'untyped', ...common };
    const format = textOf(valueAt(merged, 'format'));
    if (format === 'binary') return omitted(merged, 'its value is binary');
    return { kind: 'scalar', type, ...common, ...(format === undefined ? {} : { format }) };
  }

  function readList(schema: ApiObject, common: CommonShape, depth: number): SchemaShape {
    if (listOf(valueAt(schema, 'prefixItems')).length > 0) return { kind: 'untyped', ...common, remark: 'its items have different types' };
    const items = read(valueAt(schema, 'items'), depth + 1);
    if (items.kind === 'omitted') return { ...items, ...common };
    const maxItems = valueAt(schema, 'maxItems');
    return { kind: 'list', items, ...common, ...(typeof maxItems === 'number' ? { maxItems } : {}) };
  }

  return (schema) => read(schema, 0);
}

/** Returns the one reference of an `allOf` that otherwise adds only a description. */
function singleReference(schema: ApiObject): ApiObject | undefined {
  const [only, ...more] = listOf(valueAt(schema, 'allOf'));
  const adds = Object.keys(schema).some((key) => ['properties', 'oneOf', 'anyOf', 'items', 'enum', 'required'].includes(key));
  return isApiObject(only) && more.length === 0 && !adds ? only : undefined;
}

function readObject(schema: ApiObject, common: CommonShape): SchemaShape {
  const properties = new Map(Object.entries(objectOf(valueAt(schema, 'properties'))));
  const additional = valueAt(schema, 'additionalProperties');
  if (properties.size === 0) return { kind: 'untyped', ...common };
  const required = new Set(listOf(valueAt(schema, 'required')).filter((name) => typeof name === 'string'));
  const isOpen = additional === true || (isApiObject(additional) && Object.keys(additional).length > 0);
  return {
    kind: 'object',
    key: JSON.stringify([...properties.entries(), ...required]),
    properties,
    required,
    ...nameOf(schema),
    ...common,
    ...(isOpen ? { remark: 'its additional properties have no fixed names' } : {}),
  };
}

/** Names a shape after the reference that led to it. A name makes a separate type, even if its properties equal those of another one. */
function nameShape(shape: SchemaShape, { value, name }: { readonly value: ApiObject; readonly name?: string }): SchemaShape {
  if (name === undefined || (shape.kind !== 'object' && shape.kind !== 'enum')) return shape;
  return { ...shape, name, key: value };
}

function withSiblings(shape: SchemaShape, schema: ApiObject): SchemaShape {
  const description = textOf(valueAt(schema, 'description')) ?? shape.description;
  return {
    ...shape,
    isNullable: shape.isNullable || valueAt(schema, 'nullable') === true,
    isReadOnly: shape.isReadOnly || valueAt(schema, 'readOnly') === true,
    isWriteOnly: shape.isWriteOnly || valueAt(schema, 'writeOnly') === true,
    isDeprecated: shape.isDeprecated || valueAt(schema, 'deprecated') === true,
    ...(description === undefined ? {} : { description }),
    ...(Object.hasOwn(schema, 'default') ? { fallback: schema['default'] } : {}),
  };
}

function combine(one: ApiObject, other: ApiObject): ApiObject {
  return {
    ...one,
    ...other,
    properties: { ...objectOf(valueAt(one, 'properties')), ...objectOf(valueAt(other, 'properties')) },
    required: [...new Set([...listOf(valueAt(one, 'required')), ...listOf(valueAt(other, 'required'))])],
  };
}

interface Alternatives {
  readonly present: readonly unknown[];
  readonly isNullable: boolean;
  readonly keyword: 'oneOf' | 'anyOf';
}

function alternativesOf(schema: ApiObject): Alternatives | undefined {
  const keyword = (['oneOf', 'anyOf'] as const).find((name) => listOf(valueAt(schema, name)).length > 0);
  // Alternatives of an object that only require different properties do not change its type.
  if (keyword === undefined || Object.keys(objectOf(valueAt(schema, 'properties'))).length > 0) return undefined;
  const all = listOf(valueAt(schema, keyword));
  const isNull = (one: unknown) => valueAt(one, 'type') === 'null';
  return { present: all.filter((one) => !isNull(one)), isNullable: all.some(isNull), keyword };
}

type TypeName = ScalarShape['type'] | 'array' | 'object' | 'null' | 'several' | undefined;

const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'number', 'boolean', 'array', 'object', 'null']);

function typeOf(schema: ApiObject): { readonly type: TypeName; readonly isNullable: boolean } {
  const declared = valueAt(schema, 'type');
  if (Array.isArray(declared)) {
    const types = [...new Set(listOf(declared).filter((type) => type !== 'null' && TYPES.has(type)))];
    const isNullable = declared.includes('null');
    const isNumber = types.length === 2 && types.every((type) => type === 'integer' || type === 'number');
    if (types.length > 1 && !isNumber) return { type: 'several', isNullable };
    return { type: isNumber ? 'number' : types.length === 0 ? (isNullable ? 'null' : undefined) : (types[0] as TypeName), isNullable };
  }
  if (TYPES.has(declared)) return { type: declared as TypeName, isNullable: false };
  return { type: impliedType(schema), isNullable: false };
}

/** Returns the type that other keywords imply. Many documents omit `type: object`. */
function impliedType(schema: ApiObject): TypeName {
  if (Object.keys(objectOf(valueAt(schema, 'properties'))).length > 0) return 'object';
  if (valueAt(schema, 'items') !== undefined) return 'array';
  const constant = valueAt(schema, 'const');
  if (typeof constant === 'string' || typeof constant === 'boolean') return typeof constant as 'string' | 'boolean';
  return typeof constant === 'number' ? 'number' : undefined;
}

function nameOf(schema: ApiObject): { readonly name?: string } {
  const title = textOf(valueAt(schema, 'title'));
  return title !== undefined && /^[A-Za-z][A-Za-z0-9 ]{0,40}$/.test(title) ? { name: title } : {};
}

function commonOf(schema: ApiObject): CommonShape {
  const description = textOf(valueAt(schema, 'description'));
  const maximum = valueAt(schema, 'maximum');
  return {
    isNullable: valueAt(schema, 'nullable') === true,
    isDeprecated: valueAt(schema, 'deprecated') === true,
    isReadOnly: valueAt(schema, 'readOnly') === true,
    isWriteOnly: valueAt(schema, 'writeOnly') === true,
    ...(description === undefined ? {} : { description }),
    ...(typeof maximum === 'number' ? { maximum } : {}),
    ...(Object.hasOwn(schema, 'default') ? { fallback: schema['default'] } : {}),
  };
}

function omitted(schema: ApiObject, reason: string): OmittedShape {
  return { kind: 'omitted', ...commonOf(schema), reason };
}
