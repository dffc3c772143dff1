import type { MappingShape } from './mapping-shape.ts';

/** A value of which nothing is known. */
export const UNKNOWN_SHAPE: MappingShape = { kind: 'unknown' };

/** A value that is always missing. */
export const NOTHING_SHAPE: MappingShape = { kind: 'nothing' };

/** Joins shapes. Equal scalars are listed once, and one unknown shape makes the union unknown. An empty list of shapes is unknown. */
export function unionShape(shapes: readonly MappingShape[]): MappingShape {
  const members = shapes.flatMap((shape) => (shape.kind === 'union' ? shape.members : [shape]));
  if (members.length === 0 || members.some(({ kind }) => kind === 'unknown')) return UNKNOWN_SHAPE;
  const distinct = members.filter(
    (member, index) =>
      member.kind === 'object' || member.kind === 'list' || members.findIndex(({ kind }) => kind === member.kind) === index,
  );
  const [only] = distinct;
  return distinct.length === 1 && only !== undefined ? only : { kind: 'union', members: distinct };
}

/** Returns the shape of a property, of each item for a list. A shape that cannot have it results in `nothing`. */
export function fieldShape(shape: MappingShape, name: string): MappingShape {
  switch (shape.kind) {
    case 'unknown':
    case 'nothing':
      return shape;
    case 'object':
      return shape.fields.get(name) ?? (shape.open ? UNKNOWN_SHAPE : NOTHING_SHAPE);
    case 'list': {
      const items = fieldShape(shape.items, name);
      return items.kind === 'nothing' ? NOTHING_SHAPE : { kind: 'list', items };
    }
    case 'union': {
      const found = shape.members.map((member) => fieldShape(member, name)).filter(({ kind }) => kind !== 'nothing');
      return found.length === 0 ? NOTHING_SHAPE : unionShape(found);
    }
    case 'boolean':
    case 'null':
    case 'number':
    case 'string':
      break;
  }
  return NOTHING_SHAPE;
}

/** Returns the shape of the items of a list, or the shape itself if it is not a list. */
export function itemShape(shape: MappingShape): MappingShape {
  if (shape.kind === 'list') return shape.items;
  return shape.kind === 'union' ? unionShape(shape.members.map(itemShape)) : shape;
}

/** Returns whether a value of the shape can be of one of the kinds. */
export function canBe(shape: MappingShape, kinds: readonly MappingShape['kind'][]): boolean {
  if (shape.kind === 'unknown') return true;
  return shape.kind === 'union' ? shape.members.some((member) => canBe(member, kinds)) : kinds.includes(shape.kind);
}

const NAMES: Readonly<Record<Exclude<MappingShape['kind'], 'union'>, string>> = {
  unknown: 'A value',
  nothing: 'A missing value',
  null: 'null',
  boolean: 'A boolean',
  number: 'A number',
  string: 'A string',
  object: 'The object',
  list: 'The list',
};

/** Names a shape at the start of a message. */
export function describeShape(shape: MappingShape): string {
  return shape.kind === 'union' ? 'The value' : NAMES[shape.kind];
}
