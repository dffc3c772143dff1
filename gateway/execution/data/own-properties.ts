/** Values of subgraphs and of clients: any key may occur, also `__proto__` and `constructor`. */
export type DataObject = Record<string, unknown>;

/** Whether reading `key` from a plain object without such a property would find something inherited. */
function isInheritedName(key: string): boolean {
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

/** A property name with what must be known to read it fast. */
export interface DataKey {
  readonly name: string;
  /** Whether a plain object has something inherited under that name. */
  readonly isInherited: boolean;
}

/** Prepares a property name for `readKey`. */
export function toDataKey(name: string): DataKey {
  return { name, isInherited: isInheritedName(name) };
}

/** The own property `key` of plain data; checks for inherited ones only where there are any. */
export function readKey(object: Readonly<DataObject>, key: DataKey): unknown {
  return key.isInherited ? readOwn(object, key.name) : object[key.name];
}

/** Whether `value` is an object with fields: neither null nor a list. */
export function isDataObject(value: unknown): value is DataObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
