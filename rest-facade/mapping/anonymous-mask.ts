import { defaultMask } from './default-mask.ts';
import type { FieldMask } from './field-mask.ts';
import type { Shape } from './shape.ts';

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
