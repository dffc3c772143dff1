import type { TypeNode } from 'graphql';
import { namedTypeOf } from '../../directives/named-type-of.ts';
import type { MappingShape } from '../selection/mapping-shape.ts';
import { UNKNOWN_SHAPE } from '../selection/shapes.ts';
import type { ReadableTypes } from './check-reads.ts';
import { isComposite, isListType, type SchemaType, type SchemaTypes } from './schema-types.ts';

/** Levels of nested types whose fields are known. Types can contain themselves, so their shapes are cut off. */
const MAX_LEVELS = 4;

const STRING: MappingShape = { kind: 'string' };

/** JSON types of the scalars of GraphQL. IDs are serialized as strings (GraphQL specification, section 3.5.5). */
const SCALARS: ReadonlyMap<string, MappingShape> = new Map<string, MappingShape>([
  ['String', STRING],
  ['ID', STRING],
  ['Int', { kind: 'number' }],
  ['Float', { kind: 'number' }],
  ['Boolean', { kind: 'boolean' }],
]);

/** An object whose properties are unknown, or are checked elsewhere. */
const OPEN: MappingShape = { kind: 'object', fields: new Map(), open: true };

/** Returns the shapes of the variables of a connector, by name with dollar sign. */
export function variableShapesOf({ schema, parent, field }: ReadableTypes): ReadonlyMap<string, MappingShape> {
  const shapes = new Map<string, MappingShape>([
    ['$status', { kind: 'number' }],
    ['$env', OPEN],
    ['$request', OPEN],
    ['$response', OPEN],
  ]);
  if (parent !== undefined) {
    const items = shapeOfFields(parent.fields, schema, MAX_LEVELS);
    shapes.set('$this', items).set('$batch', { kind: 'list', items });
  }
  const known = (field?.arguments ?? []).map((argument) => [argument.name.value, argument] as const);
  return shapes.set('$args', shapeOfFields(new Map(known), schema, MAX_LEVELS));
}

function shapeOfFields(fields: ReadonlyMap<string, { readonly type: TypeNode }>, schema: SchemaTypes, levels: number): MappingShape {
  const known = [...fields].map(([name, { type }]) => [name, shapeOfTypeNode(type, schema, levels)] as const);
  // Fields that do not exist are reported by the check of reads, which knows the schema. `__typename` exists everywhere.
  return { kind: 'object', fields: new Map(known), open: true };
}

function shapeOfTypeNode(node: TypeNode, schema: SchemaTypes, levels: number): MappingShape {
  const type = schema.get(namedTypeOf(node));
  const shape = type === undefined || levels === 0 ? UNKNOWN_SHAPE : shapeOfType(type, schema, levels);
  return isListType(node) ? { kind: 'list', items: shape } : shape;
}

function shapeOfType(type: SchemaType, schema: SchemaTypes, levels: number): MappingShape {
  if (type.kind === 'enum') return STRING;
  if (type.kind === 'input') return shapeOfFields(type.inputFields, schema, levels - 1);
  return isComposite(type) ? shapeOfFields(type.fields, schema, levels - 1) : (SCALARS.get(type.name) ?? UNKNOWN_SHAPE);
}
