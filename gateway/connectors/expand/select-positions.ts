import type { MappedField } from './connector-fields.ts';
import type { SubgraphTypes } from './subgraph-types.ts';

/** A value of a composite type in the result of a connector. */
export interface MappedPosition {
  /** Declared type. */
  readonly type: string;
  /** Fields of an interface that are mapped for all objects. Empty for other types. */
  readonly common: ReadonlySet<string>;
  /** Objects that the value can be, by type. */
  readonly objects: ReadonlyMap<string, MappedObject>;
}

/** The fields that a connector maps for objects of one type at one position. */
export interface MappedObject {
  readonly type: string;
  /** Mapped fields with the positions that they lead to; undefined for leaves. */
  readonly fields: Map<string, MappedPosition | undefined>;
}

/** Returns the fields of a type that have separate connectors, and are therefore not part of a value whose fields are unknown. */
export type HasConnector = (type: string, field: string) => boolean;

/**
 * Finds the positions of a selection. Names of the selection that the subgraph does not define are ignored: another subgraph may have taken
 * a field over (`@override`), and composition reports mistakes.
 */
export function createPositions(types: SubgraphTypes, hasConnector: HasConnector) {
  /** Positions whose fields are unknown, by type. Such positions can lead back to themselves. */
  const open = new Map<string, MappedPosition>();

  function positionOf(type: string, mapped: readonly MappedField[] | undefined): MappedPosition {
    if (mapped === undefined) {
      const known = open.get(type);
      if (known !== undefined) return known;
    }
    const objects = new Map(types.possibleTypes(type).map((name): [string, MappedObject] => [name, { type: name, fields: new Map() }]));
    const common = new Set<string>();
    const position: MappedPosition = { type, common, objects };
    if (mapped === undefined) open.set(type, position);
    for (const object of objects.values()) addFields(object, mapped ?? allFields(object.type));
    if (types.kindOf(type) === 'abstract') {
      // A request for a field of the interface itself must not depend on the type of the object.
      const all = [...objects.values()];
      for (const { name } of mapped ?? allFields(type)) {
        if (types.fieldOf(type, name) !== undefined && all.every(({ fields }) => fields.has(name))) common.add(name);
      }
    }
    return position;
  }

  function allFields(type: string): readonly MappedField[] {
    return types.fieldsOf(type).flatMap((name) => (hasConnector(type, name) ? [] : [{ name }]));
  }

  function addFields({ type, fields }: MappedObject, mapped: readonly MappedField[]): void {
    for (const { name, children, isLeaf } of fieldsOfType(mapped, type)) {
      const field = types.fieldOf(type, name);
      if (field === undefined) continue;
      const kind = types.kindOf(field.namedType);
      const isComposite = kind === 'object' || kind === 'abstract';
      fields.set(name, isComposite ? positionOf(field.namedType, children ?? (isLeaf === true ? [] : undefined)) : undefined);
    }
  }

  return {
    positionOf,
    /** Returns an object of which a connector resolves one field. */
    objectWith(type: string, field: string, mapped: readonly MappedField[]): MappedObject {
      const object: MappedObject = { type, fields: new Map() };
      // The fields of a selection such as `$` are unknown.
      addFields(object, [mapped.length === 0 ? { name: field } : { name: field, children: mapped }]);
      return object;
    },
  };
}

/** Returns the mapped fields that objects of a type have. Fields that several cases of a mapping map are merged. */
function fieldsOfType(mapped: readonly MappedField[], type: string): Iterable<MappedField> {
  const fields = new Map<string, MappedField>();
  for (const field of mapped) {
    if (field.typename !== undefined && field.typename !== type) continue;
    const known = fields.get(field.name);
    const isKnown = known?.children !== undefined && field.children !== undefined;
    fields.set(field.name, isKnown ? { ...known, children: [...known.children, ...field.children] } : field);
  }
  return fields.values();
}

/** Lists all positions and objects that are reachable, each once. */
export function reachableFrom(objects: readonly MappedObject[]): {
  readonly objects: readonly MappedObject[];
  readonly positions: readonly MappedPosition[];
} {
  const found = new Set<MappedObject>();
  const positions = new Set<MappedPosition>();
  const waiting = [...objects];
  for (let object = waiting.pop(); object !== undefined; object = waiting.pop()) {
    if (found.has(object)) continue;
    found.add(object);
    for (const position of object.fields.values()) {
      if (position === undefined || positions.has(position)) continue;
      positions.add(position);
      waiting.push(...position.objects.values());
    }
  }
  return { objects: [...found], positions: [...positions] };
}
