/** A parsed JSON or YAML object. Its values are unknown, because users write documents. */
export type ApiObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object, and not a list or null. */
export function isApiObject(value: unknown): value is ApiObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a value as an object; an empty object if it is another value. */
export function objectOf(value: unknown): ApiObject {
  return isApiObject(value) ? value : {};
}

/** Returns a value as a list; an empty list if it is another value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a value as a text; undefined if it is another value, or empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Returns the value of a property that the object itself has. Names such as `constructor` are not inherited. */
export function valueAt(value: unknown, name: string): unknown {
  return isApiObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
