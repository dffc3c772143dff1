import { textOf, valueAt } from '../openapi/api-value.ts';
import type { EnumShape, ObjectShape, ReadShape, ScalarShape, SchemaShape } from '../openapi/schema-shape.ts';
import { hasUnwritableCharacters } from '../openapi/read-operations.ts';
import type { DraftedEnum, DraftedField, DraftedObject, FieldType, Nullability } from './drafted-subgraph.ts';
import { camelCase, createTypeNames, createUsedNames, fieldNameOf, isGraphqlName, pascalCase, upperCase } from './graphql-names.ts';
import { singular } from './english-nouns.ts';
import { literalOf } from './literal.ts';
import type { OmissionLog } from './omission-log.ts';

/** Maximum number of fields of one selection. Larger objects are values of `JSON` where they would exceed it. */
const MAX_FIELDS = 400;
/** Maximum nesting of objects in one selection. */
const MAX_NESTING = 10;

/** Whether a type is a result or an argument. Both have separate object types. */
export type TypeRole = 'output' | 'input';

/** A type, or the reason why there is none. */
export type TypeDraft = FieldType | { readonly reason: string };

/** Drafts the types of a subgraph. */
export interface TypeDrafts {
  /**
   * Drafts the type of a shape. Object types are created once for each schema.
   *
   * @param hint name of an object type or enum whose schema has no name
   * @param location location for omissions
   */
  typeOf(shape: SchemaShape, role: TypeRole, hint: string, location: string): TypeDraft;
}

/** Scalars of formats of texts. */
const FORMATS: Readonly<Record<string, string>> = { 'date-time': 'DateTime', date: 'Date', time: 'Time', uuid: 'UUID' };
const MAX_INT = 2_147_483_647;

/** Whether a property or a parameter identifies something. */
export function isIdName(name: string): boolean {
  return /^(?:id|_id|uuid|guid)$/i.test(name) || /(?:[a-z]Id|[a-z]ID|[-_]id|[a-z]Uuid|[-_]uuid)$/.test(name);
}

/** Returns the name of the GraphQL scalar of a shape. Identifiers are `ID` in results, and have the type of the back end in arguments. */
function scalarNameOf({ type, format, maximum }: ScalarShape, isId: boolean): string {
  if (isId && (type === 'string' || type === 'integer')) return 'ID';
  if (type === 'integer') return format === 'int64' || (maximum !== undefined && maximum > MAX_INT) ? 'BigInt' : 'Int';
  if (type === 'number') return 'Float';
  if (type === 'boolean') return 'Boolean';
  return (format === undefined ? undefined : Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined) ?? 'String';
}

