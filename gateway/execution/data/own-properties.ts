/** A JSON object from a subgraph or a client. It can have any key, including `__proto__` and `constructor`. */
export type DataObject = Record<string, unknown>;

/** Whether a plain object without an own property `key` inherits one. */
function isInheritedName(key: string): boolean {
  return key === '__proto__' || key in Object.prototype;
}

/** Reads the own property `key` and ignores inherited properties. */
export function readOwn(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as DataObject)[key] : undefined;
}

/** Writes the own property `key`. `__proto__` becomes an ordinary property and does not change the prototype. */
export function writeOwn(object: DataObject, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

/** A property name prepared for fast reads. */
export interface DataKey {
  readonly name: string;
  /** Whether plain objects inherit a property with this name. */
  readonly isInherited: boolean;
}

/** Maximum number and length of the keys that operations share. Most keys are names of fields of the schema; clients can choose others. */
const MAX_SHARED_KEYS = 20_000;
const MAX_SHARED_LENGTH = 64;

const sharedKeys = new Map<string, DataKey>();

/** Prepares a property name for `readKey`. Operations share the keys, of which a large operation has hundreds. */
export function toDataKey(name: string): DataKey {
  const known = sharedKeys.get(name);
  if (known !== undefined) return known;
  const key = { name, isInherited: isInheritedName(name) };
  if (sharedKeys.size < MAX_SHARED_KEYS && name.length <= MAX_SHARED_LENGTH) sharedKeys.set(name, key);
  return key;
}

/** Reads the own property `key` of plain data. The slower own-property check runs only for names that plain objects inherit. */
export function readKey(object: Readonly<DataObject>, key: DataKey): unknown {
  return key.isInherited ? readOwn(object, key.name) : object[key.name];
}

/** Whether `value` is an object with fields, and neither null nor a list. */
export function isDataObject(value: unknown): value is DataObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
