import { inspect } from 'node:util';

/**
 * Serializes a result for the option `stringifyResult` of Apollo Server, with the data as the engine has printed it. When there is no such
 * text, because a plugin has read or replaced the data, it serializes everything as Apollo Server does. Both end with a line break, as in
 * Apollo Server.
 */
export function stringifyResult(result: { readonly data?: unknown }): string {
  const text = textOf(result.data);
  if (text === undefined) return `${JSON.stringify(result)}\n`;
  const members = Object.entries(result).flatMap(([key, value]) => {
    const written = key === 'data' ? text : (JSON.stringify(value) as string | undefined);
    return written === undefined ? [] : [`${JSON.stringify(key)}:${written}`];
  });
  return `{${members.join(',')}}\n`;
}

type Data = Record<string, unknown>;

/** Texts of data that no code has read yet. */
const texts = new WeakMap<object, string>();

/**
 * Creates data that is parsed when it is first read. Until then `textOf` returns its text; after that, the reader may have changed the
 * values.
 *
 * @param text JSON text of an object
 */
export function serializedData(text: string): Data {
  const target: Data = {};
  const read = (): Data => {
    if (!texts.delete(data)) return target;
    Reflect.deleteProperty(target, inspect.custom);
    for (const [key, value] of Object.entries(JSON.parse(text) as Data)) {
      Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
    }
    return target;
  };
  // `console.log` inspects the target of a proxy.
  Object.defineProperty(target, inspect.custom, { value: read, enumerable: false, configurable: true });
  const data = new Proxy(target, {
    get: (_target, key) => Reflect.get(read(), key) as unknown,
    set: (_target, key, value) => Reflect.set(read(), key, value),
    has: (_target, key) => Reflect.has(read(), key),
    deleteProperty: (_target, key) => Reflect.deleteProperty(read(), key),
    defineProperty: (_target, key, descriptor) => Reflect.defineProperty(read(), key, descriptor),
    getOwnPropertyDescriptor: (_target, key) => Reflect.getOwnPropertyDescriptor(read(), key),
    ownKeys: () => Reflect.ownKeys(read()),
    preventExtensions: () => Reflect.preventExtensions(read()),
    isExtensible: () => Reflect.isExtensible(read()),
    getPrototypeOf: () => Reflect.getPrototypeOf(read()),
    setPrototypeOf: (_target, prototype) => Reflect.setPrototypeOf(read(), prototype),
  });
  texts.set(data, text);
  return data;
}

/** Returns the text of data that no code has read; undefined for all other values. */
export function textOf(data: unknown): string | undefined {
  return typeof data === 'object' && data !== null ? texts.get(data) : undefined;
}
