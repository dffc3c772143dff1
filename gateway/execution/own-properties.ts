/** Values of subgraphs and of clients: any key may occur, also `__proto__` and `constructor`. */
export type DataObject = Record<string, unknown>;

/** Whether reading `key` from a plain object without such a property would find something inherited. */
export function isInheritedName(key: string): boolean {
  return key === '__proto__' || key in Object.prototype;
}

/** The own property `key`; never an inherited one. */
export function readOwn(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as DataObject)[key] : undefined;
}

/** Sets the own property `key`; `__proto__` becomes a property like any other and leaves the prototype alone. */
export function writeOwn(object: DataObject, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

/** Whether `value` is an object with fields: neither null nor a list. */
export function isDataObject(value: unknown): value is DataObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
