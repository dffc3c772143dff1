import type { IncomingMessage, RequestListener } from 'node:http';
import type { GatewayError } from '../platform/errors.ts';
import type { Reply } from '../platform/http/response/send-response.ts';

/** A handler that may have its own words for what the listener refuses before it is asked. */
export type MountedHandler = RequestListener & {
  /** @defaultValue the flat body of every answer that is not GraphQL */
  readonly toRefusal?: (refusal: GatewayError, request: IncomingMessage) => Reply;
  /**
   * Whether it puts the correlation id into its answers by itself. For any other it is set beforehand, and a head that was begun before
   * costs twice as much as one that is written at once.
   *
   * @defaultValue false
   */
  readonly tellsCorrelationId?: true;
  /** Whether the health of the gateway is told at a path below the handler's own, such as `/api/health`. @defaultValue at none */
  readonly isHealthPath?: (path: string) => boolean;
};

/** Handlers of other parts of the product, by path. */
export interface Mounts {
  /**
   * @param paths whole path segments the handler owns with everything below; without them it owns what nobody else does
   * @throws Error when a path is taken, malformed, or there is a handler without paths already
   */
  add(handler: MountedHandler, paths?: readonly string[]): void;
  /** The handler with the longest path that covers `path`. */
  find(path: string): MountedHandler | undefined;
  /** Whether a mounted handler names the path as one of health. */
  isHealth(path: string): boolean;
}

/** Paths that are the gateway's own. */
const RESERVED: ReadonlySet<string> = new Set(['/graphql', '/health', '/health/live', '/health/ready']);

const HEALTH = /\/health\/?$/;

export function createMounts(): Mounts {
  const byPath = new Map<string, MountedHandler>();
  let fallback: MountedHandler | undefined;
  let longestFirst: readonly (readonly [string, MountedHandler])[] = [];

  function find(path: string): MountedHandler | undefined {
    for (const [prefix, handler] of longestFirst) {
      if (path === prefix || (path.startsWith(prefix) && (prefix === '/' || path[prefix.length] === '/'))) return handler;
    }
    return fallback;
  }

  return {
    find,
    isHealth: (path) => HEALTH.test(path) && find(path)?.isHealthPath?.(path) === true,
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
  };
}
