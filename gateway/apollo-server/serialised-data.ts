import { inspect } from 'node:util';

/**
 * For the option `stringifyResult` of Apollo Server: writes the answer with the data as the engine has written it. Where
 * there is no such text, because a plugin has looked at the data or replaced it, all is serialised as Apollo Server does by
 * itself. Both end with a line break, as there.
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

/** The texts of data that nobody has looked at yet. */
const texts = new WeakMap<object, string>();

/**
 * Data as values to whoever looks at it, and as the text it was written in to `textOf` as long as nobody has looked: who has
 * looked may have changed it.
 *
 * @param text JSON of an object
 */
export function serialisedData(text: string): Data {
  const target: Data = {};
  const read = (): Data => {
    if (!texts.delete(data)) return target;
    Reflect.deleteProperty(target, inspect.custom);
    for (const [key, value] of Object.entries(JSON.parse(text) as Data)) {
      Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
    }
    return target;
  };
  // `console.log` looks behind a proxy.
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

/** The text of data that nobody has looked at; undefined for everything else. */
export function textOf(data: unknown): string | undefined {
  return typeof data === 'object' && data !== null ? texts.get(data) : undefined;
}
