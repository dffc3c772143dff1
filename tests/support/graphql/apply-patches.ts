import type { EngineDependencies } from '../../differential/engine.ts';

type Json = Record<string | number, unknown>;

/**
 * Merges the initial data and all incremental payloads into the final data of a client.
 *
 * A value that became null because of an error inside it may be null in one payload and not in another. The result then has the value that
 * any payload has.
 *
 * @param isFailing whether the operation has errors. Without errors no value can become null
 * @throws Error when a patch has no target in the data, or contradicts the data
 */
export function applyPatches({ data, parts }: EngineDependencies, isFailing = false): unknown {
  const root: Json = { data: structuredClone(data) };
  for (const { path, data: patch, label } of parts.flat()) {
    const target = ['data', ...path].reduce<unknown>(
      (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      root,
    );
    if (!isObject(target)) throw new Error(`${label} patches ${path.join('.')}, which does not exist in the data.`);
    if (patch !== null) merge(target, patch, { where: `${label} at ${path.join('.')}`, isFailing });
  }
  return root['data'];
}

interface Merging {
  readonly where: string;
  readonly isFailing: boolean;
}

function merge(target: Json, patch: unknown, { where, isFailing }: Merging): void {
  if (!isObject(patch) || Array.isArray(patch) !== Array.isArray(target))
    throw new Error(`The patch of ${where} has another kind of value than the data.`);
  for (const [key, value] of Object.entries(patch)) {
    const known = Object.hasOwn(target, key) ? target[key] : undefined;
    if (isObject(known) && isObject(value)) merge(known, value, { where: `${where}.${key}`, isFailing });
    else if (isFailing && isObject(known) && value === null) continue;
    else if ((known ?? null) !== null && value !== null && known !== value)
      throw new Error(`Two different values at ${where}.${key}: ${JSON.stringify([known, value])}`);
    else Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}
