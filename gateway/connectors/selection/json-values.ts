import { MAX_DATA_DEPTH } from './mapping-limits.ts';

/** An object of JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns whether a value is an object, neither null nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the type of a value in terms of JSON: `object`, `array`, `string`, `number`, `boolean` or `null`. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Reads an own property. */
export function ownProperty(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Sets an own property. The name `__proto__` has no special meaning. */
export function setOwnProperty(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
}

/** Compares two values of JSON by content. Values that are nested too deeply are not equal. */
export function isEqualJson(left: unknown, right: unknown, depth = 0): boolean {
  if (left === right) return true;
  if (depth > MAX_DATA_DEPTH || typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => isEqualJson(item, right[index], depth + 1));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => Object.hasOwn(right, name) && isEqualJson(left[name], right[name], depth + 1));
}
