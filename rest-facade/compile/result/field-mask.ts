import type { Shape } from './shape.ts';

/** Which fields of an object are shown, by response name; `whole` takes everything below. */
export type FieldMask = ReadonlyMap<string, FieldMask | 'whole'>;

/** What the parameter `fields` asks for. */
export interface FieldSelection {
  readonly mask: FieldMask;
  /** The dotted names, as the client wrote them. */
  readonly names: ReadonlySet<string>;
  /** The same for the same names in whatever order. */
  readonly key: string;
}

/** Of a resource, only what headers need. */
export const NO_FIELDS = { mask: new Map(), names: new Set(), key: '' };

/** What is shown of an object where nobody asks for more: all but what is there on demand. */
export function defaultMask(shape: Shape): FieldMask {
  const shown = [...shape].filter(([, { isOnDemand }]) => isOnDemand !== true);
  return new Map(shown.map(([name, { fields }]) => [name, fields !== undefined && hasOnDemand(fields) ? defaultMask(fields) : 'whole']));
}

export function hasOnDemand(shape: Shape): boolean {
  return [...shape.values()].some(({ isOnDemand, fields }) => isOnDemand === true || (fields !== undefined && hasOnDemand(fields)));
}

export type MutableMask = Map<string, MutableMask | 'whole'>;

/** The fields that are named, and nothing that only stands below them: of an object that is named, parts may be left out. */
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
 * What a resource shows to callers without credentials: all that is asked for, without the fields that each of them is denied.
 *
 * @param isDenied whether a field, by its dotted name, is denied to every caller without credentials
 * @param shown what is asked for. @defaultValue all that the resource shows by itself
 * @returns undefined where nothing is denied
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
