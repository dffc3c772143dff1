import type { FieldTree } from './key-fields.ts';
import { type MappedObject, type MappedPosition, reachableFrom } from './select-positions.ts';

/** How a virtual subgraph resolves a field of a type. */
export interface ResolvedField {
  /** Whether only the paths that provide the field resolve it (`external:`). */
  readonly isExternal: boolean;
  /** Field set of `requires:`. */
  readonly requires?: string;
  /** Field set of `provides:`. */
  readonly provides?: string;
}

/** Objects at which requests enter a virtual subgraph. */
export interface Entrances {
  /** Root types with the field of the connector. */
  readonly roots: readonly MappedObject[];
  /** Objects that are reached by representations. */
  readonly entities: readonly MappedObject[];
}

/**
 * Decides for each type how a connector resolves its fields. The same type can occur at several positions of one selection with different
 * fields, but join directives apply to a type. A field that is not mapped at all positions of its type is therefore one of these:
 *
 * - Mapped where representations enter: it requires a field that does not exist, its marker. The planner then sends a request with
 *   representations for each object of the type, except at positions that provide the marker because the field is mapped there.
 * - Not mapped where representations enter, or a leaf of the key by which they enter: it is external, and provided at the positions where
 *   it is mapped. A request for a leaf of the key cannot be sent without the leaf.
 *
 * Only the fields where requests enter have `provides:`, which contains the whole tree below them.
 *
 * @returns fields by type
 */
export function resolveFields({ roots, entities }: Entrances, key: FieldTree): ReadonlyMap<string, ReadonlyMap<string, ResolvedField>> {
  const tops = [...new Set([...roots, ...entities])];
  let types = classify(tops, entities, key);
  while (dropAmbiguous(tops, types)) types = classify(tops, entities, key);
  const resolved = new Map<string, Map<string, ResolvedField>>();
  for (const [type, fields] of types) {
    const ofType = new Map<string, ResolvedField>();
    for (const [name, state] of fields) ofType.set(name, toResolved(name, state));
    resolved.set(type, ofType);
  }
  for (const { type, fields } of tops) {
    for (const [name, position] of fields) {
      const provides = position === undefined ? '' : printProvided(types, position, new Set());
      const known = resolved.get(type)?.get(name);
      if (provides !== '' && known !== undefined) resolved.get(type)?.set(name, { ...known, provides });
    }
  }
  return resolved;
}

/** `everywhere`: mapped at all positions of the type; `entered`: requested by representations; `provided`: only at some positions. */
type FieldState = 'everywhere' | 'entered' | 'provided';

type StatesByType = ReadonlyMap<string, ReadonlyMap<string, FieldState>>;

function classify(tops: readonly MappedObject[], entities: readonly MappedObject[], key: FieldTree): StatesByType {
  const byType = new Map<string, MappedObject[]>();
  for (const object of reachableFrom(tops).objects) byType.set(object.type, [...(byType.get(object.type) ?? []), object]);
  const entered = new Map(entities.map((entity) => [entity.type, entity]));
  return new Map(
    [...byType].map(([type, objects]) => {
      const names = new Set(objects.flatMap(({ fields }) => [...fields.keys()]));
      const states = [...names].map((name): [string, FieldState] => {
        if (objects.every(({ fields }) => fields.has(name))) return [name, 'everywhere'];
        const isEntered = entered.get(type)?.fields.has(name) === true && key.get(name)?.size !== 0;
        return [name, isEntered ? 'entered' : 'provided'];
      });
      return [type, new Map(states)];
    }),
  );
}

/**
 * A field where requests enter has `provides:` for the positions inside it. If the same field is mapped inside, other fields may be mapped
 * there, so the mapping inside is dropped: its objects are requested by representations.
 *
 * @returns whether a mapping was dropped
 */
function dropAmbiguous(tops: readonly MappedObject[], types: StatesByType): boolean {
  const inner = reachableFrom(tops).objects.filter((object) => !tops.includes(object));
  for (const { type, fields } of tops) {
    for (const [name, position] of fields) {
      const others = inner.filter((object) => object.type === type && object.fields.get(name) !== undefined);
      if (position === undefined || others.length === 0 || printProvided(types, position, new Set()) === '') continue;
      for (const other of others) other.fields.delete(name);
      return true;
    }
  }
  return false;
}

/** Name of the field that a field requires where it is not mapped. No subgraph defines it. */
function markerOf(name: string): string {
  return `__${name}`;
}

function toResolved(name: string, state: FieldState): ResolvedField {
  if (state === 'everywhere') return { isExternal: false };
  return state === 'entered' ? { isExternal: false, requires: markerOf(name) } : { isExternal: true };
}

/** Prints the fields of a position, and of those inside, that are not resolved at all positions of their types. */
function printProvided(types: StatesByType, position: MappedPosition, around: ReadonlySet<MappedPosition>): string {
  if (around.has(position)) return '';
  const beneath = new Set([...around, position]);
  const parts = [...position.objects.values()].map((object) => {
    const selections = [...object.fields].flatMap(([name, inside]) => {
      const state = types.get(object.type)?.get(name);
      const selection = inside === undefined ? '' : printProvided(types, inside, beneath);
      const own = state === 'entered' ? [markerOf(name)] : state === 'provided' && selection === '' ? [name] : [];
      return selection === '' ? own : own.concat(`${name} { ${selection} }`);
    });
    if (selections.length === 0) return '';
    return object.type === position.type ? selections.join(' ') : `... on ${object.type} { ${selections.join(' ')} }`;
  });
  return parts.filter((part) => part !== '').join(' ');
}