export function createTypeDrafts(read: ReadShape, log: OmissionLog): TypeDrafts {
  const names = createTypeNames();
  const objects: Readonly<Record<TypeRole, Map<unknown, DraftedObject>>> = { output: new Map(), input: new Map() };
  const enums = new Map<unknown, DraftedEnum>();
  /** Objects whose fields are being drafted. A reference to one of them is recursive. */
  const open = new Set<unknown>();

  function typeOf(shape: SchemaShape, role: TypeRole, hint: string, location: string): TypeDraft {
    return draft(shape, { role, hint, location, isId: false });
  }

  interface Position {
    readonly role: TypeRole;
    readonly hint: string;
    readonly location: string;
    readonly isId: boolean;
  }

  function draft(shape: SchemaShape, position: Position): TypeDraft {
    const outer: Nullability = shape.isNullable ? 'nullable' : 'required';
    const named = (name: string): FieldType => ({ name, levels: [outer] });
    const untyped = (remark: string): FieldType => {
      log.add(`the type of ${position.location}`, `it is JSON, because ${remark}`);
      return named('JSON');
    };
    switch (shape.kind) {
      case 'omitted':
        return position.role === 'input' ? untyped(shape.reason) : { reason: shape.reason };
      case 'untyped':
        return shape.remark === undefined ? named('JSON') : untyped(shape.remark);
      case 'scalar':
        return named(scalarNameOf(shape, position.isId && (position.role === 'output' || shape.type === 'string')));
      case 'enum': {
        const enumeration = enumOf(shape, position.hint);
        return enumeration === undefined ? named('String') : { name: enumeration.name, enumeration, levels: [outer] };
      }
      case 'list': {
        const items = draft(shape.items, { ...position, hint: singular(position.hint) });
        if ('reason' in items) return items;
        if (items.object !== undefined && items.levels.length > 1) return untyped('it is a list of lists of objects');
        return { ...items, levels: [outer, ...items.levels] };
      }
      case 'object':
        break;
    }
    const object = objectOf(shape, position);
    return typeof object === 'string' ? untyped(object) : { name: object.name, object, levels: [outer] };
  }

  /** Drafts an object type. Returns the reason if the value can only be JSON. */
  function objectOf(shape: ObjectShape, position: Position): DraftedObject | string {
    const known = objects[position.role].get(shape.key);
    if (open.has(shape.key)) return 'its type contains itself';
    if (known !== undefined) return known.fields.length === 0 ? 'its object has no fields that GraphQL can express' : known;
    if (open.size >= MAX_NESTING) return `it is nested more than ${MAX_NESTING} levels deep`;
    const base = pascalCase(shape.name ?? position.hint, 'Object');
    const suffix = position.role === 'input' && !base.endsWith('Input') ? 'Input' : '';
    const name = names.take(`${base}${suffix}`, `${base}${position.role === 'input' ? 'Data' : 'Object'}${suffix}`);
    const object: DraftedObject = {
      name,
      fields: [],
      size: 0,
      ...(shape.description === undefined ? {} : { description: shape.description }),
    };
    objects[position.role].set(shape.key, object);
    if (shape.remark !== undefined) log.add(`other properties of ${name}`, shape.remark);
    open.add(shape.key);
    addFields(object, shape, position.role);
    open.delete(shape.key);
    return object.fields.length === 0 ? 'its object has no fields that GraphQL can express' : object;
  }

  function addFields(object: DraftedObject, shape: ObjectShape, role: TypeRole): void {
    const used = createUsedNames();
    // Names that need no change are reserved first, so that a renamed property never takes the name of another one.
    const valid = new Set([...shape.properties.keys()].filter(isGraphqlName));
    for (const name of valid) used.take(name);
    for (const [jsonName, schema] of shape.properties) {
      const property = read(schema);
      if (role === 'output' ? property.isWriteOnly : property.isReadOnly) continue;
      const location = `${object.name}.${jsonName}`;
      if (hasUnwritableCharacters(jsonName)) {
        log.add(location, 'its name contains control characters, quotes or backslashes');
        continue;
      }
      const type = draftProperty(object, jsonName, property, {
        role,
        location,
        hint: `${object.name} ${jsonName}`,
        isId: isIdName(jsonName),
      });
      if ('reason' in type) {
        log.add(location, type.reason);
        continue;
      }
      const name = valid.has(jsonName) ? jsonName : used.take(fieldNameOf(jsonName), camelCase(`${jsonName} field`, 'field'));
      object.fields.push(
        fieldOf(name, jsonName, withRequirement(type, shape.required.has(jsonName), property, role), { schema, property, role }),
      );
    }
  }

  function draftProperty(object: DraftedObject, jsonName: string, property: SchemaShape, position: Position): TypeDraft {
    const type = draft(property, position);
    if ('reason' in type) return type;
    const size = 1 + (type.object?.size ?? 0);
    if (object.size + size > MAX_FIELDS) {
      if (type.object === undefined) return { reason: `its type has more than ${MAX_FIELDS} fields` };
      log.add(`the type of ${object.name}.${jsonName}`, `it is JSON, because the selection would have more than ${MAX_FIELDS} fields`);
      return { name: 'JSON', levels: type.levels.slice(0, 1) };
    }
    object.size += size;
    return type;
  }

  function enumOf(shape: EnumShape, hint: string): DraftedEnum | undefined {
    // Equal lists of values are one type if they belong to properties of one name.
    const key = typeof shape.key === 'string' ? `${hint.split(' ').at(-1) ?? ''} ${shape.key}` : shape.key;
    const known = enums.get(key);
    if (known !== undefined) return known;
    if (shape.values.some((value) => hasUnwritableCharacters(value))) return undefined;
    const used = createUsedNames(['true', 'false', 'null']);
    const isUsable = (value: string) => isGraphqlName(value) && !['true', 'false', 'null'].includes(value);
    for (const value of shape.values.filter(isUsable)) used.take(value);
    const enumeration: DraftedEnum = {
      name: names.take(pascalCase(shape.name ?? hint, 'Enum'), pascalCase(`${shape.name ?? hint} enum`, 'Enum')),
      values: shape.values.map((jsonValue) => ({
        jsonValue,
        name: isUsable(jsonValue) ? jsonValue : used.take(upperCase(jsonValue, 'VALUE')),
      })),
      ...(shape.description === undefined ? {} : { description: shape.description }),
    };
    enums.set(key, enumeration);
    return enumeration;
  }

  return { typeOf };
}

/** Makes a property nullable unless its object requires it. A property of an input with a default value is optional. */
function withRequirement(type: FieldType, isRequired: boolean, property: SchemaShape, role: TypeRole): FieldType {
  const isOptional = !isRequired || (role === 'input' && property.fallback !== undefined);
  return isOptional || property.isNullable ? { ...type, levels: ['nullable', ...type.levels.slice(1)] } : type;
}

interface PropertySource {
  readonly schema: unknown;
  readonly property: SchemaShape;
  readonly role: TypeRole;
}

function fieldOf(name: string, jsonName: string, type: FieldType, { schema, property, role }: PropertySource): DraftedField {
  const fallback = role === 'input' ? literalOf(property.fallback, type) : undefined;
  // The description of a schema that the property refers to is that of the type.
  const description = textOf(valueAt(schema, 'description'));
  return {
    name,
    jsonName,
    type,
    isDeprecated: property.isDeprecated && type.levels[0] === 'nullable',
    arguments: [],
    ...(description === undefined ? {} : { description }),
    ...(fallback === undefined ? {} : { fallback }),
  };
}
