import type { EngineParts } from '../../differential/engine.ts';

type Json = Record<string | number, unknown>;

/**
 * The data that a client has in the end: the first part with all patches merged into it.
 *
 * A value that became null for something in it may be null in one part and not in another: then the client has what any of them has.
 *
 * @param isFailing whether the operation has errors: without any nothing can become null
 * @throws Error when a patch is for something that the client does not have, or contradicts what it has
 */
export function applyPatches({ data, parts }: EngineParts, isFailing = false): unknown {
  const root: Json = { data: structuredClone(data) };
  for (const { path, data: patch, label } of parts.flat()) {
    const target = ['data', ...path].reduce<unknown>(
      (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      root,
    );
    if (!isObject(target)) throw new Error(`There is nothing at ${path.join('.')} for ${label}.`);
    if (patch !== null) merge(target, patch, { where: `${label} at ${path.join('.')}`, isFailing });
  }
  return root['data'];
}

interface Merging {
  readonly where: string;
  readonly isFailing: boolean;
}

function merge(target: Json, patch: unknown, { where, isFailing }: Merging): void {
  if (!isObject(patch) || Array.isArray(patch) !== Array.isArray(target)) throw new Error(`Something else stands in place of ${where}.`);
  for (const [key, value] of Object.entries(patch)) {
    const known = Object.hasOwn(target, key) ? target[key] : undefined;
    if (isObject(known) && isObject(value)) merge(known, value, { where: `${where}.${key}`, isFailing });
    else if (isFailing && isObject(known) && value === null) continue;
    else if ((known ?? null) !== null && value !== null && known !== value)
      throw new Error(`Two values at ${where}.${key}: ${JSON.stringify([known, value])}`);
    else Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}
