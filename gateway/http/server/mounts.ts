import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { PlainMount } from '../../platform/http/plain/plain-mount.ts';
import { PlainRequest, type ReceivedRequest } from '../../platform/http/plain/plain-request.ts';
import type { OutgoingResponse } from '../../platform/http/response/outgoing-response.ts';
import type { GatewayError } from '../../platform/errors.ts';
import type { HttpResponse } from '../../platform/http/response/send-response.ts';

/** A request handler that can also format the errors of its listener, which are sent before the handler is called. */
export type MountedHandler = RequestListener & {
  /** Formats an error of the listener. @defaultValue the flat body of every response that is not GraphQL */
  readonly toErrorResponse?: (error: GatewayError, request: IncomingMessage) => HttpResponse;
  /**
   * Whether the handler sets the correlation id in its responses itself. For other handlers it is set beforehand. A header that is set
   * before the response is written doubles the cost of writing the headers.
   *
   * @defaultValue false
   */
  readonly exposesCorrelationId?: true;
  /** Whether a path below the handler's own path, such as `/api/health`, serves the health of the gateway. @defaultValue none does */
  readonly isHealthPath?: (path: string) => boolean;
  /** Serves plain requests, which the gateway has read itself. @defaultValue Node.js reads the requests of the handler */
  readonly plain?: PlainMount;
  /** False if the handler never serves `/`, so that the gateway can explain to browsers why there is no page. @defaultValue true */
  readonly servesRoot?: false;
};

/** Handlers of other components, by path. */
export interface Mounts {
  /**
   * Adds a handler.
   *
   * @param paths whole path segments that the handler serves, with everything below them; without paths it serves all other paths
   * @throws Error when a path is already in use or malformed, or a handler for all other paths exists already
   */
  add(handler: MountedHandler, paths?: readonly string[]): void;
  /** Returns the handler with the longest path that covers `path`. */
  find(path: string): MountedHandler | undefined;
  /** Whether a mounted handler declares the path as a health path. */
  isHealth(path: string): boolean;
}

/** Serves a request of either way in. @throws Error for a plain request if the handler does not serve those */
export function serveMounted(mounted: MountedHandler, request: ReceivedRequest, response: OutgoingResponse): void {
  if (request instanceof PlainRequest && mounted.plain !== undefined) mounted.plain.serve(request, response);
  else callNodeListener(mounted, request, response);
}

/** Calls a handler that needs the objects of Node.js. @throws Error for a plain request, which such a handler does not accept */
export function callNodeListener(listener: RequestListener, request: ReceivedRequest, response: OutgoingResponse): void {
  if (request instanceof PlainRequest) throw new Error('The handler serves only requests that Node.js has read.');
  // The response is of the same kind as its request.
  listener(request, response as ServerResponse & { readonly req: IncomingMessage });
}

/** Paths that the gateway itself serves. */
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
        if (fallback !== undefined) throw new Error('A handler for all other paths exists already.');
        fallback = handler;
        return;
      }
      for (const path of paths) {
        if (!path.startsWith('/') || (path.length > 1 && path.endsWith('/')))
          throw new Error(`The mount path "${path}" is invalid: it must start with "/" and must not end with "/".`);
        if (RESERVED.has(path)) throw new Error(`The path ${path} is reserved for the gateway.`);
        if (byPath.has(path)) throw new Error(`The path ${path} already has a handler.`);
        byPath.set(path, handler);
      }
      longestFirst = [...byPath].sort(([a], [b]) => b.length - a.length);
    },
  };
}
