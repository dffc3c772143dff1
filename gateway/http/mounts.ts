import type { RequestListener } from 'node:http';

/** Handlers of other parts of the product, by path. */
export interface Mounts {
  /**
   * @param paths whole path segments the handler owns with everything below; without them it owns what nobody else does
   * @throws Error when a path is taken, malformed, or there is a handler without paths already
   */
  add(handler: RequestListener, paths?: readonly string[]): void;
  /** The handler with the longest path that covers `path`. */
  find(path: string): RequestListener | undefined;
}

/** Paths that are the gateway's own. */
const RESERVED: ReadonlySet<string> = new Set(['/graphql', '/health', '/health/live', '/health/ready']);

export function createMounts(): Mounts {
  const byPath = new Map<string, RequestListener>();
  let fallback: RequestListener | undefined;
  let longestFirst: readonly (readonly [string, RequestListener])[] = [];

  return {
    add(handler, paths) {
      if (paths === undefined) {
        if (fallback !== undefined) throw new Error('There is a handler for all other paths already.');
        fallback = handler;
        return;
      }
      for (const path of paths) {
        if (!path.startsWith('/') || (path.length > 1 && path.endsWith('/')))
          throw new Error(`A mount path starts with "/" and does not end with one: "${path}".`);
        if (RESERVED.has(path)) throw new Error(`The path ${path} is the gateway's own.`);
        if (byPath.has(path)) throw new Error(`The path ${path} has a handler already.`);
        byPath.set(path, handler);
      }
      longestFirst = [...byPath].sort(([a], [b]) => b.length - a.length);
    },
    find(path) {
      for (const [prefix, handler] of longestFirst) {
        if (path === prefix || (path.startsWith(prefix) && (prefix === '/' || path[prefix.length] === '/'))) return handler;
      }
      return fallback;
    },
  };
}
