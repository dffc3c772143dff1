import type { FieldMask } from './field-mask.ts';
import type { Shape } from './shape.ts';

type MutableMask = Map<string, MutableMask | 'whole'>;

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
