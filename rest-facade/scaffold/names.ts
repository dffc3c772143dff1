import { reservationOf } from '../compile/endpoint/reserved-paths.ts';

/** Converts a name of the graph to a segment of a path: `allFilms` becomes `all-films`. */
export function kebab(name: string): string {
  const words = name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-')
    .replaceAll(/_+/g, '-')
    .toLowerCase();
  return words.replaceAll(/^-+|-+$/g, '') || name;
}

export function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Returns the plural: `Story` becomes `Stories`, `Film` becomes `Films`. */
export function plural(name: string): string {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}

/** Whether two names differ only in case and underscores. */
export function isSameName(one: string, other: string): boolean {
  return comparable(one) === comparable(other);
}

function comparable(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

/** Removes the verb of a read: `allFilms` becomes `films`, `getFilm` becomes `film`. */
export function withoutReadVerb(name: string): string {
  return name
    .replace(/^(?:all|list|get|find|fetch)_?(?=[A-Z]|(?<=_)[a-z])/, '')
    .replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
}

/** First segments that select a version or a mount of the facade. */
const PREFIX = /^(?:v\d+|api)$/;

/** Returns the path of a collection or of a single resource, without reserved first segments. */
export function pathOfName(name: string): string {
  const segment = kebab(name);
  const isReserved = PREFIX.test(segment) || reservationOf(`/${segment}`) !== undefined;
  return `/${isReserved ? `${segment}-resource` : segment}`;
}

/** Methods and paths that are in use. Names of parameters do not distinguish paths. */
export interface UsedPaths {
  /** Reserves the first free path. Returns undefined if all of them are in use. */
  take(method: string, paths: readonly string[]): string | undefined;
}

export function createUsedPaths(): UsedPaths {
  const used = new Set<string>();
  const keyOf = (method: string, path: string): string => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
  return {
    take(method, paths) {
      const free = paths.find((path) => !used.has(keyOf(method, path)));
      if (free !== undefined) used.add(keyOf(method, free));
      return free;
    },
  };
}
