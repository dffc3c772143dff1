import type { Shape } from './shape.ts';

/** Shown fields of an object, by response name. `whole` includes everything below the field. */
export type FieldMask = ReadonlyMap<string, FieldMask | 'whole'>;

/** The fields that the query parameter `fields` requests. */
export interface FieldSelection {
  readonly mask: FieldMask;
  /** The dotted names, as the client sent them. */
  readonly names: ReadonlySet<string>;
  /** Cache key that does not depend on the order of the names. */
  readonly key: string;
}

/** Selects no shown fields of a resource, only the fields that its headers need. */
export const NO_FIELDS = { mask: new Map(), names: new Set(), key: '' };

/** Returns the fields that are shown by default: all fields except those on demand. */
export function defaultMask(shape: Shape): FieldMask {
  const shown = [...shape].filter(([, { isOptIn }]) => isOptIn !== true);
  return new Map(shown.map(([name, { fields }]) => [name, fields !== undefined && hasOptIn(fields) ? defaultMask(fields) : 'whole']));
}

export function hasOptIn(shape: Shape): boolean {
  return [...shape.values()].some(({ isOptIn, fields }) => isOptIn === true || (fields !== undefined && hasOptIn(fields)));
}

export type MutableMask = Map<string, MutableMask | 'whole'>;

/** Builds a mask of the named fields without the fields below them, because an object that is named may be returned in part. */
export function namedMask(names: ReadonlySet<string>, shape: Shape): FieldMask {
  const mask: MutableMask = new Map();
  for (const name of names) {
    let current = mask;
    let fields: Shape | undefined = shape;
    for (const part of name.split('.')) {
      fields = fields?.get(part)?.fields;
      const known = current.get(part);
      const next: MutableMask = known === undefined || known === 'whole' ? new Map() : known;
      current.set(part, fields === undefined ? 'whole' : next);
      current = next;
    }
  }
  return mask;
}

/**
 * Computes the fields that callers without credentials may see: the requested fields without the denied ones.
 *
 * @param isDenied whether a field, by its dotted name, is denied to every caller without credentials
 * @param shown requested fields. @defaultValue all fields that the resource shows by default
 * @returns undefined if no field is denied
 */
export function anonymousMask(
  shape: Shape,
  isDenied: (name: string) => boolean,
  shown: FieldMask = defaultMask(shape),
): FieldMask | undefined {
  const { mask, isNarrowed } = narrow(shape, shown, '', isDenied);
  return isNarrowed ? mask : undefined;
}

interface Narrowed {
  readonly mask: FieldMask;
  readonly isNarrowed: boolean;
}

function narrow(shape: Shape, shown: FieldMask, prefix: string, isDenied: (name: string) => boolean): Narrowed {
  const mask = new Map<string, FieldMask | 'whole'>();
  let isNarrowed = false;
  for (const [name, part] of shown) {
    const path = prefix + name;
    const fields = shape.get(name)?.fields;
    if (fields === undefined) {
      if (isDenied(path)) isNarrowed = true;
      else mask.set(name, part);
      continue;
    }
    const inner = narrow(fields, part === 'whole' ? defaultMask(fields) : part, `${path}.`, isDenied);
    isNarrowed ||= inner.isNarrowed;
    if (inner.mask.size > 0) mask.set(name, inner.isNarrowed ? inner.mask : part);
  }
  return { mask, isNarrowed };
}
