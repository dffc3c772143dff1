import { systemClock } from '../../platform/clock.ts';
import { Connection, type ConnectionOwner } from './connection.ts';
import { type ConnectOptions, createOpenSocket } from './open-socket.ts';
import type { HttpRequest, ResponseHandler } from './response-handler.ts';

export interface ConnectionPoolOptions extends ConnectOptions {
  readonly maxConnections: number;
}

/** Connections to one origin over HTTP/1.1, kept open between requests. Disposed of, it fails all that is under way. */
export interface ConnectionPool extends Disposable {
  /** Sends a request as soon as a connection is free; those that wait go in the order of their arrival. */
  send(request: HttpRequest, handler: ResponseHandler): void;
}

/** How often it is looked for connections that nobody has used for long. @unit milliseconds */
const SWEEP_MS = 1_000;

/**
 * A request takes the connection that was used last, so that what a rush has opened can rest and go. Where none is free
 * one more is opened, but the request goes over whichever is free first; a connection that cannot be made fails the request
 * that has waited longest.
 */
export function createConnectionPool({ maxConnections, ...connect }: ConnectionPoolOptions): ConnectionPool {
  const openSocket = createOpenSocket(connect);
  const connections = new Set<Connection>();
  const free: Connection[] = []; // the one that was used last at the end
  const waiting: { readonly request: HttpRequest; readonly handler: ResponseHandler }[] = [];
  let connecting = 0;
  let sweeper: NodeJS.Timeout | undefined;
  let isDisposed = false;

  const owner: ConnectionOwner = {
    onOpen(connection) {
      connecting -= 1;
      owner.onFree(connection);
    },
    onFree(connection) {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        if (next.handler.start(connection)) return connection.send(next.request, next.handler);
      }
      connection.rest(systemClock.monotonic());
      free.push(connection);
      sweeper ??= setInterval(sweep, SWEEP_MS).unref();
    },
    onRefused(connection, error) {
      connecting -= 1;
      connections.delete(connection);
      waiting.shift()?.handler.fail(error);
      openWanted();
    },
    onGone(connection) {
      connections.delete(connection);
      const place = free.indexOf(connection);
      if (place >= 0) free.splice(place, 1);
      openWanted();
    },
  };

  function openWanted(): void {
    if (isDisposed) return;
    while (connecting < waiting.length && connections.size < maxConnections) {
      connecting += 1;
      connections.add(new Connection(openSocket, owner));
    }
  }

  function takeFree(): Connection | undefined {
    if (free.length === 0) return undefined;
    const now = systemClock.monotonic();
    for (let connection = free.pop(); connection !== undefined; connection = free.pop()) {
      if (connection.usableUntil > now) return connection;
      connection.abort();
    }
    return undefined;
  }

  function sweep(): void {
    const now = systemClock.monotonic();
    for (const connection of free.filter(({ usableUntil }) => usableUntil <= now)) {
      free.splice(free.indexOf(connection), 1);
      connection.abort();
    }
    if (free.length > 0) return;
    clearInterval(sweeper);
    sweeper = undefined;
  }

  return {
    send(request, handler) {
      if (isDisposed) return handler.fail(new Error('The connections have been closed.'));
      const connection = takeFree();
      if (connection === undefined) {
        waiting.push({ request, handler });
        openWanted();
      } else if (handler.start(connection)) connection.send(request, handler);
      else owner.onFree(connection);
    },
    [Symbol.dispose]() {
      isDisposed = true;
      clearInterval(sweeper);
      const reason = new Error('The connections were closed.');
      for (const { handler } of waiting.splice(0)) handler.fail(reason);
      for (const connection of connections) connection.close(reason);
    },
  };
}
